import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';

/** A RuntimeFileSystem over two maps; its clock stands still, so that nothing can lean on changing times. */
export function createMemoryRuntimeFs(files: Readonly<Record<string, string>> = {}): RuntimeFileSystem & { readonly contents: Map<string, Uint8Array> } {
  const contents = new Map<string, Uint8Array>();
  const folders = new Set<string>(['']);
  const parentOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
  const plain = (path: string) => (path === '.' ? '' : path);
  const addFolder = (path: string): void => {
    if (path !== '') addFolder(parentOf(path));
    folders.add(path);
  };
  for (const [path, text] of Object.entries(files)) {
    addFolder(parentOf(path));
    contents.set(path, encodeUtf8(text));
  }
  return {
    contents,
    async readFile(path) {
      if (folders.has(plain(path))) throw new CodedError('is-directory', path);
      const bytes = contents.get(path);
      if (bytes === undefined) throw new CodedError('not-found', path);
      return bytes.slice();
    },
    async readMany(paths) {
      return paths.flatMap((path) => {
        const bytes = contents.get(path);
        return bytes === undefined ? [] : [{ path, bytes }];
      });
    },
    async writeFile(path, data) {
      if (!folders.has(parentOf(path))) throw new CodedError('not-found', path);
      if (folders.has(path)) throw new CodedError('is-directory', path);
      contents.set(path, typeof data === 'string' ? encodeUtf8(data) : data.slice());
    },
    async readdir(asked) {
      const path = plain(asked);
      if (!folders.has(path)) throw new CodedError(contents.has(path) ? 'not-a-directory' : 'not-found', path);
      const inside = (entry: string) => entry !== '' && parentOf(entry) === path;
      const name = (entry: string) => entry.slice(entry.lastIndexOf('/') + 1);
      return [
        ...[...folders].filter(inside).map((entry) => ({ name: name(entry), kind: 'directory' as const })),
        ...[...contents.keys()].filter(inside).map((entry) => ({ name: name(entry), kind: 'file' as const })),
      ];
    },
    async stat(path) {
      if (folders.has(plain(path))) return { kind: 'directory', size: 0, modifiedAtMs: 1000 };
      const bytes = contents.get(path);
      return bytes === undefined ? undefined : { kind: 'file', size: bytes.length, modifiedAtMs: 1000 };
    },
    async mkdir(path, options) {
      if (options?.recursive === true) return addFolder(plain(path));
      if (!folders.has(parentOf(path))) throw new CodedError('not-found', path);
      if (folders.has(path) || contents.has(path)) throw new CodedError('already-exists', path);
      folders.add(path);
    },
    async rm(path, options) {
      if (!contents.has(path) && !folders.has(path) && options?.force !== true) throw new CodedError('not-found', path);
      for (const store of [contents, folders]) for (const entry of [...store.keys()]) if (entry === path || entry.startsWith(`${path}/`)) store.delete(entry);
    },
    async rename(from, to) {
      const bytes = contents.get(from);
      if (bytes === undefined) throw new CodedError('not-found', from);
      contents.set(to, bytes);
      contents.delete(from);
    },
    watch: () => () => undefined,
  };
}
