import type { EventLoop } from '@/lib/runtime/embedded/node/event-loop';

type Act = (...args: unknown[]) => void;

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

/** `node:timers`, and the global functions. */
export function createTimers(loop: EventLoop) {
  const clear = (timer?: unknown): void => loop.clear(timer);
  return {
    setTimeout: (act: Act, ms = 1, ...args: unknown[]) => loop.timer(act, ms, false, args),
    setInterval: (act: Act, ms = 1, ...args: unknown[]) => loop.timer(act, ms, true, args),
    setImmediate: (act: Act, ...args: unknown[]) => loop.timer(act, 1, false, args),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}

/** `node:timers/promises`. */
export function createTimerPromises(loop: EventLoop) {
  const wait = <T>(ms = 1, value?: T, options: WaitOptions = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal?.aborted) return reject(abortError(signal));
      const timer = loop.timer(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve(value as T);
        },
        ms,
        false,
        [],
      );
      if (options.ref === false) timer.unref();
      const stop = (): void => {
        timer.close();
        reject(abortError(signal as AbortSignal));
      };
      signal?.addEventListener('abort', stop);
    });
  return {
    setTimeout: wait,
    setImmediate: <T>(value?: T, options?: WaitOptions) => wait(1, value, options),
    async *setInterval<T>(ms = 1, value?: T, options?: WaitOptions): AsyncGenerator<T> {
      for (;;) yield await wait(ms, value as T, options);
    },
    scheduler: { wait: (ms: number, options?: WaitOptions) => wait(ms, undefined, options), yield: () => wait(1) },
  };
}

function abortError(signal: AbortSignal): Error {
  return Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' });
}
