import type { EngineEvent } from '@/lib/contracts/events';
import { cancelledOutcome, cancelledWords } from '@/lib/pipeline/4-execute/run-body';
import type { Recorder } from './recorder';
import type { Transcript } from './transcript';

/**
 * Fills what an exception left open: calls of the last assistant message that have no result yet.
 *
 * In     `events` of the session: a call that had settled keeps its outcome, one that had begun is not said to be untouched.
 * Out    nothing when the transcript is whole, as it is after every turn that ended by itself.
 */
export function finishBroken(recorder: Pick<Recorder, 'emit'>, transcript: Transcript, reason: string, events: readonly EngineEvent[]): void {
  const open = transcript.unanswered();
  if (open.length === 0) return;
  const results = open.map(({ callId, wireId, name }) => {
    const settled = events.findLast((event) => event.type === 'call-settled' && event.callId === callId);
    const started = events.some((event) => event.type === 'call-start' && event.callId === callId);
    const known = settled?.type === 'call-settled' ? settled.outcome : undefined;
    const outcome = known ?? { ...cancelledOutcome(reason), content: cancelledWords(reason, started), started };
    if (known === undefined) recorder.emit({ type: 'call-settled', callId, outcome, durationMs: 0 });
    const { content } = outcome;
    const isError = outcome.status !== 'ok';
    recorder.emit({ type: 'result-push', callId, content, isError });
    return { callId, wireId, name, content, isError };
  });
  transcript.push({ role: 'tool', results });
}
