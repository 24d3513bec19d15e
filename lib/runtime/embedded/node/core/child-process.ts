import EventEmitter from 'events';
import { Readable, Writable } from 'readable-stream';
import type { EventLoop } from '@/lib/runtime/embedded/node/event-loop';
import type { SyncHost } from '@/lib/runtime/embedded/node/program-files';
import type { ProgramLink } from '@/lib/runtime/embedded/program-link';
import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import type { CollectedRun, OutputFd, StartRequest } from '@/lib/runtime/embedded/protocol';
import { decodeUtf8, encodeUtf8 } from '@/lib/shared/bytes';

interface ChildOptions {
  readonly cwd?: string | URL;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  readonly encoding?: BufferEncoding | 'buffer';
  readonly stdio?: string | readonly (string | null | undefined)[];
  readonly shell?: boolean | string;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}
type Done = (error: Error | null, stdout: string | Buffer, stderr: string | Buffer) => void;

export interface ChildHost {
  readonly link: ProgramLink;
  readonly loop: EventLoop;
  readonly ask: SyncHost['ask'];
  readonly cwd: () => string;
  readonly env: () => Readonly<Record<string, string | undefined>>;
  readonly write: (fd: OutputFd, data: Uint8Array | string) => void;
}

/** `node:child_process`, as far as shells and node programs go. The synchronous functions need shared memory. */
export function createChildProcess(host: ChildHost) {
  const requestOf = (command: string, args: readonly string[], options: ChildOptions): StartRequest => {
    const inShell = options.shell === true || typeof options.shell === 'string';
    return {
      command: inShell ? 'sh' : isNode(command) ? 'node' : command,
      args: inShell ? ['-c', [command, ...args].join(' ')] : args,
      cwd: resolveAbsolute(host.cwd(), options.cwd instanceof URL ? decodeURIComponent(options.cwd.pathname) : (options.cwd ?? '')),
      env: Object.fromEntries(Object.entries(options.env ?? host.env()).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    };
  };
  const stdioOf = (options: ChildOptions, at: 0 | 1 | 2): string => (typeof options.stdio === 'string' ? options.stdio : (options.stdio?.[at] ?? 'pipe'));

  const spawnSync = (command: string, argsOrOptions?: readonly string[] | ChildOptions, given?: ChildOptions) => {
    const args = Array.isArray(argsOrOptions) ? (argsOrOptions as readonly string[]) : [];
    const options = given ?? (Array.isArray(argsOrOptions) ? {} : ((argsOrOptions as ChildOptions | undefined) ?? {}));
    if (!host.ask)
      throw Object.assign(
        new Error('ENOSYS: this page has no shared memory, so a program cannot wait for another; use the functions with callbacks or promises'),
        { code: 'ENOSYS', syscall: `spawnSync ${command}` },
      );
    const input = typeof options.input === 'string' || options.input === undefined ? (options.input ?? '') : decodeUtf8(options.input);
    const run = host.ask({
      kind: 'run',
      request: requestOf(command, args, options),
      input,
      ...(options.timeout && { timeoutMs: options.timeout }),
    }) as CollectedRun & { readonly timedOut: boolean };
    if (stdioOf(options, 1) === 'inherit') host.write(1, run.stdout);
    if (stdioOf(options, 2) === 'inherit') host.write(2, run.stderr);
    const show = (bytes: Uint8Array, at: 1 | 2): Buffer | string | null => {
      if (stdioOf(options, at) !== 'pipe') return null;
      const buffer = Buffer.from(bytes);
      return options.encoding && options.encoding !== 'buffer' ? buffer.toString(options.encoding) : buffer;
    };
    const stdout = show(run.stdout, 1);
    const stderr = show(run.stderr, 2);
    const missing = run.code === 127 && !options.shell && command !== 'sh' && command !== 'bash';
    const error = run.timedOut
      ? Object.assign(new Error(`spawnSync ${command} ETIMEDOUT`), { code: 'ETIMEDOUT' })
      : missing
        ? Object.assign(new Error(`spawnSync ${command} ENOENT`), { code: 'ENOENT', errno: -2, syscall: `spawnSync ${command}`, path: command })
        : undefined;
    return {
      pid: 0,
      status: run.timedOut || missing ? null : run.code,
      signal: run.timedOut ? 'SIGTERM' : null,
      stdout,
      stderr,
      output: [null, stdout, stderr],
      ...(error && { error }),
      rawStderr: run.stderr,
    };
  };

  const checked = (shown: string, run: ReturnType<typeof spawnSync>, options: ChildOptions): Buffer | string | null => {
    if (options.stdio === undefined && run.rawStderr.length > 0) host.write(2, run.rawStderr);
    if (run.error) throw run.error;
    if (run.status === 0) return run.stdout;
    const said = run.stderr === null ? '' : String(run.stderr);
    throw Object.assign(new Error(`Command failed: ${shown}${said === '' ? '' : `\n${said}`}`), run);
  };

  const spawn = (command: string, argsOrOptions?: readonly string[] | ChildOptions, given?: ChildOptions): ChildProcess => {
    const args = Array.isArray(argsOrOptions) ? (argsOrOptions as readonly string[]) : [];
    const options = given ?? (Array.isArray(argsOrOptions) ? {} : ((argsOrOptions as ChildOptions | undefined) ?? {}));
    return new ChildProcess(
      host,
      command,
      args,
      requestOf(command, args, options),
      [stdioOf(options, 0), stdioOf(options, 1), stdioOf(options, 2)],
      options.shell ? undefined : command,
      options.signal,
    );
  };

  const collect = (child: ChildProcess, shown: string, options: ChildOptions, done: Done | undefined): ChildProcess => {
    const parts: Record<OutputFd, Uint8Array[]> = { 1: [], 2: [] };
    child.stdout?.on('data', (chunk: Uint8Array) => parts[1].push(chunk));
    child.stderr?.on('data', (chunk: Uint8Array) => parts[2].push(chunk));
    let failed: Error | undefined;
    child.on('error', (error: Error) => {
      failed = error;
    });
    const timer = options.timeout ? host.loop.timer(() => child.kill(), options.timeout, false, []) : undefined;
    child.on('close', (code: number | null, signal: string | null) => {
      timer?.close();
      const text = (fd: OutputFd): string | Buffer =>
        options.encoding === 'buffer' ? Buffer.concat(parts[fd]) : Buffer.concat(parts[fd]).toString(options.encoding ?? 'utf8');
      const [stdout, stderr] = [text(1), text(2)];
      const error =
        failed ??
        (code === 0
          ? null
          : Object.assign(new Error(`Command failed: ${shown}\n${String(stderr)}`), { code, killed: signal !== null, signal, cmd: shown, stdout, stderr }));
      done?.(error, stdout, stderr);
    });
    return child;
  };
  const exec = (command: string, options?: ChildOptions | Done, done?: Done): ChildProcess => {
    const settings = typeof options === 'object' ? options : {};
    return collect(spawn(command, [], { ...settings, shell: true }), command, settings, typeof options === 'function' ? options : done);
  };
  const execFile = (file: string, args?: readonly string[] | ChildOptions | Done, options?: ChildOptions | Done, done?: Done): ChildProcess => {
    const words = Array.isArray(args) ? (args as readonly string[]) : [];
    const settings = [args, options].find((one): one is ChildOptions => typeof one === 'object' && one !== null && !Array.isArray(one)) ?? {};
    const callback = [args, options, done].find((one): one is Done => typeof one === 'function');
    return collect(spawn(file, words, settings), [file, ...words].join(' '), settings, callback);
  };
  const asPromise = (start: (done: Done) => ChildProcess): Promise<{ stdout: string | Buffer; stderr: string | Buffer }> =>
    new Promise((resolve, reject) => start((error, stdout, stderr) => (error ? reject(error) : resolve({ stdout, stderr }))));
  const custom = Symbol.for('nodejs.util.promisify.custom');
  Object.assign(exec, { [custom]: (command: string, options: ChildOptions = {}) => asPromise((done) => exec(command, options, done)) });
  Object.assign(execFile, {
    [custom]: (file: string, args: readonly string[] = [], options: ChildOptions = {}) => asPromise((done) => execFile(file, args, options, done)),
  });

  return {
    ChildProcess,
    spawn,
    exec,
    execFile,
    fork: (file: string, args: readonly string[] = [], options: ChildOptions = {}) => spawn('node', [file, ...args], options),
    spawnSync(command: string, args?: readonly string[] | ChildOptions, options?: ChildOptions) {
      const { rawStderr: _raw, ...run } = spawnSync(command, args, options);
      return run;
    },
    execSync: (command: string, options: ChildOptions = {}) => checked(command, spawnSync(command, [], { ...options, shell: true }), options),
    execFileSync(file: string, args: readonly string[] | ChildOptions = [], options: ChildOptions = {}) {
      const words = Array.isArray(args) ? (args as readonly string[]) : [];
      const settings = Array.isArray(args) ? options : (args as ChildOptions);
      return checked([file, ...words].join(' '), spawnSync(file, words, settings), settings);
    },
  };
}

/** A running child. */
class ChildProcess extends EventEmitter {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly spawnargs: readonly string[];
  readonly spawnfile: string;
  readonly pid: number;
  exitCode: number | null = null;
  signalCode: string | null = null;
  killed = false;
  readonly #kill: () => void;

  constructor(
    host: ChildHost,
    command: string,
    args: readonly string[],
    request: StartRequest,
    stdio: readonly [string, string, string],
    mustExist: string | undefined,
    signal?: AbortSignal,
  ) {
    super();
    this.spawnfile = command;
    this.spawnargs = [command, ...args];
    const readable = (kind: string): Readable | null => (kind === 'pipe' ? new Readable({ read: () => undefined }) : null);
    this.stdout = readable(stdio[1]);
    this.stderr = readable(stdio[2]);
    const release = host.loop.hold();
    const child = host.link.start(request, {
      live: { output: false, input: false },
      onOutput: (fd, data) => {
        const bytes = typeof data === 'string' ? encodeUtf8(data) : data;
        const stream = fd === 1 ? this.stdout : this.stderr;
        if (stream) host.loop.run(() => void stream.push(Buffer.from(bytes)));
        else if (stdio[fd] === 'inherit') host.write(fd, bytes);
      },
    });
    this.pid = ++lastPid;
    this.#kill = child.kill;
    this.stdin =
      stdio[0] === 'pipe'
        ? new Writable({
            write(chunk: Uint8Array, _encoding, done) {
              child.input(decodeUtf8(chunk));
              done();
            },
            final(done) {
              child.endInput();
              done();
            },
          })
        : null;
    if (!this.stdin) child.endInput();
    signal?.addEventListener('abort', () => this.kill());
    void child.exit.then((code) =>
      host.loop.run(() => {
        this.stdout?.push(null);
        this.stderr?.push(null);
        this.signalCode = this.killed ? 'SIGTERM' : null;
        this.exitCode = this.killed ? null : code;
        if (code === 127 && mustExist !== undefined && mustExist !== 'sh' && mustExist !== 'bash')
          this.emit(
            'error',
            Object.assign(new Error(`spawn ${mustExist} ENOENT`), { code: 'ENOENT', errno: -2, syscall: `spawn ${mustExist}`, path: mustExist }),
          );
        this.emit('exit', this.exitCode, this.signalCode);
        // 'close' comes once the streams were read to their end.
        host.loop.timer(
          () => {
            this.emit('close', this.exitCode, this.signalCode);
            release();
          },
          1,
          false,
          [],
        );
      }),
    );
  }

  kill(): boolean {
    if (this.exitCode !== null || this.killed) return false;
    this.killed = true;
    this.#kill();
    return true;
  }

  ref(): void {}
  unref(): void {}
}

let lastPid = 10_000;

function isNode(command: string): boolean {
  return command === 'node' || command === EXEC_PATH;
}

/** Source: where Node stands on most Linux machines. */
export const EXEC_PATH = '/usr/local/bin/node';
