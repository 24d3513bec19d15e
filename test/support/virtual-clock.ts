import type { Clock } from '@/lib/contracts/clock';

export interface VirtualClock extends Clock {
  /** Lets `ms` pass: every timer due runs in order, and what it set free runs before the next one. */
  advance(ms: number): Promise<void>;
  /** Lets everything run that waits for no timer. */
  settle(): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time that moves only when a test says so. */
export function createVirtualClock(start = 1_000_000): VirtualClock {
  let time = start;
  let order = 0;
  const timers = new Set<Timer>();
  const after = (ms: number, run: () => void) => {
    const timer: Timer = { at: time + ms, order: order++, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  // Promise chains of any depth end within a few macrotasks; none of them waits for real time.
  const settle = async () => {
    for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => time,
    after,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = ms === Number.POSITIVE_INFINITY ? () => {} : after(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      });
    },
    settle,
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
        if (due === undefined) break;
        timers.delete(due);
        time = due.at;
        due.run();
        await settle();
      }
      time = end;
    },
  };
}
