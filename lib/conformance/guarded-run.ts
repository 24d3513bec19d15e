import type { Clock } from '@/lib/contracts/clock';
import type { WorkerPort } from '@/lib/contracts/runtime';
import { messageOf } from '@/lib/shared/coded-error';
import type { Case } from './case-file';
import type { GatheredCase } from './gather-cases';
import { runCase, runnerOf } from './run-case';
import type { CaseReport } from './runner';

/** Milliseconds a case may take that does not say so itself: a guard against hanging, no measurement. */
export const guardMs = 20_000;

/** To the worker, as JSON text, in which a key `__proto__` stays an own key: the cases of a file, then which of them to run. */
type Asked = { readonly kind: string; readonly cases: readonly Case[] } | { readonly run: number };

/**
 * Runs cases in a worker that is ended when one of them hangs, so that the others go on.
 *
 * In     `spawn` starts a worker that calls `serveCases`.
 * Out    `run` never rejects: an endless loop, a wait without end and a worker that dies are failures of the case at hand.
 */
export function createGuardedRun(spawn: () => WorkerPort, clock: Pick<Clock, 'after'>): { run(gathered: GatheredCase): Promise<CaseReport>; close(): void } {
  let worker: { readonly port: WorkerPort; readonly started: Promise<string>; cases?: readonly Case[] } | undefined;
  let answer: { readonly take: (text: string) => void; readonly die: (error: Error) => void } | undefined;
  const next = () => new Promise<string>((resolve, reject) => (answer = { take: resolve, die: reject }));

  const open = () => {
    const port = spawn();
    port.onMessage((message) => answer?.take(String(message)));
    port.onError((message) => answer?.die(new Error(`its worker died: ${message}`)));
    return { port, started: next() };
  };
  const close = () => {
    worker?.port.terminate();
    worker = undefined;
    answer = undefined;
  };

  return {
    close,
    async run({ kind, one, cases }) {
      const limitMs = one.maxMillis ?? guardMs;
      let cancelTimer = () => {};
      const ask = (asked: Asked) => worker?.port.postMessage(JSON.stringify(asked));
      try {
        worker ??= open();
        await worker.started;
        if (worker.cases !== cases) ask({ kind, cases });
        worker.cases = cases;
        const report = next();
        cancelTimer = clock.after(limitMs, () => answer?.die(new Error(`it was ended: it had not come to an end after ${limitMs} ms`)));
        ask({ run: cases.indexOf(one) });
        return JSON.parse(await report) as CaseReport;
      } catch (error) {
        close();
        return { passed: false, id: one.id, why: one.why, expected: one.expected, got: { exception: messageOf(error) } };
      } finally {
        cancelTimer();
      }
    },
  };
}

/** The side of the worker: runs what it is asked to run, and says so when it is ready. `find`: which runner a case has. */
export function serveCases(port: Pick<WorkerPort, 'postMessage' | 'onMessage'>, find: typeof runnerOf = runnerOf): void {
  let kind = '';
  let cases: readonly Case[] = [];
  port.onMessage(async (message) => {
    const asked = JSON.parse(String(message)) as Asked;
    if ('cases' in asked) {
      kind = asked.kind;
      cases = asked.cases;
      return;
    }
    const one = cases[asked.run];
    if (one === undefined) throw new Error(`there is no case ${asked.run}`);
    const others = cases.filter((other) => other !== one);
    port.postMessage(JSON.stringify(await runCase(kind, one, others, find)));
  });
  port.postMessage('ready');
}
