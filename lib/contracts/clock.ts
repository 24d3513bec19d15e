import type { Now } from './ids';

/** Time as a port. Tests drive it by hand; nothing in the engine calls a timer or the date itself. */
export interface Clock {
  readonly now: Now;
  /** Settles after `ms`; rejects at once with the signal's reason when it aborts. Infinity waits for the signal only. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms` unless cancelled; the answer cancels. The cheap form of `sleep` for timeouts. */
  after(ms: number, run: () => void): () => void;
}
