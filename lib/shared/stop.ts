/** A stop button that many may watch: an AbortSignal for ports that want one, and a cheap subscription for the rest. */
export interface Stop {
  /** Made when it is first asked for: a call whose body never looks costs none. */
  readonly signal: AbortSignal;
  readonly stopped: boolean;
  /** Pulls it; only the first pull counts. Listeners run at once, in order. */
  pull(reason: Error): void;
  /** Calls `run` when pulled, at once if it was pulled already. The answer unsubscribes. */
  onPull(run: (reason: Error) => void): () => void;
}

/** Makes a stop that nobody has pulled. */
export function createStop(): Stop {
  return new PulledOnce();
}

/** A class, because every call makes one or two: its members are made once, not once a stop; private by type, since real privacy is paid for at each making. */
class PulledOnce implements Stop {
  private controller: AbortController | undefined;
  private listeners: Set<(reason: Error) => void> | undefined;
  private reason: Error | undefined;
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.reason !== undefined) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }
  get stopped(): boolean {
    return this.reason !== undefined;
  }
  pull(reason: Error): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.controller?.abort(reason);
    const told = [...(this.listeners ?? [])];
    this.listeners = undefined;
    for (const run of told) run(reason);
  }
  onPull(run: (reason: Error) => void): () => void {
    if (this.reason !== undefined) {
      run(this.reason);
      return () => {};
    }
    const listeners = this.listeners ?? new Set();
    this.listeners = listeners;
    listeners.add(run);
    return () => listeners.delete(run);
  }
}
