import { Readable, Writable } from 'readable-stream';
import type { EventLoop } from '@/lib/runtime/embedded/node/event-loop';
import type { InputQueue } from '@/lib/runtime/embedded/program-link';
import type { OutputFd } from '@/lib/runtime/embedded/protocol';

type Write = (fd: OutputFd, data: string | Uint8Array) => void;

/** `process.stdout` and `process.stderr`: what is written is sent before the call returns. */
export function createOutputStream(fd: OutputFd, write: Write, loop: EventLoop, terminal: boolean): Writable & { readonly fd: number } {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding, done) {
      write(
        fd,
        typeof chunk === 'string' && encoding !== ('utf8' as string) && encoding !== ('utf-8' as string) && encoding
          ? Buffer.from(chunk, encoding as BufferEncoding)
          : chunk,
      );
      done();
    },
  });
  // The queue of a stream would hold output back while a callback is pending.
  const direct = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof chunk === 'string')
      write(fd, typeof encoding === 'string' && !/^utf-?8$/i.test(encoding) ? Buffer.from(chunk, encoding as BufferEncoding) : chunk);
    else if (chunk instanceof Uint8Array) write(fd, chunk.slice());
    else
      throw Object.assign(new TypeError(`The "chunk" argument must be of type string or an instance of Buffer, TypedArray, or DataView.`), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    if (typeof callback === 'function') loop.timer(() => callback(), 1, false, []);
    return true;
  };
  return Object.assign(stream, { fd, write: direct as typeof stream.write, ...(terminal && { isTTY: true, columns: 80, rows: 24 }) });
}

/** `process.stdin`: asked for only once a program listens, so a program that does not read is not kept alive by it. */
export function createInputStream(input: InputQueue, want: () => void, loop: EventLoop, terminal: boolean): Readable & { readonly fd: number } {
  let asked = false;
  let release: (() => void) | undefined;
  const stream = new Readable({
    read() {
      if (asked) return;
      asked = true;
      release = loop.hold();
      want();
      input.listen((text) =>
        loop.run(() => {
          if (text !== undefined) stream.push(Buffer.from(text));
          else {
            stream.push(null);
            release?.();
          }
        }),
      );
    },
  });
  const pause = stream.pause.bind(stream);
  const resume = stream.resume.bind(stream);
  return Object.assign(stream, {
    fd: 0,
    ...(terminal && { isTTY: true, setRawMode: () => stream }),
    pause() {
      release?.();
      return pause();
    },
    resume() {
      if (asked && !stream.readableEnded) release = loop.hold();
      return resume();
    },
    ref: () => stream,
    unref() {
      release?.();
      return stream;
    },
  });
}
