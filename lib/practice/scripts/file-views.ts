import { withoutLineNumbers } from './duration-bug';
import type { PlacedCall, Story } from './story';

/** What a model knows of a file. `at`: the call that told it. */
export type FileView =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'absent'; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number };

/**
 * What the calls so far tell of a file: the latest whole read, or what was written after it.
 *
 * Out    `unknown` too after a change whose outcome is not known: a write that was cut short, an edit of unknown text, a patch.
 */
export function viewOf(story: Story, path: string): FileView {
  let view: FileView = { kind: 'unknown' };
  for (const call of story.calls) view = after(call, path, view);
  return view;
}

/** The text of a file, undefined where it is not known to be there. */
export function textOf(story: Story, path: string): string | undefined {
  const view = viewOf(story, path);
  return view.kind === 'text' ? view.text : undefined;
}

function after(call: PlacedCall, path: string, before: FileView): FileView {
  if (call.name === 'apply_patch') return mayHaveChanged(call) && String(call.input['patch']).includes(`/${path}\n`) ? { kind: 'unknown' } : before;
  if (call.input['path'] !== path) return before;
  if (call.name === 'read_file') return readView(call, before);
  if (call.name !== 'write_file' && call.name !== 'edit_file') return before;
  if (call.status !== 'ok') return mayHaveChanged(call) ? { kind: 'unknown' } : before;
  if (call.name === 'write_file') return { kind: 'text', text: String(call.input['content']), at: call.at };
  if (before.kind !== 'text') return { kind: 'unknown' };
  return { kind: 'text', text: before.text.replace(String(call.input['search']), () => String(call.input['replace'])), at: call.at };
}

function readView(call: PlacedCall, before: FileView): FileView {
  if (/^There is no file\b/.test(call.text)) return { kind: 'absent', at: call.at };
  if (call.status !== 'ok') return before;
  if (/ is empty \(0 bytes\)/.test(call.text.split('\n', 1)[0] ?? '')) return { kind: 'text', text: '', at: call.at };
  const range = /, lines 1-(\d+) of (\d+) /.exec(call.text.split('\n', 1)[0] ?? '');
  if (range === null || range[1] !== range[2]) return before;
  return { kind: 'text', text: `${withoutLineNumbers(call.text)}\n`, at: call.at };
}

/** It ran, or was stopped while it ran. */
function mayHaveChanged(call: PlacedCall): boolean {
  return (
    call.status === 'ok' || (call.status === 'cancelled' && !/: it was not started$/.test(call.text)) || /^\S+ was stopped: it took longer\b/.test(call.text)
  );
}
