/** Runs the calls of one parallel batch, so many at once. */
export interface CallLimit {
  /**
   * Runs `body` when there is a place; answers what it answers.
   *
   * In     `host`: the one it talks to, undefined = none; ask in call order.
   * Order  a free place goes to the earliest asked that may start; a call that waits for its host takes no place.
   */
  run<T>(host: string | undefined, body: () => Promise<T>): Promise<T>;
  /** Takes a place under the same rules: undefined = it is taken, else it is once this settles. `leave` gives it back. */
  enter(host: string | undefined): Promise<void> | undefined;
  leave(host: string | undefined): void;
}

export const CALLS_AT_ONCE = 32;
export const CALLS_AT_ONCE_PER_HOST = 6;

/** Makes a limit for one batch. Source governance 7: 32 at once, 6 of them to one host. */
export function createCallLimit(total = CALLS_AT_ONCE, perHost = CALLS_AT_ONCE_PER_HOST): CallLimit {
  const waiting: { readonly host: string | undefined; readonly start: () => void }[] = [];
  const busy = new Map<string, number>();
  let running = 0;

  const mayStart = (host: string | undefined) => running < total && (host === undefined || (busy.get(host) ?? 0) < perHost);
  const count = (host: string | undefined, by: 1 | -1) => {
    running += by;
    if (host === undefined) return;
    const left = (busy.get(host) ?? 0) + by;
    if (left === 0) busy.delete(host);
    else busy.set(host, left);
  };
  const fill = () => {
    for (let i = 0; i < waiting.length && running < total; ) {
      const next = waiting[i] as (typeof waiting)[number];
      if (mayStart(next.host)) {
        waiting.splice(i, 1);
        next.start();
      } else i++;
    }
  };

  const enter = (host: string | undefined) => {
    if (mayStart(host)) {
      count(host, 1);
      return undefined;
    }
    return new Promise<void>((resolve) => {
      waiting.push({
        host,
        start() {
          count(host, 1);
          resolve();
        },
      });
    });
  };
  const leave = (host: string | undefined) => {
    count(host, -1);
    fill();
  };

  return {
    enter,
    leave,
    async run(host, body) {
      const place = enter(host);
      if (place !== undefined) await place;
      try {
        return await body();
      } finally {
        leave(host);
      }
    },
  };
}
