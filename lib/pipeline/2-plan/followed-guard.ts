import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCallView } from '@/lib/contracts/plan';
import { guardedOutcome, isHeardByTheGuard, reachedTheGuard } from './guarded-call';
import type { GuardedCall, LoopGuard } from './loop-guard';

/** A loop guard that is led through a log. */
export interface FollowedGuard {
  see(event: EngineEvent): void;
  /** For each call that reached the guard so far, whether it was stopped. */
  readonly blocked: ReadonlyMap<CallId, boolean>;
  /** Calls with whose result the guard would end the turn. */
  readonly halting: ReadonlySet<CallId>;
}

/**
 * Tells a loop guard what the log of a session says, as it was told when it happened.
 *
 * In     `guardedCall`: what the guard knows a planned call as; undefined = the log does not hold it, and the call is left out.
 * Order  attempts when a step is planned, outcomes when results are handed back.
 */
export function followLog(guard: LoopGuard, guardedCall: (view: PlannedCallView) => GuardedCall | undefined): FollowedGuard {
  const calls = new Map<CallId, { readonly call: GuardedCall; readonly view: PlannedCallView }>();
  const outcomes = new Map<CallId, SlotOutcome>();
  const blocked = new Map<CallId, boolean>();
  const halting = new Set<CallId>();
  return {
    blocked,
    halting,
    see(event) {
      if (event.type === 'plan-end')
        for (const view of event.calls) {
          const call = guardedCall(view);
          if (call === undefined) continue;
          calls.set(view.callId, { call, view });
          if (reachedTheGuard(view)) blocked.set(view.callId, guard.attempt(call).kind === 'block');
        }
      else if (event.type === 'call-settled') outcomes.set(event.callId, event.outcome);
      else if (event.type === 'result-push') {
        const known = calls.get(event.callId);
        const outcome = outcomes.get(event.callId);
        if (known === undefined || outcome === undefined) return;
        const { call, view } = known;
        const stage = view.decision === 'stopped' ? view.trace.find(({ decided }) => decided === true)?.rule : undefined;
        if (!isHeardByTheGuard(stage, outcome)) return;
        if (guard.outcome(guardedOutcome(call, outcome, blocked.get(event.callId) ?? false)).kind === 'halt') halting.add(event.callId);
      }
    },
  };
}
