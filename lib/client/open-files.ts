import { ownValue } from '@/lib/shared/own-value';

/** A tab of the editor. `id` is stable, so that opening the same thing again shows the tab that is there. */
export type Tab =
  | { readonly kind: 'file'; readonly id: string; readonly path: string }
  | {
      readonly kind: 'diff';
      readonly id: string;
      readonly path: string;
      readonly title: string;
      readonly before: string;
      readonly after: string;
      readonly beforeLabel: string;
      readonly afterLabel: string;
    }
  | { readonly kind: 'text'; readonly id: string; readonly title: string; readonly text: string };

/** An open file: what the disk held when it was last looked at, and what the editor holds. */
export interface FileBuffer {
  readonly path: string;
  readonly disk: string;
  readonly text: string;
  /** Raised whenever `text` was replaced from outside the editor, which then has to show it. */
  readonly revision: number;
  /** The file changed on disk while it held unsaved changes; null = it was removed. */
  readonly theirs?: string | null;
}

export interface OpenFiles {
  readonly tabs: readonly Tab[];
  readonly active: string | undefined;
  readonly buffers: Readonly<Record<string, FileBuffer>>;
}

export const noFiles: OpenFiles = { tabs: [], active: undefined, buffers: {} };

export type FileAction =
  | { readonly type: 'opened'; readonly path: string; readonly text: string }
  /** `behind`: the tab is added without coming forward, unless nothing is open. */
  | { readonly type: 'showed'; readonly tab: Tab; readonly behind?: boolean }
  | { readonly type: 'activated'; readonly id: string }
  | { readonly type: 'closed'; readonly id: string }
  | { readonly type: 'typed'; readonly path: string; readonly text: string }
  | { readonly type: 'saved'; readonly path: string; readonly text: string }
  /** The disk was read again; null = there is no such file. */
  | { readonly type: 'disk-changed'; readonly path: string; readonly text: string | null }
  | { readonly type: 'kept-mine'; readonly path: string }
  | { readonly type: 'took-theirs'; readonly path: string };

export function fileTabId(path: string): string {
  return `file:${path}`;
}

export function isDirty(buffer: FileBuffer | undefined): boolean {
  return buffer !== undefined && buffer.text !== buffer.disk;
}

/**
 * The open files after one action.
 *
 * Out    a file with unsaved changes is never replaced: news from disk become `theirs`, for the person to decide.
 */
export function changeFiles(files: OpenFiles, action: FileAction): OpenFiles {
  switch (action.type) {
    case 'opened': {
      const known = ownValue(files.buffers, action.path);
      const buffer = known ?? { path: action.path, disk: action.text, text: action.text, revision: 0 };
      const shown = showTab(files, { kind: 'file', id: fileTabId(action.path), path: action.path });
      return { ...shown, buffers: { ...files.buffers, [action.path]: buffer } };
    }
    case 'showed':
      return action.behind && files.active !== undefined ? { ...showTab(files, action.tab), active: files.active } : showTab(files, action.tab);
    case 'activated':
      return files.tabs.some((tab) => tab.id === action.id) ? { ...files, active: action.id } : files;
    case 'closed':
      return closeTab(files, action.id);
    case 'typed':
      return inBuffer(files, action.path, (buffer) => ({ ...buffer, text: action.text }));
    case 'saved':
      return inBuffer(files, action.path, (buffer) => ({ ...withoutConflict(buffer), disk: action.text }));
    case 'disk-changed':
      return inBuffer(files, action.path, (buffer) => diskChanged(buffer, action.text));
    case 'kept-mine':
      return inBuffer(files, action.path, (buffer) => ({ ...withoutConflict(buffer), disk: buffer.theirs ?? '' }));
    case 'took-theirs': {
      const buffer = ownValue(files.buffers, action.path);
      if (buffer?.theirs === null) return closeTab(files, fileTabId(action.path));
      return inBuffer(files, action.path, (open) => {
        const text = open.theirs ?? open.disk;
        return { ...withoutConflict(open), disk: text, text, revision: open.revision + 1 };
      });
    }
  }
}

function diskChanged(buffer: FileBuffer, text: string | null): FileBuffer {
  if (text === buffer.disk) return withoutConflict(buffer);
  if (text === buffer.text) return { ...withoutConflict(buffer), disk: text };
  if (text === null || buffer.text !== buffer.disk) return { ...buffer, theirs: text };
  return { ...withoutConflict(buffer), disk: text, text, revision: buffer.revision + 1 };
}

function withoutConflict({ path, disk, text, revision }: FileBuffer): FileBuffer {
  return { path, disk, text, revision };
}

function inBuffer(files: OpenFiles, path: string, update: (buffer: FileBuffer) => FileBuffer): OpenFiles {
  const buffer = ownValue(files.buffers, path);
  return buffer ? { ...files, buffers: { ...files.buffers, [path]: update(buffer) } } : files;
}

function showTab(files: OpenFiles, tab: Tab): OpenFiles {
  const at = files.tabs.findIndex((known) => known.id === tab.id);
  return { ...files, tabs: at < 0 ? [...files.tabs, tab] : files.tabs.with(at, tab), active: tab.id };
}

function closeTab(files: OpenFiles, id: string): OpenFiles {
  const at = files.tabs.findIndex((tab) => tab.id === id);
  const closing = files.tabs[at];
  if (!closing) return files;
  const tabs = files.tabs.filter((tab) => tab.id !== id);
  const active = files.active === id ? (tabs[Math.min(at, tabs.length - 1)]?.id ?? undefined) : files.active;
  if (closing.kind !== 'file') return { ...files, tabs, active };
  const { [closing.path]: _gone, ...buffers } = files.buffers;
  return { tabs, active, buffers };
}
