import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCallView, Stopped } from '@/lib/contracts/plan';
import type { GuardedCall, GuardedOutcome } from './loop-guard';

const before: ReadonlySet<string> = new Set<Stopped['stage']>(['truncation-gate', 'damaged', 'name', 'arguments', 'validation', 'deferred', 'recovered']);

/** Whether a call of a log came as far as the loop guard: no stage before it had stopped it. */
export function reachedTheGuard({ decision, trace }: PlannedCallView): boolean {
  return decision !== 'stopped' || !trace.some((entry) => entry.decided && before.has(entry.rule));
}

/** Whether the guard is told of an outcome: what an earlier stage refused as unreadable is no failure of a tool, and a stopped turn says nothing about one. */
export function isHeardByTheGuard(stage: string | undefined, outcome: SlotOutcome): boolean {
  return stage !== 'truncation-gate' && stage !== 'damaged' && stage !== 'deferred' && outcome.status !== 'cancelled';
}

/** What the loop guard is told of a call that has an outcome. `blocked`: the guard itself stopped it. */
export function guardedOutcome({ callId, tool, key, polling }: GuardedCall, outcome: SlotOutcome, blocked: boolean): GuardedOutcome {
  const { status, started, content } = outcome;
  const ok = status === 'ok';
  const ended: { -readonly [Key in keyof GuardedOutcome]: GuardedOutcome[Key] } = { callId, tool, key, polling, ok, executed: started };
  if (blocked) ended.blocked = true;
  // A command that fails differently each time is not a loop either, so a result is given whether or not it is good news.
  if (started) ended.result = content;
  if (!ok) ended.error = content;
  return ended;
}
