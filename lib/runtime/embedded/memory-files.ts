import type { DirectoryEntry } from '@/lib/contracts/runtime';
import type { PathState } from '@/lib/contracts/undo';
import { CodedError } from '@/lib/shared/coded-error';
import { SCRATCH_ROOT, WORKSPACE_ROOT } from './program-path';
import type { FileState, SyncFiles } from './sync-files';

interface FileNode {
  readonly kind: 'file';
  bytes: Uint8Array;
  modifiedAtMs: number;
  mode: number;
}
interface FolderNode {
  readonly kind: 'directory';
  readonly children: Map<string, Node>;
  modifiedAtMs: number;
  mode: number;
}
type Node = FileNode | FolderNode;

export interface MemoryChange {
  /** Absolute. */
  readonly path: string;
  readonly kind: 'changed' | 'removed';
  /** What was at the path until now. */
  readonly before: PathState;
}

/** Who makes changes. */
export interface Writer {
  /** The name that a journal shows for it. */
  readonly actor?: string | undefined;
}

/** The file system of the embedded runtime: synchronous, in memory, the single source of truth. */
export class MemoryFiles implements SyncFiles {
  readonly #root: FolderNode = folder();
  readonly #listeners = new Set<(change: MemoryChange, by: Writer | undefined) => void>();
  readonly #now: () => number;
  #by: Writer | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    for (const top of [WORKSPACE_ROOT, SCRATCH_ROOT]) this.#root.children.set(top.slice(1), folder(this.#now()));
  }

  /** Told of every change, at once. `by` is what `actingAs` was given, so that a writer can tell its own changes. Returns the unsubscribe. */
  onChange(listener: (change: MemoryChange, by: Writer | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs `act` with its changes marked as made by `by`. */
  actingAs<T>(by: Writer | undefined, act: () => T): T {
    const before = this.#by;
    this.#by = by;
    try {
      return act();
    } finally {
      this.#by = before;
    }
  }

  readFile(path: string): Uint8Array {
    const node = this.#find(path);
    if (!node) throw notFound(path);
    if (node.kind === 'directory') throw new CodedError('is-directory', `${path} is a folder.`);
    return node.bytes;
  }

  writeFile(path: string, bytes: Uint8Array): void {
    const { parent, name } = this.#place(path);
    const node = parent.children.get(name);
    if (node?.kind === 'directory') throw new CodedError('is-directory', `${path} is a folder.`);
    const before = stateOf(node);
    if (node) {
      node.bytes = bytes;
      node.modifiedAtMs = this.#now();
    } else {
      parent.children.set(name, { kind: 'file', bytes, modifiedAtMs: this.#now(), mode: isScript(bytes) ? 0o755 : 0o644 });
      parent.modifiedAtMs = this.#now();
    }
    this.#tell(path, 'changed', before);
  }

  appendFile(path: string, bytes: Uint8Array): void {
    const node = this.#find(path);
    if (node?.kind !== 'file') return this.writeFile(path, bytes);
    const joined = new Uint8Array(node.bytes.length + bytes.length);
    joined.set(node.bytes);
    joined.set(bytes, node.bytes.length);
    this.writeFile(path, joined);
  }

  stat(path: string): FileState | undefined {
    const node = this.#find(path);
    if (!node) return undefined;
    return { kind: node.kind, size: node.kind === 'file' ? node.bytes.length : 0, modifiedAtMs: node.modifiedAtMs, mode: node.mode };
  }

  readdir(path: string): readonly DirectoryEntry[] {
    const node = this.#find(path);
    if (!node) throw notFound(path);
    if (node.kind === 'file') throw new CodedError('not-a-directory', `${path} is a file.`);
    return [...node.children].map(([name, child]) => ({ name, kind: child.kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  mkdir(path: string, recursive: boolean): void {
    const existing = this.#find(path);
    if (existing && recursive && existing.kind === 'directory') return;
    if (existing) throw new CodedError('already-exists', `${path} is there already.`);
    if (recursive) {
      const above = parentOf(path);
      if (!this.#find(above)) this.mkdir(above, true);
    }
    const { parent, name } = this.#place(path);
    parent.children.set(name, folder(this.#now()));
    parent.modifiedAtMs = this.#now();
    this.#tell(path, 'changed', null);
  }

  rm(path: string, options: { readonly recursive: boolean; readonly force: boolean }): void {
    const node = this.#find(path);
    if (!node) {
      if (options.force) return;
      throw notFound(path);
    }
    const { parent, name } = this.#place(path);
    if (node.kind === 'directory' && !options.recursive && node.children.size > 0) throw new CodedError('not-empty', `${path} is not empty.`);
    parent.children.delete(name);
    parent.modifiedAtMs = this.#now();
    for (const [removed, was] of nodesBelow(path, node).reverse()) this.#tell(removed, 'removed', stateOf(was));
  }

  rename(from: string, to: string): void {
    const node = this.#find(from);
    if (!node) throw notFound(from);
    const source = this.#place(from);
    const target = this.#place(to);
    if (from === to) return;
    if (to.startsWith(`${from}/`)) throw new CodedError('not-a-directory', `${from} cannot be moved into itself.`);
    const replaced = target.parent.children.get(target.name);
    if (replaced?.kind === 'directory' && node.kind === 'file') throw new CodedError('is-directory', `${to} is a folder.`);
    if (replaced?.kind === 'file' && node.kind === 'directory') throw new CodedError('not-a-directory', `${to} is a file.`);
    if (replaced?.kind === 'directory' && replaced.children.size > 0) throw new CodedError('not-empty', `${to} is not empty.`);
    source.parent.children.delete(source.name);
    target.parent.children.set(target.name, node);
    source.parent.modifiedAtMs = target.parent.modifiedAtMs = this.#now();
    const moved = nodesBelow('', node);
    for (const [path, was] of [...moved].reverse()) this.#tell(from + path, 'removed', stateOf(was));
    for (const [path] of moved) this.#tell(to + path, 'changed', path === '' ? stateOf(replaced) : null);
  }

  chmod(path: string, mode: number): void {
    const node = this.#find(path);
    if (!node) throw notFound(path);
    this.#assertWritable(path);
    node.mode = mode & 0o777;
  }

  utimes(path: string, modifiedAtMs: number): void {
    const node = this.#find(path);
    if (!node) throw notFound(path);
    this.#assertWritable(path);
    node.modifiedAtMs = modifiedAtMs;
  }

  /** Every path at or below `path`, folders before what is in them; nothing when it is absent. */
  walk(path: string): readonly { readonly path: string; readonly kind: 'file' | 'directory' }[] {
    const node = this.#find(path);
    if (!node) return [];
    return nodesBelow(path, node).map(([found, { kind }]) => ({ path: found, kind }));
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const segment of path.split('/')) {
      if (segment === '') continue;
      if (node?.kind !== 'directory') return undefined;
      node = node.children.get(segment);
    }
    return node;
  }

  #place(path: string): { readonly parent: FolderNode; readonly name: string } {
    this.#assertWritable(path);
    const above = parentOf(path);
    const parent = this.#find(above);
    if (!parent) {
      const file = this.#fileAbove(above);
      throw file ? new CodedError('not-a-directory', `${file} is a file.`) : new CodedError('not-found', `the folder ${above} does not exist.`);
    }
    if (parent.kind === 'file') throw new CodedError('not-a-directory', `${above} is a file.`);
    return { parent, name: path.slice(path.lastIndexOf('/') + 1) };
  }

  #fileAbove(path: string): string | undefined {
    for (let above = path; above !== '/'; above = parentOf(above)) if (this.#find(above)?.kind === 'file') return above;
    return undefined;
  }

  #assertWritable(path: string): void {
    if (path.startsWith(`${WORKSPACE_ROOT}/`) || path.startsWith(`${SCRATCH_ROOT}/`)) return;
    throw new CodedError('path-escape', `${path} cannot be written: programs write below ${WORKSPACE_ROOT} and ${SCRATCH_ROOT}.`);
  }

  #tell(path: string, kind: MemoryChange['kind'], before: PathState): void {
    for (const listener of this.#listeners) listener({ path, kind, before }, this.#by);
  }
}

function folder(modifiedAtMs = 0): FolderNode {
  return { kind: 'directory', children: new Map(), modifiedAtMs, mode: 0o755 };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** A node and all below it, folders before what is in them. */
function nodesBelow(path: string, node: Node): (readonly [string, Node])[] {
  if (node.kind === 'file') return [[path, node]];
  return [[path, node], ...[...node.children].flatMap(([name, child]) => nodesBelow(`${path}/${name}`, child))];
}

/** Bytes of a file are replaced, never changed, so they may be held. */
function stateOf(node: Node | undefined): PathState {
  if (node === undefined) return null;
  return node.kind === 'file' ? { bytes: node.bytes } : { directory: true };
}

function isScript(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}

function notFound(path: string): CodedError<'not-found'> {
  return new CodedError('not-found', `${path} does not exist.`);
}
