import type { EngineEvent } from '@/lib/contracts/events';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { insideExternal } from './wrap-external';

/**
 * Where the bytes of a result come from, when they come from outside.
 *
 * In     `network`: its tool can reach the network; `host` that the call names; `given`: the source of bytes that its tool was handed.
 * Out    host or server; undefined = not from outside. A tool of the network brings outside bytes whenever its body ran, also when it failed, but for what this host itself said to it.
 *        Any other tool does when it was handed such bytes, or says so.
 */
export function outsideSource(network: boolean, host: string | undefined, outcome: SlotOutcome, given: string | undefined): string | undefined {
  if (!outcome.started || outcome.status === 'cancelled' || outcome.ownWords === true) return undefined;
  const stated = outcome.metadata?.['origin'];
  if (typeof stated === 'string') return stated === '' ? 'unknown' : stated;
  return given ?? (network ? (host ?? 'unknown') : undefined);
}

/** Remembers what a wrapped result brought, as the model reads it. */
export function noteOutside(tracker: OutsideTracker | undefined, pushed: string): void {
  const inside = tracker === undefined ? undefined : insideExternal(pushed);
  if (inside !== undefined) tracker?.note(inside.source, inside.body);
}

/** Remembers again what a stored session had from outside, as far as its log holds it: every result as it was handed back. */
export function recallOutside(tracker: OutsideTracker, events: readonly EngineEvent[]): void {
  for (const event of events) {
    if ((event.type === 'result-cut' || event.type === 'data-kept' || event.type === 'result-summary') && event.ref !== undefined) tracker.ours(event.ref);
    if (event.type === 'result-push' && event.origin !== undefined) noteOutside(tracker, event.content);
  }
}
