import type { ToolResultBlock } from '@/lib/contracts/message';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import { type Backfilled, type BackfillPorts, backfillStep } from '@/lib/pipeline/5-backfill/backfill';

/** Takes the results of a step as its batches drain, so that one that waits for a person holds back none that are there. */
export interface StepResults {
  /** Gives back the results of these calls, after all that were given before. */
  take(calls: readonly PlannedCall[], outcomes: readonly (SlotOutcome | undefined)[]): void;
  /** Everything taken, in call order. Rejects when giving back failed. */
  all(): Promise<Backfilled>;
}

/** Makes the results of one step. */
export function createStepResults(planned: readonly PlannedCall[], ports: BackfillPorts): StepResults {
  const results = new Map<string, ToolResultBlock>();
  let halt: Backfilled['halt'];
  let before: Promise<void> = Promise.resolve();
  return {
    take(calls, outcomes) {
      const now = [...outcomes];
      before = before.then(async () => {
        const backfilled = await backfillStep(calls, now, ports);
        for (const result of backfilled.results) results.set(result.callId, result);
        halt = backfilled.halt ?? halt;
      });
      // The failure is told where the step ends.
      before.catch(() => undefined);
    },
    async all() {
      await before;
      const ordered: ToolResultBlock[] = [];
      for (const { call } of planned) {
        const result = results.get(call.callId);
        if (result !== undefined) ordered.push(result);
      }
      return halt === undefined ? { results: ordered } : { results: ordered, halt };
    },
  };
}
