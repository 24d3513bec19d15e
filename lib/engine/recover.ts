import { cancelledWords } from '@/lib/pipeline/4-execute/run-body';
import type { Recorder } from './recorder';
import type { Transcript } from './transcript';
import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, TurnId } from '@/lib/contracts/ids';
import type { ToolResultBlock } from '@/lib/contracts/message';

const reason = 'the tab closed';

interface OpenEnds {
  readonly turnId: TurnId;
  readonly started: ReadonlySet<CallId>;
  readonly settled: ReadonlyMap<CallId, string>;
  readonly pushed: ReadonlyMap<CallId, { readonly content: string; readonly isError: boolean }>;
  readonly prompts: readonly Extract<EngineEvent, { type: 'approval-start' }>[];
}

/**
 * Closes a turn that a closed tab cut off, so that the session can go on.
 *
 * In     the stored events; the recorder and transcript of the reopened session.
 * Out    true when something was closed: open prompts end, each call without a result gets one that says whether it had been started.
 * Source governance 12: nothing runs twice.
 */
export function recoverTurn(events: readonly EngineEvent[], recorder: Recorder, transcript: Transcript): boolean {
  const ends = openEnds(events);
  if (ends === undefined) return false;
  for (const { request } of ends.prompts)
    recorder.emit({ type: 'approval-end', approvalId: request.approvalId, callId: request.callId, outcome: { kind: 'cancelled' } });
  const calls = transcript.unanswered();
  const results: ToolResultBlock[] = calls.map((call) => {
    const kept = ends.pushed.get(call.callId);
    if (kept !== undefined) return { callId: call.callId, wireId: call.wireId, name: call.name, ...kept };
    const settled = ends.settled.get(call.callId);
    const started = ends.started.has(call.callId);
    const content = settled ?? cancelledWords(reason, started);
    if (settled === undefined) recorder.emit({ type: 'call-settled', callId: call.callId, outcome: { status: 'cancelled', error: 'cancelled', content, started }, durationMs: 0 });
    recorder.emit({ type: 'result-push', callId: call.callId, content, isError: true });
    return { callId: call.callId, wireId: call.wireId, name: call.name, content, isError: true };
  });
  if (results.length > 0) transcript.push({ role: 'tool', results });
  recorder.emit({ type: 'turn-end', turnId: ends.turnId, end: 'stopped', reason: 'The page was closed while this turn ran. What was done is kept; send a message to go on.' });
  return true;
}

function openEnds(events: readonly EngineEvent[]): OpenEnds | undefined {
  let turnId: TurnId | undefined;
  const started = new Set<CallId>();
  const settled = new Map<CallId, string>();
  const pushed = new Map<CallId, { content: string; isError: boolean }>();
  const prompts = new Map<string, Extract<EngineEvent, { type: 'approval-start' }>>();
  for (const event of events) {
    if (event.type === 'turn-start') turnId = event.turnId;
    else if (event.type === 'turn-end') turnId = undefined;
    else if (event.type === 'call-start' || event.type === 'early-start') started.add(event.callId);
    else if (event.type === 'call-settled') settled.set(event.callId, event.outcome.content);
    else if (event.type === 'result-push') pushed.set(event.callId, { content: event.content, isError: event.isError });
    else if (event.type === 'approval-start') prompts.set(event.request.approvalId, event);
    else if (event.type === 'approval-end') prompts.delete(event.approvalId);
  }
  return turnId === undefined ? undefined : { turnId, started, settled, pushed, prompts: [...prompts.values()] };
}
