import type { EngineEvent, EngineEventBody } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';

/** An id of any kind for a test's event list. */
export function id<Id extends string>(name: string): Id {
  return name as Id;
}

/** Stamps bodies as one session's events: numbered from `fromSeq`, `stepMs` apart, unless a body says its own `at`. */
export function eventList(
  bodies: readonly (EngineEventBody & { readonly at?: number })[],
  options: { readonly sessionId?: string; readonly fromSeq?: number; readonly stepMs?: number } = {},
): readonly EngineEvent[] {
  const { sessionId = 'session-1', fromSeq = 0, stepMs = 10 } = options;
  return bodies.map(
    (body, index): EngineEvent => ({ at: 1000 + (fromSeq + index) * stepMs, ...body, sessionId: id<SessionId>(sessionId), seq: fromSeq + index }),
  );
}
