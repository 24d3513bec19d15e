import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, StepId, TurnId } from '@/lib/contracts/ids';
import { followLog } from '@/lib/pipeline/2-plan/followed-guard';
import { createLoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { canonicalJson } from '@/lib/shared/canonical-json';

/** What the loop guard says of a log. */
export interface ReplayedLoops {
  /** For each call that reached the guard whether it is stopped. Calls of logs that do not hold what the guard was asked are left out. */
  readonly blocked: ReadonlyMap<CallId, boolean>;
  /** Turns whose own agent failed too often in a row; those of subagents end alone. */
  readonly halted: ReadonlySet<TurnId>;
}

/**
 * Asks the loop guard again about every call of a log that reached it.
 *
 * In     `events` of one session, in order.
 */
export function replayLoops(events: readonly EngineEvent[]): ReplayedLoops {
  const guard = createLoopGuard();
  const followed = followLog(guard, ({ callId, tool, input, loop }) =>
    loop === undefined ? undefined : { callId, tool, key: loop.key ?? canonicalJson(input), polling: loop.polling },
  );
  const ownSteps = new Map<StepId, TurnId>();
  const turnOf = new Map<CallId, TurnId>();
  for (const event of events) {
    if (event.type === 'turn-start') guard.newTurn();
    else if (event.type === 'step-start' && event.agent === undefined) ownSteps.set(event.stepId, event.turnId);
    else if (event.type === 'plan-end') {
      const turnId = ownSteps.get(event.stepId);
      if (turnId !== undefined) for (const { callId } of event.calls) turnOf.set(callId, turnId);
    }
    followed.see(event);
  }
  const halted = [...followed.halting].flatMap((callId) => turnOf.get(callId) ?? []);
  return { blocked: followed.blocked, halted: new Set(halted) };
}
