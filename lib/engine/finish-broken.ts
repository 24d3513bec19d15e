import { cancelledOutcome } from '@/lib/pipeline/4-execute/run-body';
import type { Recorder } from './recorder';
import type { Transcript } from './transcript';

/**
 * Fills what an exception left open: calls of the last assistant message that have no result yet.
 *
 * Out    nothing when the transcript is whole, as it is after every turn that ended by itself.
 */
export function finishBroken(recorder: Pick<Recorder, 'emit'>, transcript: Transcript, reason: string): void {
  const open = transcript.unanswered();
  if (open.length === 0) return;
  const results = open.map((call) => {
    const outcome = cancelledOutcome(reason);
    recorder.emit({ type: 'call-settled', callId: call.callId, outcome, durationMs: 0 });
    recorder.emit({ type: 'result-push', callId: call.callId, content: outcome.content, isError: true });
    return { callId: call.callId, wireId: call.wireId, name: call.name, content: outcome.content, isError: true };
  });
  transcript.push({ role: 'tool', results });
}
