import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, TurnId } from '@/lib/contracts/ids';
import { guardedOutcome, reachedTheGuard } from '@/lib/pipeline/2-plan/guarded-call';
import type { GuardedCall, LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';

/** Tells the loop guard again what it knew of a turn before the tab closed, from the events of that turn. */
export function recallLoops(loopGuard: LoopGuard, events: readonly EngineEvent[], turnId: TurnId, dispatcher: ToolDispatcher): void {
  const calls = new Map<CallId, GuardedCall & { readonly blocked: boolean }>();
  const from = events.findLastIndex((event) => event.type === 'turn-start' && event.turnId === turnId);
  for (const event of events.slice(Math.max(from, 0))) {
    if (event.type === 'plan-end')
      for (const view of event.calls) {
        if (!reachedTheGuard(view)) continue;
        const { callId, tool, input } = view;
        const call = { callId, tool, key: dispatcher.loopKey(tool, input), polling: dispatcher.metadata(tool)?.polling ?? false };
        calls.set(callId, { ...call, blocked: loopGuard.attempt(call).kind === 'block' });
      }
    else if (event.type === 'call-settled' && event.outcome.status !== 'cancelled') {
      const call = calls.get(event.callId);
      if (call !== undefined) loopGuard.outcome(guardedOutcome(call, event.outcome, call.blocked));
    }
  }
}
