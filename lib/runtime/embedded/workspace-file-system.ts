import type { DirectoryEntry, FileStat, FileSystemChange, RuntimeFile, RuntimeFileSystem } from '@/lib/contracts/runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import type { ChangeGroups } from './change-groups';
import type { MemoryFiles, Writer } from './memory-files';
import { normalRuntimePath, toProgramPath, WORKSPACE_ROOT } from './program-path';

/** The workspace part of `files` as the `Runtime` surface shows it: relative paths, copies in and out; what changes is `by`'s doing. */
export function createWorkspaceFileSystem(files: MemoryFiles, groups: ChangeGroups, by?: Writer): RuntimeFileSystem {
  const act = <Value>(change: () => Value): Value => files.actingAs(by, change);
  return {
    async readFile(path: string): Promise<Uint8Array> {
      return files.readFile(toProgramPath(path)).slice();
    },
    async readMany(paths: readonly string[]): Promise<readonly RuntimeFile[]> {
      return paths.flatMap((path) => {
        const absolute = toProgramPath(path);
        return files.stat(absolute)?.kind === 'file' ? [{ path, bytes: files.readFile(absolute).slice() }] : [];
      });
    },
    async writeFile(path: string, data: Uint8Array | string): Promise<void> {
      act(() => files.writeFile(toProgramPath(path), typeof data === 'string' ? encodeUtf8(data) : new Uint8Array(data)));
    },
    async readdir(path: string): Promise<readonly DirectoryEntry[]> {
      return files.readdir(toProgramPath(path));
    },
    async stat(path: string): Promise<FileStat | undefined> {
      const state = files.stat(toProgramPath(path));
      return state && { kind: state.kind, size: state.size, modifiedAtMs: state.modifiedAtMs };
    },
    async mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void> {
      act(() => files.mkdir(toProgramPath(path), options?.recursive ?? false));
    },
    async rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void> {
      const absolute = toProgramPath(path);
      const target = absolute === WORKSPACE_ROOT ? files.readdir(absolute).map((entry) => `${absolute}/${entry.name}`) : [absolute];
      for (const one of target) act(() => files.rm(one, { recursive: options?.recursive ?? false, force: options?.force ?? false }));
    },
    async rename(from: string, to: string): Promise<void> {
      act(() => files.rename(toProgramPath(from), toProgramPath(to)));
    },
    watch(path: string, listener: (changes: readonly FileSystemChange[]) => void): () => void {
      return groups.watch(normalRuntimePath(path), listener);
    },
  };
}
