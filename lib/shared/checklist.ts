import { isJsonObject, type Json } from './json';
import { countOf } from './text-lines';

/** One item of the model's own list of work. */
export interface ChecklistItem {
  readonly id: string;
  readonly text: string;
  readonly status: 'open' | 'doing' | 'done' | 'dropped';
}

/** Under this key the session keeps it. */
export const CHECKLIST_NOTE = 'checklist';

/** The list as it was kept; a value of another shape is an empty list. */
export function readChecklist(note: Json | undefined): readonly ChecklistItem[] {
  if (!Array.isArray(note)) return [];
  return note.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const { id, text, status } = item;
    if (typeof id !== 'string' || typeof text !== 'string') return [];
    return status === 'open' || status === 'doing' || status === 'done' || status === 'dropped' ? [{ id, text, status }] : [];
  });
}

/** The list as it is kept. */
export function checklistNote(items: readonly ChecklistItem[]): Json {
  return items.map(({ id, text, status }) => ({ id, text, status }));
}

const marks = { open: '[ ]', doing: '[~]', done: '[x]', dropped: '[-]' } as const;

/** The list as the model reads it, ids included. */
export function checklistText(items: readonly ChecklistItem[]): string {
  if (items.length === 0) return 'The checklist is empty.';
  const open = items.filter((item) => item.status === 'open' || item.status === 'doing').length;
  const done = items.filter((item) => item.status === 'done').length;
  return [`${countOf(items.length, 'item')}: ${done} done, ${open} to do.`, ...items.map(({ id, text, status }) => `${marks[status]} ${id}  ${text}`)].join(
    '\n',
  );
}
