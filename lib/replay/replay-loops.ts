import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import { guardedOutcome, reachedTheGuard } from '@/lib/pipeline/2-plan/guarded-call';
import { createLoopGuard, type GuardedCall } from '@/lib/pipeline/2-plan/loop-guard';
import { canonicalJson } from '@/lib/shared/canonical-json';

/**
 * Asks the loop guard again about every call of a log that reached it.
 *
 * In     `events` of one session, in order.
 * Out    for each such call whether the guard stops it. Calls of logs that do not hold what the guard was asked are left out.
 * Order  as in the turn: attempts when a step is planned, outcomes when results are handed back.
 */
export function replayLoops(events: readonly EngineEvent[]): ReadonlyMap<CallId, boolean> {
  const blocked = new Map<CallId, boolean>();
  const calls = new Map<CallId, GuardedCall>();
  const outcomes = new Map<CallId, SlotOutcome>();
  const guard = createLoopGuard();
  for (const event of events) {
    if (event.type === 'turn-start') guard.newTurn();
    else if (event.type === 'plan-end')
      for (const view of event.calls) {
        if (view.loop === undefined) continue;
        const { callId, tool, input, loop } = view;
        const call = { callId, tool, key: loop.key ?? canonicalJson(input), polling: loop.polling };
        calls.set(callId, call);
        if (reachedTheGuard(view)) blocked.set(callId, guard.attempt(call).kind === 'block');
      }
    else if (event.type === 'call-settled') outcomes.set(event.callId, event.outcome);
    else if (event.type === 'result-push') {
      const call = calls.get(event.callId);
      const outcome = outcomes.get(event.callId);
      const wasBlocked = blocked.get(event.callId);
      if (call === undefined || outcome === undefined || outcome.status === 'cancelled' || wasBlocked === undefined) continue;
      guard.outcome(guardedOutcome(call, outcome, wasBlocked));
    }
  }
  return blocked;
}
