export type Watched<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'aborted' };

export interface WatchPorts {
  /** Settles after `ms`; when `signal` aborts it may settle either way. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

export const noLongerNeeded = new Error('the work it watched has settled');

/** Waits for `work`, but not longer than `stallMs`, and not once `signal` aborts. Never rejects. */
export function watch<Value>(work: Promise<Value>, { sleep, stallMs, signal }: WatchPorts): Promise<Watched<Value>> {
  return new Promise((resolve) => {
    const timer = new AbortController();
    const settle = (watched: Watched<Value>): void => {
      signal.removeEventListener('abort', onAbort);
      resolve(watched);
      timer.abort(noLongerNeeded);
    };
    const onAbort = (): void => settle({ kind: 'aborted' });
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => settle({ kind: 'value', value }),
      () => settle({ kind: 'rejected' }),
    );
    sleep(stallMs, timer.signal).then(
      () => settle({ kind: 'stalled' }),
      () => {},
    );
    if (signal.aborted) onAbort();
  });
}
