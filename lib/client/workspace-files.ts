import type { DirectoryEntry, FileSystemChange, RuntimeFileSystem } from '@/lib/contracts/runtime';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { messageOf } from '@/lib/shared/coded-error';
import { ownValue } from '@/lib/shared/own-value';
import { changeFiles, type FileAction, fileTabId, noFiles, type OpenFiles, type Tab } from './open-files';
import { policyPath, starterText } from './policy-view';
import type { AgentEdit } from './view-types';

/** Larger files are not opened as text; the message says so. */
export const maxEditorBytes = 2_000_000;

export interface WorkspaceState {
  readonly files: OpenFiles;
  /** Entries of every folder that was looked into; '' is the root. Folders first, then by name. */
  readonly folders: Readonly<Record<string, readonly DirectoryEntry[]>>;
  readonly expanded: ReadonlySet<string>;
  readonly problem: string | undefined;
  /** Raised whenever the person asked to see something in the editor. */
  readonly asked: number;
}

export interface WorkspaceFiles {
  state(): WorkspaceState;
  subscribe(listener: () => void): () => void;
  toggleFolder(path: string): void;
  open(path: string): Promise<void>;
  save(path: string): Promise<void>;
  /** The person asked for this edit's diff. */
  showEdit(edit: AgentEdit): void;
  /** The agent made this edit: its diff opens, `behind` what is there if the person is at work in the editor. */
  followEdit(edit: AgentEdit, behind: boolean): void;
  show(tab: Tab): void;
  change(action: FileAction): void;
  createFile(path: string): Promise<void>;
  dismissProblem(): void;
  dispose(): void;
}

/** Writes the policy file as the person's own act; a problem says why it could not. */
export type SavePolicy = (text: string) => Promise<{ readonly problem?: string }>;

/**
 * The files of one session's workspace as the page shows them: a lazily read tree, open tabs, news from disk.
 *
 * In     `savePolicy`: how the policy file is written, so that saving it is the person's word. `before`: what was open when the same workspace was last shown; unsaved text in it is kept, and held against the disk.
 */
export function createWorkspaceFiles(fs: RuntimeFileSystem, before: OpenFiles = noFiles, savePolicy?: SavePolicy): WorkspaceFiles {
  let state: WorkspaceState = { files: before, folders: {}, expanded: new Set(), problem: undefined, asked: 0 };
  let disposed = false;
  const listeners = new Set<() => void>();
  const set = (change: Partial<WorkspaceState>): void => {
    if (disposed) return;
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  };
  const change = (action: FileAction): void => set({ files: changeFiles(state.files, action) });
  const ask = (): void => set({ asked: state.asked + 1 });
  const fail = (what: string, error: unknown): void => set({ problem: `${what}: ${messageOf(error)}` });

  const readFolder = async (path: string): Promise<void> => {
    try {
      const entries = [...(await fs.readdir(path === '' ? '.' : path))].filter((entry) => path !== '' || entry.name !== '.git').sort(byKindThenName);
      set({ folders: { ...state.folders, [path]: entries } });
    } catch (error) {
      const { [path]: _gone, ...folders } = state.folders;
      set({ folders });
      if (path === '') fail('The workspace could not be read', error);
    }
  };

  const readText = async (path: string): Promise<string | null> => {
    const stat = await fs.stat(path);
    if (stat?.kind !== 'file') return null;
    return decodeUtf8(await fs.readFile(path));
  };

  const write = async (path: string, text: string): Promise<void> => {
    if (path !== policyPath || savePolicy === undefined) return fs.writeFile(path, text);
    const { problem } = await savePolicy(text);
    if (problem !== undefined) throw new Error(problem);
  };

  const onChanges = (changes: readonly FileSystemChange[]): void => {
    const folders = new Set(changes.map(({ path }) => parentOf(path)));
    for (const folder of folders) if (ownValue(state.folders, folder) || state.expanded.has(folder)) void readFolder(folder);
    for (const path of new Set(changes.map((item) => item.path))) if (ownValue(state.files.buffers, path)) void refresh(path);
  };

  const refresh = async (path: string): Promise<void> => {
    try {
      const text = await readText(path);
      change({ type: 'disk-changed', path, text });
    } catch (error) {
      fail(`${path} could not be read again`, error);
    }
  };

  const unwatch = fs.watch('.', onChanges);
  void readFolder('');
  for (const path of Object.keys(before.buffers)) void refresh(path);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toggleFolder(path) {
      const expanded = new Set(state.expanded);
      if (expanded.delete(path)) return set({ expanded });
      set({ expanded: expanded.add(path) });
      void readFolder(path);
    },
    async open(path) {
      ask();
      if (ownValue(state.files.buffers, path)) return change({ type: 'activated', id: fileTabId(path) });
      try {
        const stat = await fs.stat(path);
        if (!stat) return set({ problem: `${path} is not there any more.` });
        if (stat.size > maxEditorBytes) return set({ problem: `${path} is too large for the editor (over 2 MB).` });
        const bytes = await fs.readFile(path);
        if (bytes.subarray(0, 8000).includes(0)) return set({ problem: `${path} is not text, so the editor does not open it.` });
        const text = decodeUtf8(bytes);
        // What cannot be written back byte for byte must not be saved over.
        if (!sameBytes(encodeUtf8(text), bytes))
          return set({
            problem: `${path} is not UTF-8 text as the editor writes it (another encoding, or a byte order mark). It is left as it is; convert it in the terminal first.`,
          });
        change({ type: 'opened', path, text });
      } catch (error) {
        fail(`${path} could not be opened`, error);
      }
    },
    async save(path) {
      const buffer = ownValue(state.files.buffers, path);
      if (!buffer || buffer.theirs !== undefined) return;
      const { text } = buffer;
      try {
        // The disk is looked at first: a change that the watcher has not told of yet must not be overwritten.
        const now = await readText(path);
        if (now !== null && now !== buffer.disk) return change({ type: 'disk-changed', path, text: now });
        if (now === null) await makeParents(fs, path);
        await write(path, text);
        change({ type: 'saved', path, text });
      } catch (error) {
        fail(`${path} was not saved; your text is still in the editor`, error);
      }
    },
    showEdit(edit) {
      ask();
      if (edit.before === undefined || edit.after === undefined) void this.open(edit.path);
      else change({ type: 'showed', tab: editTab(edit) });
    },
    followEdit(edit, behind) {
      if (edit.before !== undefined && edit.after !== undefined) change({ type: 'showed', tab: editTab(edit), behind });
    },
    show(tab) {
      ask();
      change({ type: 'showed', tab });
    },
    change,
    async createFile(path) {
      try {
        if (await fs.stat(path)) return set({ problem: `${path} is there already.` });
        await makeParents(fs, path);
        const text = path === policyPath ? starterText : '';
        await write(path, text);
        ask();
        change({ type: 'opened', path, text });
      } catch (error) {
        fail(`${path} could not be made`, error);
      }
    },
    dismissProblem: () => set({ problem: undefined }),
    dispose() {
      disposed = true;
      unwatch();
      listeners.clear();
    },
  };
}

// One tab a file: the newest edit takes the place of the one before.
function editTab(edit: AgentEdit): Tab {
  return {
    kind: 'diff',
    id: `edit:${edit.path}`,
    path: edit.path,
    title: `${baseName(edit.path)} (agent’s edit)`,
    before: edit.before ?? '',
    after: edit.after ?? '',
    beforeLabel: 'before the edit',
    afterLabel: 'after the edit',
  };
}

async function makeParents(fs: RuntimeFileSystem, path: string): Promise<void> {
  const parent = parentOf(path);
  if (parent !== '') await fs.mkdir(parent, { recursive: true });
}

function byKindThenName(one: DirectoryEntry, other: DirectoryEntry): number {
  if (one.kind !== other.kind) return one.kind === 'directory' ? -1 : 1;
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}

/** The folder a path lies in; '' is the root. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
