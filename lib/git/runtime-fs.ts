import type { FileStat, RuntimeFileSystem } from '@/lib/contracts/runtime';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { codeOf, messageOf } from '@/lib/shared/coded-error';

/** Our codes as the errors of POSIX that git's library looks for. */
const POSIX: Readonly<Record<string, string>> = {
  'not-found': 'ENOENT',
  'already-exists': 'EEXIST',
  'is-directory': 'EISDIR',
  'not-a-directory': 'ENOTDIR',
  'not-empty': 'ENOTEMPTY',
};

const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;

/** What git's library needs to know of one path. */
interface GitStat {
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly dev: number;
  readonly uid: number;
  readonly gid: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The file client of isomorphic-git (`{ promises }`). */
export interface GitFileClient {
  readonly promises: {
    readFile(path: string, options?: unknown): Promise<Uint8Array | string>;
    writeFile(path: string, data: Uint8Array | string): Promise<void>;
    unlink(path: string): Promise<void>;
    readdir(path: string): Promise<readonly string[]>;
    mkdir(path: string): Promise<void>;
    rmdir(path: string): Promise<void>;
    stat(path: string): Promise<GitStat>;
    lstat(path: string): Promise<GitStat>;
    readlink(path: string): Promise<string>;
    symlink(): Promise<void>;
  };
}

/**
 * The files of a runtime as isomorphic-git wants them: `/` is the workspace's root, failures carry POSIX codes.
 * There are no links and no executable bits, so every file has mode 100644. A file's `ino` is a hash of its content: two
 * writes in one millisecond leave equal times, and the index would not see the second.
 */
export function createGitFiles(fs: RuntimeFileSystem): GitFileClient {
  const at = (path: string) => path.replace(/^\/+/, '');
  const stat = async (path: string) => {
    const found = await posix(fs.stat(at(path)));
    if (found === undefined) throw posixError('ENOENT', `there is no ${path}`);
    return describe(found, found.kind === 'file' && !isGitOwn(at(path)) ? contentNumber(await posix(fs.readFile(at(path)))) : 0);
  };
  return {
    promises: {
      async readFile(path, options) {
        const bytes = await posix(fs.readFile(at(path)));
        return wantsText(options) ? decodeUtf8(bytes) : bytes;
      },
      writeFile: (path, data) => posix(fs.writeFile(at(path), data)),
      unlink: (path) => posix(fs.rm(at(path))),
      async readdir(path) {
        return (await posix(fs.readdir(at(path)))).map((entry) => entry.name);
      },
      async mkdir(path) {
        // The library makes parents itself, driven by ENOENT and EEXIST.
        if ((await posix(fs.stat(at(path)))) !== undefined) throw posixError('EEXIST', `${path} is there already`);
        await posix(fs.mkdir(at(path)));
      },
      async rmdir(path) {
        if ((await posix(fs.readdir(at(path)))).length > 0) throw posixError('ENOTEMPTY', `${path} is not empty`);
        await posix(fs.rm(at(path), { recursive: true }));
      },
      stat,
      lstat: stat,
      readlink: (path) => Promise.reject(posixError('EINVAL', `${path} is no link`)),
      symlink: () => Promise.reject(posixError('ENOSYS', 'this workspace has no links')),
    },
  };
}

function isGitOwn(path: string): boolean {
  return path === '.git' || path.startsWith('.git/');
}

/** 32 bits of FNV-1a. */
function contentNumber(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function describe({ kind, size, modifiedAtMs }: FileStat, ino: number): GitStat {
  return {
    mode: kind === 'file' ? FILE_MODE : FOLDER_MODE,
    size,
    mtimeMs: modifiedAtMs,
    ctimeMs: modifiedAtMs,
    ino,
    dev: 0,
    uid: 0,
    gid: 0,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'directory',
    isSymbolicLink: () => false,
  };
}

function wantsText(options: unknown): boolean {
  if (typeof options === 'string') return true;
  return typeof options === 'object' && options !== null && 'encoding' in options && typeof options.encoding === 'string';
}

async function posix<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const code = POSIX[codeOf(error) ?? ''];
    throw code === undefined ? error : posixError(code, messageOf(error), error);
  }
}

function posixError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(`${code}: ${message}`, { cause }), { code });
}
