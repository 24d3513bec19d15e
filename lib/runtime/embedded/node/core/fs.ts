import type { EventLoop } from '@/lib/runtime/embedded/node/event-loop';
import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { FileState, SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { argumentError, systemError, withSystemErrors } from './fs-error';
import { fileURLToPath } from './url';

export interface FsHost {
  readonly files: SyncFiles;
  readonly loop: EventLoop;
  readonly cwd: () => string;
  /** Everything on standard input; throws where it cannot be waited for. */
  readonly readInput: () => Uint8Array;
  readonly writeOutput: (fd: 1 | 2, data: string | Uint8Array) => void;
}

type PathLike = string | URL | Uint8Array;
type Encoding = BufferEncoding | 'buffer' | null | undefined;
type EncodingOptions = Encoding | { readonly encoding?: Encoding; readonly flag?: string; readonly mode?: number };

interface OpenFile {
  readonly path: string;
  position: number;
  readonly append: boolean;
}

const STANDARD: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };

/** The synchronous half of `node:fs`; the other two are made of it. */
export function createSyncFs({ files, cwd, readInput, writeOutput }: FsHost) {
  const open = new Map<number, OpenFile>();
  let lastFd = 2;

  const pathOf = (path: unknown, name = 'path'): string => {
    if (path instanceof URL) return fileURLToPath(path);
    if (path instanceof Uint8Array) return resolveAbsolute(cwd(), Buffer.from(path).toString());
    if (typeof path !== 'string') throw argumentError(name, 'string or an instance of Buffer or URL', path);
    if (path === '') throw systemError('not-found', 'open', '');
    return resolveAbsolute(cwd(), path);
  };
  const fileOf = (fd: number, syscall: string): OpenFile => {
    const file = open.get(fd);
    if (!file) throw systemError('bad-descriptor', syscall);
    return file;
  };
  const state = (path: string, syscall: string): FileState => {
    const found = files.stat(path);
    if (!found) throw systemError('not-found', syscall, path);
    return found;
  };
  const put = (path: string, bytes: Uint8Array, flag: string): void => {
    if (flag.includes('x') && files.stat(path)) throw systemError('already-exists', 'open', path);
    if (flag === 'r+' && !files.stat(path)) throw systemError('not-found', 'open', path);
    withSystemErrors('open', path, () => (flag.startsWith('a') ? files.appendFile(path, bytes) : files.writeFile(path, bytes)));
  };
  const remove = (path: string, options: { readonly recursive?: boolean; readonly force?: boolean } = {}): void => {
    const found = files.stat(path);
    if (!found && options.force) return;
    if (found?.kind === 'directory' && !options.recursive)
      throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`), {
        code: 'ERR_FS_EISDIR',
        errno: 21,
        syscall: 'rm',
        path,
      });
    withSystemErrors('rm', path, () => files.rm(path, { recursive: options.recursive ?? false, force: options.force ?? false }));
  };
  const copy = (from: string, to: string, options: { readonly recursive?: boolean; readonly force?: boolean; readonly errorOnExist?: boolean } = {}): void => {
    if (state(from, 'cp').kind === 'file') {
      if (options.force === false && files.stat(to)) {
        if (options.errorOnExist) throw systemError('already-exists', 'cp', to);
        return;
      }
      files.mkdir(to.slice(0, to.lastIndexOf('/')) || '/', true);
      return files.writeFile(to, new Uint8Array(files.readFile(from)));
    }
    if (!options.recursive)
      throw Object.assign(
        new Error(`Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${from} is a directory (not copied)) ${from}`),
        { code: 'ERR_FS_EISDIR' },
      );
    files.mkdir(to, true);
    for (const { name } of files.readdir(from)) copy(`${from}/${name}`, `${to}/${name}`, options);
  };
  const list = (path: string, recursive: boolean, prefix = ''): { name: string; kind: 'file' | 'directory'; parent: string }[] =>
    files
      .readdir(path)
      .flatMap(({ name, kind }) => [
        { name: prefix + name, kind, parent: path },
        ...(recursive && kind === 'directory' ? list(`${path}/${name}`, true, `${prefix}${name}/`) : []),
      ]);

  const sync = {
    readFileSync(path: PathLike | number, options?: EncodingOptions): Buffer | string {
      const at = typeof path === 'number' ? path : pathOf(path);
      const fd = typeof at === 'number' ? at : STANDARD[at];
      const bytes = fd === 0 ? readInput() : typeof at === 'number' ? files.readFile(fileOf(at, 'read').path) : readWhole(files, at);
      const encoding = encodingOf(options);
      const buffer = Buffer.from(bytes);
      return encoding ? buffer.toString(encoding) : buffer;
    },
    writeFileSync(path: PathLike | number, data: unknown, options?: EncodingOptions): void {
      const bytes = dataOf(data, encodingOf(options));
      if (typeof path === 'number') return void sync.writeSync(path, bytes);
      const at = pathOf(path);
      const fd = STANDARD[at];
      if (fd === 1 || fd === 2) return writeOutput(fd, bytes);
      put(at, bytes, (typeof options === 'object' && options?.flag) || 'w');
    },
    appendFileSync(path: PathLike | number, data: unknown, options?: EncodingOptions): void {
      if (typeof path === 'number') return void sync.writeSync(path, dataOf(data, encodingOf(options)));
      put(pathOf(path), dataOf(data, encodingOf(options)), 'a');
    },
    existsSync(path: PathLike): boolean {
      try {
        return files.stat(pathOf(path)) !== undefined;
      } catch {
        return false;
      }
    },
    accessSync(path: PathLike): void {
      state(pathOf(path), 'access');
    },
    statSync(path: PathLike, options?: { readonly throwIfNoEntry?: boolean; readonly bigint?: boolean }): Stats | undefined {
      const at = pathOf(path);
      if (options?.throwIfNoEntry === false && !files.stat(at)) return undefined;
      return new Stats(state(at, 'stat'));
    },
    lstatSync(path: PathLike, options?: { readonly throwIfNoEntry?: boolean }): Stats | undefined {
      const at = pathOf(path);
      if (options?.throwIfNoEntry === false && !files.stat(at)) return undefined;
      return new Stats(state(at, 'lstat'));
    },
    readdirSync(path: PathLike, options?: Encoding | { readonly withFileTypes?: boolean; readonly recursive?: boolean }): string[] | Dirent[] {
      const at = pathOf(path);
      const settings = typeof options === 'object' && options !== null ? options : {};
      const entries = withSystemErrors('scandir', at, () => list(at, settings.recursive ?? false));
      if (!settings.withFileTypes) return entries.map((entry) => entry.name);
      return entries.map((entry) => new Dirent(entry.name.slice(entry.name.lastIndexOf('/') + 1), entry.kind, entry.parent));
    },
    mkdirSync(path: PathLike, options?: number | { readonly recursive?: boolean }): string | undefined {
      const at = pathOf(path);
      const recursive = typeof options === 'object' && (options?.recursive ?? false);
      let first: string | undefined;
      if (recursive) {
        const segments = at.split('/');
        first = segments.map((_, i) => segments.slice(0, i + 1).join('/')).find((folder) => folder !== '' && !files.stat(folder));
      }
      withSystemErrors('mkdir', at, () => files.mkdir(at, recursive));
      return first;
    },
    mkdtempSync(prefix: string): string {
      const path = pathOf(prefix + Math.random().toString(36).slice(2, 8).padEnd(6, '0'));
      withSystemErrors('mkdtemp', path, () => files.mkdir(path, false));
      return path;
    },
    rmSync(path: PathLike, options?: { readonly recursive?: boolean; readonly force?: boolean }): void {
      remove(pathOf(path), options);
    },
    rmdirSync(path: PathLike, options?: { readonly recursive?: boolean }): void {
      const at = pathOf(path);
      if (state(at, 'rmdir').kind === 'file') throw systemError('not-a-directory', 'rmdir', at);
      withSystemErrors('rmdir', at, () => files.rm(at, { recursive: options?.recursive ?? false, force: false }));
    },
    unlinkSync(path: PathLike): void {
      const at = pathOf(path);
      if (files.stat(at)?.kind === 'directory') throw systemError('is-directory', 'unlink', at);
      withSystemErrors('unlink', at, () => files.rm(at, { recursive: false, force: false }));
    },
    renameSync(from: PathLike, to: PathLike): void {
      const [source, target] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')];
      withSystemErrors('rename', source, () => files.rename(source, target), target);
    },
    copyFileSync(from: PathLike, to: PathLike, mode = 0): void {
      const [source, target] = [pathOf(from, 'src'), pathOf(to, 'dest')];
      if ((mode & 1) !== 0 && files.stat(target)) throw systemError('already-exists', 'copyfile', source, target);
      withSystemErrors('copyfile', source, () => files.writeFile(target, new Uint8Array(files.readFile(source))), target);
    },
    cpSync(from: PathLike, to: PathLike, options?: { readonly recursive?: boolean; readonly force?: boolean; readonly errorOnExist?: boolean }): void {
      const [source, target] = [pathOf(from, 'src'), pathOf(to, 'dest')];
      withSystemErrors('cp', source, () => copy(source, target, options), target);
    },
    realpathSync: Object.assign((path: PathLike): string => realpath(pathOf(path)), { native: (path: PathLike): string => realpath(pathOf(path)) }),
    chmodSync(path: PathLike, mode: number | string): void {
      const at = pathOf(path);
      withSystemErrors('chmod', at, () => files.chmod(at, typeof mode === 'string' ? Number.parseInt(mode, 8) : mode));
    },
    utimesSync(path: PathLike, _atime: number | Date, mtime: number | string | Date): void {
      const at = pathOf(path);
      withSystemErrors('utime', at, () => files.utimes(at, mtime instanceof Date ? mtime.getTime() : Number(mtime) * 1000));
    },
    truncateSync(path: PathLike, length = 0): void {
      const at = pathOf(path);
      const whole = withSystemErrors('open', at, () => files.readFile(at));
      const cut = new Uint8Array(length);
      cut.set(whole.subarray(0, length));
      files.writeFile(at, cut);
    },
    symlinkSync(target: string, path: PathLike): never {
      throw systemError('not-permitted', 'symlink', target, pathOf(path));
    },
    linkSync(from: PathLike, to: PathLike): never {
      throw systemError('not-permitted', 'link', pathOf(from), pathOf(to));
    },
    readlinkSync(path: PathLike): never {
      const at = pathOf(path);
      state(at, 'readlink');
      throw Object.assign(new Error(`EINVAL: invalid argument, readlink '${at}'`), { code: 'EINVAL', errno: -22, syscall: 'readlink', path: at });
    },
    openSync(path: PathLike, flags: string | number = 'r'): number {
      const at = pathOf(path);
      const flag = typeof flags === 'number' ? (flags & 1 ? 'w' : 'r') : flags;
      if (flag.startsWith('r')) {
        if (state(at, 'open').kind === 'directory' && flag !== 'r') throw systemError('is-directory', 'open', at);
      } else if (flag.includes('x') && files.stat(at)) throw systemError('already-exists', 'open', at);
      else if (flag.startsWith('w') || !files.stat(at)) withSystemErrors('open', at, () => files.writeFile(at, new Uint8Array(0)));
      open.set(++lastFd, { path: at, position: 0, append: flag.startsWith('a') });
      return lastFd;
    },
    closeSync(fd: number): void {
      if (fd > 2 && !open.delete(fd)) throw systemError('bad-descriptor', 'close');
    },
    fstatSync(fd: number): Stats {
      return new Stats(state(fileOf(fd, 'fstat').path, 'fstat'));
    },
    readSync(fd: number, buffer: Uint8Array, offset = 0, length = buffer.byteLength - offset, position: number | null = null): number {
      const file = fileOf(fd, 'read');
      const start = position ?? file.position;
      const part = files.readFile(file.path).subarray(start, start + length);
      buffer.set(part, offset);
      if (position === null) file.position += part.length;
      return part.length;
    },
    writeSync(fd: number, data: unknown, positionOrOffset?: number | null, lengthOrEncoding?: number | Encoding, position?: number | null): number {
      const all = dataOf(data, typeof lengthOrEncoding === 'string' && lengthOrEncoding !== 'buffer' ? lengthOrEncoding : 'utf8');
      const isText = typeof data === 'string';
      const bytes = isText
        ? all
        : all.subarray(positionOrOffset ?? 0, typeof lengthOrEncoding === 'number' ? (positionOrOffset ?? 0) + lengthOrEncoding : undefined);
      if (fd === 1 || fd === 2) {
        writeOutput(fd, bytes);
        return bytes.length;
      }
      const file = fileOf(fd, 'write');
      const before = files.readFile(file.path);
      const at = file.append ? before.length : ((isText ? positionOrOffset : position) ?? file.position);
      const after = new Uint8Array(Math.max(before.length, at + bytes.length));
      after.set(before);
      after.set(bytes, at);
      files.writeFile(file.path, after);
      file.position = at + bytes.length;
      return bytes.length;
    },
    fsyncSync: (_fd: number): void => undefined,
    fdatasyncSync: (_fd: number): void => undefined,
  };

  function realpath(path: string): string {
    state(path, 'realpath');
    return path;
  }
  return sync;
}

export type SyncFs = ReturnType<typeof createSyncFs>;

function readWhole(files: SyncFiles, path: string): Uint8Array {
  try {
    return files.readFile(path);
  } catch (error) {
    if (files.stat(path)?.kind === 'directory') throw systemError('is-directory', 'read');
    return withSystemErrors('open', path, () => {
      throw error;
    });
  }
}

function encodingOf(options: EncodingOptions): BufferEncoding | undefined {
  const encoding = typeof options === 'object' && options !== null ? options.encoding : options;
  return encoding === 'buffer' || encoding === null ? undefined : encoding;
}

function dataOf(data: unknown, encoding: BufferEncoding | undefined): Uint8Array {
  if (typeof data === 'string') return new Uint8Array(Buffer.from(data, encoding ?? 'utf8'));
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  throw argumentError('data', 'string or an instance of Buffer, TypedArray, or DataView', data);
}

export class Stats {
  readonly dev = 1;
  readonly ino = 0;
  readonly nlink = 1;
  readonly uid = 1000;
  readonly gid = 1000;
  readonly rdev = 0;
  readonly blksize = 4096;
  readonly mode: number;
  readonly size: number;
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;
  readonly #kind: FileState['kind'];

  constructor(state: FileState) {
    this.#kind = state.kind;
    this.mode = (state.kind === 'directory' ? 0o040000 : 0o100000) | state.mode;
    this.size = state.kind === 'directory' ? 4096 : state.size;
    this.blocks = Math.ceil(this.size / 512);
    this.atimeMs = this.mtimeMs = this.ctimeMs = this.birthtimeMs = state.modifiedAtMs;
    this.atime = this.mtime = this.ctime = this.birthtime = new Date(state.modifiedAtMs);
  }

  isFile(): boolean {
    return this.#kind === 'file';
  }
  isDirectory(): boolean {
    return this.#kind === 'directory';
  }
  isSymbolicLink(): boolean {
    return false;
  }
  isFIFO(): boolean {
    return false;
  }
  isSocket(): boolean {
    return false;
  }
  isBlockDevice(): boolean {
    return false;
  }
  isCharacterDevice(): boolean {
    return false;
  }
}

export class Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly path: string;
  readonly #kind: FileState['kind'];

  constructor(name: string, kind: FileState['kind'], parentPath: string) {
    this.name = name;
    this.parentPath = this.path = parentPath;
    this.#kind = kind;
  }

  isFile(): boolean {
    return this.#kind === 'file';
  }
  isDirectory(): boolean {
    return this.#kind === 'directory';
  }
  isSymbolicLink(): boolean {
    return false;
  }
}
