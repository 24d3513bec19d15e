import EventEmitter from 'events';
import type { Readable, Writable } from 'readable-stream';
import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { SyncFiles } from '@/lib/runtime/embedded/sync-files';
import { EXEC_PATH } from './core/child-process';
import { systemError } from './core/fs-error';
import type { EventLoop } from './event-loop';

/** The Node whose behaviour is followed. */
export const NODE_VERSION = 'v20.20.0';

export interface ProcessOptions {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly pid: number;
  readonly files: SyncFiles;
  readonly loop: EventLoop;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends the worker; never returns. */
  readonly exit: (code: number) => never;
}

/** The global `process` of a program. */
export class NodeProcess extends EventEmitter {
  readonly argv: string[];
  readonly argv0 = 'node';
  readonly execArgv: string[];
  readonly execPath = EXEC_PATH;
  readonly env: Record<string, string>;
  readonly pid: number;
  readonly ppid = 1;
  readonly platform = 'linux';
  readonly arch = 'x64';
  readonly version = NODE_VERSION;
  readonly versions = { node: NODE_VERSION.slice(1), v8: '11.3', modules: '115' };
  readonly release = { name: 'node', lts: 'Iron' };
  readonly features = { inspector: false, typescript: 'transform' };
  readonly config = { variables: {}, target_defaults: {} };
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  title = 'node';
  exitCode: number | string | undefined;
  exiting = false;
  readonly hrtime = Object.assign(
    (since?: readonly [number, number]): [number, number] => {
      const now = performance.now() * 1e6 - (since ? since[0] * 1e9 + since[1] : 0);
      return [Math.floor(now / 1e9), Math.floor(now % 1e9)];
    },
    { bigint: (): bigint => BigInt(Math.round(performance.now() * 1e6)) },
  );
  readonly #options: ProcessOptions;
  #cwd: string;

  constructor(options: ProcessOptions) {
    super();
    this.#options = options;
    this.#cwd = options.cwd;
    this.argv = [EXEC_PATH, ...options.argv];
    this.execArgv = [...options.execArgv];
    // As in Node: every variable is text.
    this.env = new Proxy({ ...options.env } as Record<string, string>, {
      set: (target, name, value) => Reflect.set(target, name, typeof name === 'string' ? String(value) : value),
    });
    this.pid = options.pid;
    this.stdin = options.stdin;
    this.stdout = options.stdout;
    this.stderr = options.stderr;
  }

  cwd = (): string => this.#cwd;

  chdir = (path: string): void => {
    const target = resolveAbsolute(this.#cwd, path);
    const state = this.#options.files.stat(target);
    if (!state) throw systemError('not-found', 'chdir', `${this.#cwd}' -> '${path}`);
    if (state.kind === 'file') throw systemError('not-a-directory', 'chdir', `${this.#cwd}' -> '${path}`);
    this.#cwd = target;
  };

  nextTick = (act: (...args: unknown[]) => void, ...args: unknown[]): void => {
    queueMicrotask(() => this.#options.loop.run(() => act(...args)));
  };

  exit = (code?: number | string): never => {
    if (code !== undefined) this.exitCode = code;
    return this.finish();
  };

  abort = (): never => this.#options.exit(134);

  kill = (pid: number): true => {
    if (pid === this.pid) this.#options.exit(143);
    throw systemError('not-permitted', 'kill');
  };

  /** Ends the program with the exit code that was set. */
  finish(): never {
    const code = Number(this.exitCode ?? 0) & 255;
    if (!this.exiting) {
      this.exiting = true;
      this.emit('exit', code);
    }
    return this.#options.exit(Number(this.exitCode ?? code) & 255);
  }

  uptime = (): number => performance.now() / 1000;
  memoryUsage = Object.assign(() => ({ rss: 5e7, heapTotal: 3e7, heapUsed: 2e7, external: 1e6, arrayBuffers: 1e5 }), { rss: () => 5e7 });
  cpuUsage = (): { user: number; system: number } => ({ user: Math.round(performance.now() * 1000), system: 0 });
  getuid = (): number => 1000;
  geteuid = (): number => 1000;
  getgid = (): number => 1000;
  getegid = (): number => 1000;
  umask = (): number => 0o022;
  emitWarning = (warning: string | Error): void => {
    this.stderr.write(`(node:${this.pid}) ${warning instanceof Error ? `${warning.name}: ${warning.message}` : `Warning: ${warning}`}\n`);
  };
}
