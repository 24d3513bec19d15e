import type { BufferEncoding, CpOptions, FileContent, FsStat, IFileSystem, MkdirOptions, RmOptions } from 'just-bash/browser';
import type { DirectoryEntry } from '@/lib/contracts/runtime';
import type { ProgramLink } from '@/lib/runtime/embedded/program-link';
import { resolveAbsolute, SCRATCH_ROOT, WORKSPACE_ROOT } from '@/lib/runtime/embedded/program-path';
import type { FileCall, FileState } from '@/lib/runtime/embedded/sync-files';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { cleanText, TARGET_MARK } from './redirect-targets';

/** What is written here goes to the program's output at once, see `stream-output`. */
export const OUTPUT_PATHS = { 1: '/dev/gatehouse/1', 2: '/dev/gatehouse/2' } as const;
/** Reading here waits for the end of the program's input, or for its next line. */
export const INPUT_PATH = '/dev/gatehouse/0';
export const INPUT_LINE_PATH = '/dev/gatehouse/line';

const HOOKS = new Set<string>([OUTPUT_PATHS[1], OUTPUT_PATHS[2], INPUT_PATH, INPUT_LINE_PATH]);
const DEVICES = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero', '/dev/full']);
const EPOCH = new Date(0);
const NOTHING = new Uint8Array(0);

/** POSIX names of our codes: the shell's commands look for them in messages. */
const POSIX: Readonly<Record<string, string>> = {
  'not-found': 'ENOENT: no such file or directory',
  'is-directory': 'EISDIR: illegal operation on a directory',
  'not-a-directory': 'ENOTDIR: not a directory',
  'not-empty': 'ENOTEMPTY: directory not empty',
  'already-exists': 'EEXIST: file already exists',
  'path-escape': 'EACCES: permission denied',
};

/** The engine's files as the shell's file system, each operation one message there and back. */
export class ShellFiles implements IFileSystem {
  readonly #link: ProgramLink;
  #refusal = 'No such file or directory';

  constructor(link: ProgramLink) {
    this.#link = link;
  }

  async readFile(path: string, options?: { encoding?: BufferEncoding | null } | BufferEncoding): Promise<string> {
    const encoding = typeof options === 'string' ? options : (options?.encoding ?? 'utf8');
    const bytes = await this.readFileBuffer(path);
    if (encoding === 'utf8' || encoding === 'utf-8') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return Buffer.from(bytes).toString(encoding);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const at = normal(path);
    if (at === INPUT_PATH || at === '/dev/stdin' || at === '/dev/tty') return encodeUtf8(await this.#link.input.rest());
    if (at === INPUT_LINE_PATH) return encodeUtf8(await this.#link.input.line());
    if (DEVICES.has(at) || HOOKS.has(at)) return NOTHING;
    return (await this.#do({ op: 'readFile', args: [at] }, 'open')) as Uint8Array;
  }

  async writeFile(path: string, content: FileContent, options?: { encoding?: BufferEncoding } | BufferEncoding): Promise<void> {
    await this.#put('writeFile', path, content, options);
  }

  async appendFile(path: string, content: FileContent, options?: { encoding?: BufferEncoding } | BufferEncoding): Promise<void> {
    await this.#put('appendFile', path, content, options);
  }

  /** Also asked for a redirection target before it is opened: a refusal then is thrown, which the shell turns into the command's failure. */
  async exists(path: string): Promise<boolean> {
    const at = normal(path);
    if (path.startsWith(TARGET_MARK)) await this.#assertTarget(at);
    if (DEVICES.has(at) || HOOKS.has(at) || at === '/dev') return true;
    return (await this.#state(at)) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    const at = normal(path);
    if (DEVICES.has(at) || HOOKS.has(at)) return { isFile: true, isDirectory: false, isSymbolicLink: false, mode: 0o666, size: 0, mtime: EPOCH };
    if (at === '/dev') return { isFile: false, isDirectory: true, isSymbolicLink: false, mode: 0o755, size: 0, mtime: EPOCH };
    const state = await this.#state(at);
    if (!state) throw new Error(`${POSIX['not-found']}, stat '${path}'`);
    const isDirectory = state.kind === 'directory';
    return { isFile: !isDirectory, isDirectory, isSymbolicLink: false, mode: state.mode, size: state.size, mtime: new Date(state.modifiedAtMs) };
  }

  lstat(path: string): Promise<FsStat> {
    return this.stat(path);
  }

  async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    await this.#do({ op: 'mkdir', args: [normal(path), options?.recursive ?? false] }, 'mkdir');
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map((entry) => entry.name);
  }

  async readdirWithFileTypes(path: string): Promise<{ name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean }[]> {
    const at = normal(path);
    if (at === '/dev') return [...DEVICES].map((device) => ({ name: device.slice(5), isFile: true, isDirectory: false, isSymbolicLink: false }));
    const entries = (await this.#do({ op: 'readdir', args: [at] }, 'scandir')) as readonly DirectoryEntry[];
    return entries.map(({ name, kind }) => ({ name, isFile: kind === 'file', isDirectory: kind === 'directory', isSymbolicLink: false }));
  }

  async rm(path: string, options?: RmOptions): Promise<void> {
    await this.#do({ op: 'rm', args: [normal(path), { recursive: options?.recursive ?? false, force: options?.force ?? false }] }, 'rm');
  }

  async cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    const stat = await this.stat(src);
    if (!stat.isDirectory) return this.writeFile(dest, await this.readFileBuffer(src));
    if (!options?.recursive) throw new Error(`${POSIX['is-directory']}, cp '${src}'`);
    await this.mkdir(dest, { recursive: true });
    for (const name of await this.readdir(src)) await this.cp(`${normal(src)}/${name}`, `${normal(dest)}/${name}`, options);
  }

  async mv(src: string, dest: string): Promise<void> {
    await this.#do({ op: 'rename', args: [normal(src), normal(dest)] }, 'rename');
  }

  resolvePath(base: string, path: string): string {
    return path.startsWith(TARGET_MARK) ? TARGET_MARK.slice(0, -1) + resolveAbsolute(base, path.slice(TARGET_MARK.length)) : resolveAbsolute(base, path);
  }

  /** What the shell says, as a person should read it. */
  clean(text: string): string {
    return cleanText(text, this.#refusal);
  }

  async #assertTarget(path: string): Promise<void> {
    if (DEVICES.has(path) || HOOKS.has(path)) return;
    const parent = await this.#state(path.slice(0, path.lastIndexOf('/')) || '/');
    this.#refusal = !parent ? 'No such file or directory' : parent.kind === 'file' ? 'Not a directory' : 'Permission denied';
    const isOurs = path.startsWith(`${WORKSPACE_ROOT}/`) || path.startsWith(`${SCRATCH_ROOT}/`);
    if (parent?.kind !== 'directory' || !isOurs) throw new Error(this.#refusal);
  }

  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    await this.#do({ op: 'chmod', args: [normal(path), mode] }, 'chmod');
  }

  async symlink(_target: string, linkPath: string): Promise<void> {
    throw new Error(`EPERM: symbolic links are not supported here, symlink '${linkPath}'`);
  }

  async link(existingPath: string, newPath: string): Promise<void> {
    throw new Error(`EPERM: hard links are not supported here, link '${existingPath}' -> '${newPath}'`);
  }

  async readlink(path: string): Promise<string> {
    throw new Error(`EINVAL: invalid argument, readlink '${path}'`);
  }

  async realpath(path: string): Promise<string> {
    const at = normal(path);
    if (!(await this.exists(at))) throw new Error(`${POSIX['not-found']}, realpath '${path}'`);
    return at;
  }

  async utimes(path: string, _atime: Date, mtime: Date): Promise<void> {
    await this.#do({ op: 'utimes', args: [normal(path), mtime.getTime()] }, 'utime');
  }

  async #state(path: string): Promise<FileState | undefined> {
    return (await this.#do({ op: 'stat', args: [path] }, 'stat')) as FileState | undefined;
  }

  async #put(op: 'writeFile' | 'appendFile', path: string, content: FileContent, options?: { encoding?: BufferEncoding } | BufferEncoding): Promise<void> {
    const at = normal(path);
    const bytes = bytesOf(typeof content === 'string' ? this.clean(content) : content, typeof options === 'string' ? options : options?.encoding);
    if (at === OUTPUT_PATHS[1] || at === '/dev/stdout' || at === '/dev/tty') return this.#link.output(1, bytes);
    if (at === OUTPUT_PATHS[2] || at === '/dev/stderr') return this.#link.output(2, bytes);
    if (DEVICES.has(at) || HOOKS.has(at)) return;
    await this.#do({ op, args: [at, bytes] }, 'open');
  }

  async #do(call: FileCall, verb: string): Promise<unknown> {
    try {
      return await this.#link.file(call);
    } catch (error) {
      const code = codeOf(error);
      const posix = code === undefined ? undefined : POSIX[code];
      throw new Error(posix ? `${posix}, ${verb} '${call.args[0]}'` : messageOf(error));
    }
  }
}

/** The output bytes of a command's result, whose text may hold one byte a character. */
export function bytesOf(content: FileContent, encoding?: string): Uint8Array {
  if (typeof content !== 'string') return content;
  if (encoding === undefined || encoding === 'utf8' || encoding === 'utf-8') return encodeUtf8(content);
  return new Uint8Array(Buffer.from(content, encoding as BufferEncoding));
}

/** The text of UTF-8 bytes held one byte a character. */
export function textOfByteString(bytes: string): string {
  return decodeUtf8(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

function normal(path: string): string {
  return resolveAbsolute('/', path.startsWith(TARGET_MARK) ? path.slice(TARGET_MARK.length) : path);
}
