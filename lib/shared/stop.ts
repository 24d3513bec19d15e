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
  let controller: AbortController | undefined;
  let listeners: Set<(reason: Error) => void> | undefined;
  let reason: Error | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (reason !== undefined) controller.abort(reason);
      }
      return controller.signal;
    },
    get stopped() {
      return reason !== undefined;
    },
    pull(given) {
      if (reason !== undefined) return;
      reason = given;
      controller?.abort(given);
      const told = [...(listeners ?? [])];
      listeners = undefined;
      for (const run of told) run(given);
    },
    onPull(run) {
      if (reason !== undefined) {
        run(reason);
        return () => {};
      }
      const kept = listeners ?? new Set();
      listeners = kept;
      kept.add(run);
      return () => kept.delete(run);
    },
  };
}
