export type Watched<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'aborted' };

export interface WatchPorts {
  /** Calls `run` once after `ms` unless cancelled; the answer cancels. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

/** Waits for `work`, but not longer than `stallMs`, and not once `signal` aborts. Never rejects. */
export function watch<Value>(work: Promise<Value>, { after, stallMs, signal }: WatchPorts): Promise<Watched<Value>> {
  return new Promise((resolve) => {
    const settle = (watched: Watched<Value>): void => {
      signal.removeEventListener('abort', onAbort);
      cancelTimer();
      resolve(watched);
    };
    const onAbort = (): void => settle({ kind: 'aborted' });
    const cancelTimer = after(stallMs, () => settle({ kind: 'stalled' }));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => settle({ kind: 'value', value }),
      () => settle({ kind: 'rejected' }),
    );
    if (signal.aborted) onAbort();
  });
}
