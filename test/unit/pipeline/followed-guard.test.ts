import { expect, it } from 'vitest';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import { followLog } from '@/lib/pipeline/2-plan/followed-guard';
import { createLoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { eventList, id } from '@/test/support/event-list';
import { plannedCall } from '@/test/support/turn-events';

const failed: SlotOutcome = { status: 'failed', error: 'execution-failed', content: 'no', started: true };
const refused: SlotOutcome = { status: 'refused', error: 'not-available', content: 'no such tool', started: false };
const refusedByName = { decision: 'stopped', trace: [{ rule: 'name', evidence: '', verdict: 'refuse', decided: true }] } as const;

/** Eight calls of a tool, one after the other; `handedBack` of them have gone back to the model. */
function eight(outcome: SlotOutcome, over: object, handedBack: number) {
  const guard = createLoopGuard();
  const followed = followLog(guard, ({ callId, tool, input }) => ({ callId, tool, key: canonicalJson(input), polling: false }));
  const bodies = Array.from({ length: 8 }, (_, n): EngineEventBody[] => {
    const callId = id<never>(`call-${n}`);
    return [
      { type: 'plan-end', stepId: id('step'), calls: [plannedCall(`call-${n}`, 'tool', over)], batches: [] },
      { type: 'call-settled', callId, outcome, durationMs: 0 },
      ...(n < handedBack ? [{ type: 'result-push', callId, content: outcome.content, isError: true } as const] : []),
    ];
  }).flat();
  for (const event of eventList(bodies)) followed.see(event);
  return [...followed.halting];
}

it('a log tells the guard of failures that ran and of those that a name or an argument refused', () => {
  expect(eight(failed, {}, 8)).toEqual(['call-7']);
  expect(eight(refused, refusedByName, 8)).toEqual(['call-7']);
});

it('what was not handed back when the tab closed is not told yet: it is when its step is finished, once', () => {
  expect(eight(failed, {}, 7)).toEqual([]);
});
