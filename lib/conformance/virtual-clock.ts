import type { Clock } from '@/lib/contracts/clock';

export interface VirtualClock extends Clock {
  /** Lets `ms` pass: every timer due runs in order, and what it set free runs before the next one. */
  advance(ms: number): Promise<void>;
  /** Lets everything run that waits for no timer. */
  settle(): Promise<void>;
  /** Milliseconds until the next timer is due; undefined = there is none. */
  untilNext(): number | undefined;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Promise chains of any depth end within a few macrotasks; none of them waits for real time. */
const settlingTasks = 8;

/** Time that moves only when it is told to. */
export function createVirtualClock(start = 1_000_000): VirtualClock {
  let time = start;
  let order = 0;
  const timers = new Set<Timer>();
  const after = (ms: number, run: () => void) => {
    const timer: Timer = { at: time + ms, order: order++, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const next = (until: number) => [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  const settle = async () => {
    for (let i = 0; i < settlingTasks; i++) await macrotask();
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
    untilNext() {
      const timer = next(Number.POSITIVE_INFINITY);
      return timer === undefined ? undefined : timer.at - time;
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (let due = next(end); due !== undefined; due = next(end)) {
        timers.delete(due);
        time = due.at;
        due.run();
        await settle();
      }
      time = end;
    },
  };
}

/** A turn of the event loop, in Node and in a page; a timer of zero would take milliseconds there. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
