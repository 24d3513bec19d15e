import type { Runtime, RuntimeFile } from '@/lib/contracts/runtime';
import { type FolderCopy, staysOut } from './folder-copy';

/** One difference between the copy as it was made and as the turn left it. */
export type FolderChange =
  | { readonly kind: 'add'; readonly path: string; readonly after: Uint8Array; readonly mode?: number }
  | { readonly kind: 'modify'; readonly path: string; readonly before: Uint8Array; readonly after: Uint8Array; readonly mode: number }
  | { readonly kind: 'remove'; readonly path: string; readonly before: Uint8Array }
  | { readonly kind: 'add-folder'; readonly path: string }
  | { readonly kind: 'remove-folder'; readonly path: string };

export interface FolderChanges {
  /** In the order in which they can be made: removals, deepest folders first, then what is new. */
  readonly changes: readonly FolderChange[];
  /** Files that the turn made inside `.git` or `node_modules`: they stay in the copy. */
  readonly keptBack: number;
}

/** Files and folders of a runtime as they are now. */
export async function listRuntime(runtime: Runtime): Promise<{ readonly files: readonly RuntimeFile[]; readonly folders: readonly string[] }> {
  const folders: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await runtime.fs.readdir(folder)) {
      if (entry.kind !== 'directory') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      folders.push(path);
      await walk(path);
    }
  };
  await walk('');
  return { files: await runtime.exportFiles(), folders };
}

/** What the turn changed. A new file with the exact content of a removed one is taken for a moved one and keeps its mode. */
export function compareFolder(copy: FolderCopy, now: { readonly files: readonly RuntimeFile[]; readonly folders: readonly string[] }): FolderChanges {
  const files = now.files.filter((file) => staysOut(file.path) === undefined);
  const folders = new Set(now.folders.filter((folder) => staysOut(folder) === undefined));
  const present = new Set(files.map((file) => file.path));
  const removed = [...copy.files.values()].filter((file) => !present.has(file.path));
  const written = files.flatMap(({ path, bytes }): FolderChange[] => {
    const before = copy.files.get(path);
    if (before !== undefined) return sameBytes(before.bytes, bytes) ? [] : [{ kind: 'modify', path, before: before.bytes, after: bytes, mode: before.mode }];
    const moved = removed.find((file) => sameBytes(file.bytes, bytes));
    return [{ kind: 'add', path, after: bytes, ...(moved === undefined ? {} : { mode: moved.mode }) }];
  });
  const changes: FolderChange[] = [
    ...removed.map(({ path, bytes }): FolderChange => ({ kind: 'remove', path, before: bytes })),
    ...[...copy.folders]
      .filter((folder) => !folders.has(folder))
      .sort((a, b) => (a < b ? 1 : -1))
      .map((path): FolderChange => ({ kind: 'remove-folder', path })),
    ...[...folders]
      .filter((folder) => !copy.folders.has(folder))
      .sort()
      .map((path): FolderChange => ({ kind: 'add-folder', path })),
    ...written,
  ];
  return { changes, keptBack: now.files.length - files.length };
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
