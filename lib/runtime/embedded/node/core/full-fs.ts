import { Readable, Writable } from 'readable-stream';
import type { EventLoop } from '@/lib/runtime/embedded/node/event-loop';
import { Dirent, Stats, type SyncFs } from './fs';
import { constants } from './fs-constants';

type Anything = (...args: unknown[]) => unknown;

/** `node:fs` with callbacks, promises and streams, all over the synchronous functions. */
export function createFullFs(sync: SyncFs, loop: EventLoop) {
  const callbacks: Record<string, Anything> = {};
  const promises: Record<string, unknown> = { constants };
  for (const [name, act] of Object.entries(sync) as [string, Anything][]) {
    const plain = name.slice(0, -'Sync'.length);
    callbacks[plain] = (...args) => {
      const done = args.pop();
      if (typeof done !== 'function')
        throw Object.assign(new TypeError('The "cb" argument must be of type function. Received undefined'), { code: 'ERR_INVALID_ARG_TYPE' });
      let outcome: unknown[];
      try {
        outcome = [null, act(...args)];
      } catch (error) {
        outcome = [error];
      }
      loop.timer(() => done(...outcome), 1, false, []);
    };
    promises[plain] = async (...args: unknown[]) => act(...args);
  }
  callbacks.exists = (path, done) => loop.timer(() => (done as Anything)(sync.existsSync(path as string)), 1, false, []);
  promises.open = async (path: string, flags?: string) => new FileHandle(sync, sync.openSync(path, flags));
  const notWatched = (): never => {
    throw Object.assign(new Error('ENOSYS: watching files is not available to programs in this runtime'), { code: 'ENOSYS' });
  };
  return {
    ...sync,
    ...callbacks,
    promises,
    constants,
    Stats,
    Dirent,
    F_OK: constants.F_OK,
    R_OK: constants.R_OK,
    W_OK: constants.W_OK,
    X_OK: constants.X_OK,
    watch: notWatched,
    watchFile: notWatched,
    unwatchFile: () => undefined,
    createReadStream(
      path: string,
      options?: BufferEncoding | { readonly encoding?: BufferEncoding; readonly start?: number; readonly end?: number; readonly highWaterMark?: number },
    ) {
      const settings = typeof options === 'string' ? { encoding: options } : (options ?? {});
      let bytes: Buffer | undefined;
      let at = 0;
      return Object.assign(
        new Readable({
          highWaterMark: settings.highWaterMark ?? 65_536,
          ...(settings.encoding && { encoding: settings.encoding }),
          read(size) {
            try {
              bytes ??= (sync.readFileSync(path) as Buffer).subarray(settings.start ?? 0, settings.end === undefined ? undefined : settings.end + 1);
            } catch (error) {
              this.destroy(error as Error);
              return;
            }
            if (at >= bytes.length) this.push(null);
            else this.push(bytes.subarray(at, at + size));
            at += size;
          },
        }),
        { path },
      );
    },
    createWriteStream(path: string, options?: BufferEncoding | { readonly flags?: string }) {
      const flags = typeof options === 'object' ? (options.flags ?? 'w') : 'w';
      let fd: number | undefined;
      const opened = (): number => {
        fd ??= sync.openSync(path, flags);
        return fd;
      };
      const attempt = (act: () => void, done: (error?: Error | null) => void): void => {
        try {
          act();
          done();
        } catch (error) {
          done(error as Error);
        }
      };
      const stream = Object.assign(
        new Writable({
          write: (chunk, _encoding, done) => attempt(() => void sync.writeSync(opened(), chunk), done),
          final: (done) => attempt(() => sync.closeSync(opened()), done),
        }),
        { path, bytesWritten: 0 },
      );
      return stream;
    },
  };
}

/** What `fs.promises.open` answers. */
class FileHandle {
  readonly fd: number;
  readonly #sync: SyncFs;

  constructor(sync: SyncFs, fd: number) {
    this.#sync = sync;
    this.fd = fd;
  }

  async readFile(options?: BufferEncoding | { readonly encoding?: BufferEncoding }): Promise<Buffer | string> {
    return this.#sync.readFileSync(this.fd, options);
  }
  async writeFile(data: unknown): Promise<void> {
    this.#sync.writeSync(this.fd, data);
  }
  async appendFile(data: unknown): Promise<void> {
    this.#sync.writeSync(this.fd, data);
  }
  async read(buffer: Uint8Array, offset?: number, length?: number, position?: number | null): Promise<{ bytesRead: number; buffer: Uint8Array }> {
    return { bytesRead: this.#sync.readSync(this.fd, buffer, offset, length, position), buffer };
  }
  async write(data: unknown, position?: number): Promise<{ bytesWritten: number; buffer: unknown }> {
    return { bytesWritten: this.#sync.writeSync(this.fd, data, position), buffer: data };
  }
  async stat(): Promise<Stats> {
    return this.#sync.fstatSync(this.fd);
  }
  async close(): Promise<void> {
    this.#sync.closeSync(this.fd);
  }
  async *readLines(): AsyncGenerator<string> {
    yield* String(await this.readFile('utf8'))
      .replace(/\n$/, '')
      .split('\n');
  }
}
