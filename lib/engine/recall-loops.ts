import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEvent } from '@/lib/contracts/events';
import type { TurnId } from '@/lib/contracts/ids';
import { followLog } from '@/lib/pipeline/2-plan/followed-guard';
import type { LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';

/**
 * Tells the loop guard again what it knew of a turn before the tab closed, from the events of that turn.
 *
 * Out    what had an outcome and was not handed back is not told: it is when the step is finished.
 */
export function recallLoops(loopGuard: LoopGuard, events: readonly EngineEvent[], turnId: TurnId, dispatcher: ToolDispatcher): void {
  const followed = followLog(loopGuard, ({ callId, tool, input }) => ({
    callId,
    tool,
    key: dispatcher.loopKey(tool, input),
    polling: dispatcher.metadata(tool)?.polling ?? false,
  }));
  const from = events.findLastIndex((event) => event.type === 'turn-start' && event.turnId === turnId);
  for (const event of events.slice(Math.max(from, 0))) followed.see(event);
}
