import type { DirectoryEntry, FileStat, RuntimeFileSystem } from '@/lib/contracts/runtime';
import { normalRuntimePath } from '@/lib/runtime/embedded/program-path';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import type { WebContainerInstance } from './instance';

type Kind = DirectoryEntry['kind'] | undefined;

/** Files of an instance, without its watcher. */
export interface WebContainerFiles {
  readonly fs: Omit<RuntimeFileSystem, 'watch'>;
  /** What stands at a normal path. */
  kindOf(path: string): Promise<Kind>;
}

/**
 * The instance's files with what the vendor's surface lacks: a stat, and codes of errors. Its errors lose their code on the way
 * out of its frame, so a failure is explained by looking at what is there.
 */
export function createWebContainerFiles(instance: WebContainerInstance): WebContainerFiles {
  const { fs } = instance;

  const list = async (path: string): Promise<readonly DirectoryEntry[]> => {
    const entries = await fs.readdir(vendorPath(path), { withFileTypes: true });
    return entries
      .map((entry): DirectoryEntry => ({ name: entry.name, kind: entry.isDirectory() ? 'directory' : 'file' }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const kindOf = async (path: string): Promise<Kind> => {
    if (path === '') return 'directory';
    const entries = await list(parentOf(path)).catch(() => []);
    return entries.find((entry) => entry.name === nameOf(path))?.kind;
  };
  /** Why nothing can stand at a path: a folder above it is missing, or is a file. */
  const obstacleAbove = async (path: string): Promise<CodedError | undefined> => {
    const above = parentOf(path);
    const kind = await kindOf(above);
    if (kind === 'directory') return undefined;
    if (kind === 'file') return new CodedError('not-a-directory', `${JSON.stringify(above)} is a file, not a folder.`);
    return (await obstacleAbove(above)) ?? absent(above);
  };
  const missing = async (path: string): Promise<CodedError> => {
    const above = await obstacleAbove(path);
    return above?.code === 'not-a-directory' ? above : absent(path);
  };
  const attempt = async <Value>(run: () => Promise<Value>, explain: () => Promise<CodedError | undefined>): Promise<Value> => {
    try {
      return await run();
    } catch (error) {
      throw (await explain()) ?? new CodedError('execution-failed', messageOf(error));
    }
  };

  const readFile = (given: string): Promise<Uint8Array> => {
    const path = normalRuntimePath(given);
    return attempt(
      async () => new Uint8Array(await fs.readFile(vendorPath(path))),
      async () => {
        const kind = await kindOf(path);
        if (kind === 'directory') return isDirectory(path);
        return kind === undefined ? missing(path) : undefined;
      },
    );
  };

  const files: Omit<RuntimeFileSystem, 'watch'> = {
    readFile: async (path) => readFile(path),
    async readMany(paths) {
      for (const path of paths) normalRuntimePath(path);
      const found = await Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(path).catch(() => undefined) })));
      return found.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
    },
    async writeFile(given, data) {
      const path = normalRuntimePath(given);
      await attempt(
        () => fs.writeFile(vendorPath(path), typeof data === 'string' ? data : new Uint8Array(data)),
        async () => ((await kindOf(path)) === 'directory' ? isDirectory(path) : obstacleAbove(path)),
      );
    },
    async readdir(given) {
      const path = normalRuntimePath(given);
      return attempt(
        () => list(path),
        async () => ((await kindOf(path)) === 'file' ? new CodedError('not-a-directory', `${JSON.stringify(path)} is a file, not a folder.`) : missing(path)),
      );
    },
    async stat(given): Promise<FileStat | undefined> {
      const path = normalRuntimePath(given);
      const kind = await kindOf(path);
      // The vendor's surface tells no times.
      if (kind === 'directory') return { kind, size: 0, modifiedAtMs: 0 };
      const bytes = kind && (await readFile(path).catch(() => undefined));
      return bytes && { kind: 'file', size: bytes.length, modifiedAtMs: 0 };
    },
    async mkdir(given, options) {
      const path = normalRuntimePath(given);
      const kind = await kindOf(path);
      if (options?.recursive === true ? kind === 'file' : kind !== undefined) throw new CodedError('already-exists', `${JSON.stringify(path)} exists already.`);
      if (kind === 'directory') return;
      await attempt(
        async () => {
          if (options?.recursive === true) await fs.mkdir(vendorPath(path), { recursive: true });
          else await fs.mkdir(vendorPath(path));
        },
        () => obstacleAbove(path),
      );
    },
    async rm(given, options) {
      const path = normalRuntimePath(given);
      const kind = await kindOf(path);
      if (kind === undefined) {
        if (options?.force === true) return;
        throw await missing(path);
      }
      const inside = kind === 'directory' ? await list(path) : [];
      if (inside.length > 0 && options?.recursive !== true)
        throw new CodedError('not-empty', `${JSON.stringify(path)} is a folder with something in it; remove it recursively.`);
      // The root itself stays.
      const targets = path === '' ? inside.map((entry) => entry.name) : [path];
      for (const target of targets)
        await attempt(
          () => fs.rm(vendorPath(target), { recursive: true, force: options?.force ?? false }),
          async () => undefined,
        );
    },
    async rename(from, to) {
      const [source, target] = [normalRuntimePath(from), normalRuntimePath(to)];
      await attempt(
        () => fs.rename(vendorPath(source), vendorPath(target)),
        async () => {
          if ((await kindOf(source)) === undefined) return missing(source);
          return (await kindOf(target)) === 'directory' ? isDirectory(target) : obstacleAbove(target);
        },
      );
    },
  };
  return { fs: files, kindOf };
}

function vendorPath(path: string): string {
  return path === '' ? '.' : path;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function absent(path: string): CodedError {
  return new CodedError('not-found', `${JSON.stringify(path)} does not exist.`);
}

function isDirectory(path: string): CodedError {
  return new CodedError('is-directory', `${JSON.stringify(path)} is a folder.`);
}
