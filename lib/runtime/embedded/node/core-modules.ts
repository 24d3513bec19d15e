import { Buffer } from 'buffer';
import EventEmitter from 'events';
import path from 'path-browserify';
import streams from 'readable-stream';
import type { ProgramLink } from '@/lib/runtime/embedded/program-link';
import type { OutputChunk, OutputFd } from '@/lib/runtime/embedded/protocol';
import { createAssert } from './core/assert';
import { createChildProcess } from './core/child-process';
import { cryptoModule } from './core/crypto';
import { createSyncFs, type SyncFs } from './core/fs';
import { createFullFs } from './core/full-fs';
import { osModule } from './core/os';
import { readlineModule } from './core/readline';
import { createTimerPromises, createTimers } from './core/timers';
import { urlModule } from './core/url';
import { utilModule } from './core/utilities';
import type { EventLoop } from './event-loop';
import type { ModuleLoader } from './module-loader';
import type { NodeProcess } from './node-process';
import type { SyncHost } from './program-files';
import type { TestModule } from './test/test-module';

export interface CoreHost {
  readonly sync: SyncHost;
  readonly loop: EventLoop;
  readonly link: ProgramLink;
  readonly process: () => NodeProcess;
  readonly loader: () => ModuleLoader;
  readonly write: (fd: OutputFd, data: OutputChunk) => void;
  readonly readInput: () => Uint8Array;
  readonly test: () => TestModule;
  readonly console: object;
}

/** The core modules of Node that programs have here, made when they are first asked for. */
export class CoreModules {
  readonly fs: SyncFs;
  readonly #makers: Readonly<Record<string, () => unknown>>;
  readonly #made = new Map<string, unknown>();

  constructor(host: CoreHost) {
    this.fs = createSyncFs({ files: host.sync.files, loop: host.loop, cwd: () => host.process().cwd(), readInput: host.readInput, writeOutput: host.write });
    const posix = { ...path, toNamespacedPath: (text: string) => text };
    const resolve = path.resolve;
    // The library asks a global process for the folder; programs each have their own.
    const paths = {
      ...posix,
      resolve: (...parts: string[]) => resolve(host.process().cwd(), ...parts),
      relative: (from: string, to: string) => path.relative(resolve(host.process().cwd(), from), resolve(host.process().cwd(), to)),
    };
    Object.assign(paths, { posix: paths, win32: paths });
    const self = (name: string): unknown => this.get(name);
    this.#makers = {
      assert: () => Object.assign(createAssert(false), { strict: self('assert/strict') }),
      'assert/strict': () => {
        const strict = createAssert(true);
        return Object.assign(strict, { strict });
      },
      buffer: () => ({
        Buffer,
        SlowBuffer: Buffer,
        Blob,
        atob,
        btoa,
        constants: { MAX_LENGTH: 2 ** 32, MAX_STRING_LENGTH: 2 ** 29 - 24 },
        kMaxLength: 2 ** 32,
      }),
      child_process: () =>
        createChildProcess({
          link: host.link,
          loop: host.loop,
          ask: host.sync.ask,
          cwd: () => host.process().cwd(),
          env: () => host.process().env,
          write: host.write,
        }),
      console: () => host.console,
      constants: () => (self('fs') as { constants: object }).constants,
      crypto: () => cryptoModule,
      events: () =>
        Object.assign(named({ EventEmitter }).EventEmitter, {
          EventEmitter,
          errorMonitor: Symbol.for('events.errorMonitor'),
          setMaxListeners: () => undefined,
        }),
      fs: () => createFullFs(this.fs, host.loop),
      'fs/promises': () => (self('fs') as { promises: unknown }).promises,
      module: () => ({
        createRequire: (from: string | URL) => host.loader().createRequire(String(from).replace(/^file:\/\//, '')),
        builtinModules: this.names(),
        isBuiltin: (name: string) => this.has(name.replace(/^node:/, '')),
      }),
      os: () => osModule,
      path: () => paths,
      'path/posix': () => paths,
      perf_hooks: () => ({ performance, PerformanceObserver: globalThis.PerformanceObserver }),
      process: () => host.process(),
      querystring: () => ({
        parse: (text: string) => Object.fromEntries(new URLSearchParams(text)),
        stringify: (value: Record<string, string>) => new URLSearchParams(value).toString(),
        escape: encodeURIComponent,
        unescape: decodeURIComponent,
      }),
      readline: () => readlineModule,
      'readline/promises': () => readlineModule.promises,
      stream: () => named(streams),
      'stream/promises': () => streams.promises,
      string_decoder: () => ({ StringDecoder }),
      test: () => host.test(),
      timers: () => createTimers(host.loop),
      'timers/promises': () => createTimerPromises(host.loop),
      tty: () => ({ isatty: () => false }),
      url: () => urlModule,
      util: () => utilModule,
      'util/types': () => utilModule.types,
      worker_threads: () => ({ isMainThread: true, parentPort: null, workerData: null, threadId: 0 }),
    };
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#makers, name) || ABSENT.has(name);
  }

  names(): string[] {
    return Object.keys(this.#makers);
  }

  /** Fails with a message that says what there is, for a core module of Node that programs do not have here. */
  get(name: string): unknown {
    if (this.#made.has(name)) return this.#made.get(name);
    const make = Object.hasOwn(this.#makers, name) ? this.#makers[name] : undefined;
    if (!make) {
      if (!ABSENT.has(name)) return undefined;
      throw Object.assign(new Error(`node:${name} is not available in this runtime. There are: ${this.names().join(', ')}.`), {
        code: 'ERR_UNKNOWN_BUILTIN_MODULE',
      });
    }
    const made = make();
    this.#made.set(name, made);
    return made;
  }
}

const ABSENT: ReadonlySet<string> = new Set([
  'async_hooks',
  'cluster',
  'dgram',
  'diagnostics_channel',
  'dns',
  'domain',
  'http',
  'http2',
  'https',
  'inspector',
  'net',
  'punycode',
  'repl',
  'tls',
  'trace_events',
  'v8',
  'vm',
  'wasi',
  'zlib',
]);

/** Gives classes their own names back, which the bundler may have changed. */
function named<T extends object>(classes: T): T {
  for (const [name, value] of Object.entries(classes))
    if (typeof value === 'function' && /^[A-Z]/.test(name)) Object.defineProperty(value, 'name', { value: name, configurable: true });
  return classes;
}

/** Bytes into text, a character that is cut kept for the next call. */
class StringDecoder {
  readonly encoding: string;
  readonly #decoder: TextDecoder;

  constructor(encoding = 'utf8') {
    this.encoding = encoding;
    this.#decoder = new TextDecoder(/^utf-?8$/i.test(encoding) ? 'utf-8' : encoding, { ignoreBOM: true });
  }
  write(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes, { stream: true });
  }
  end(bytes?: Uint8Array): string {
    return (bytes ? this.write(bytes) : '') + this.#decoder.decode();
  }
}
