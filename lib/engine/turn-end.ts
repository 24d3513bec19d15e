import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { BatchId, CallId } from '@/lib/contracts/ids';
import type { Batch, PlannedCall, PlannedCallView } from '@/lib/contracts/plan';
import { historyBlocks, type StreamedStep } from '@/lib/pipeline/1-stream/stream';
import type { EarlyRuns } from '@/lib/pipeline/4-execute/early-runs';
import { cancelledOutcome } from '@/lib/pipeline/4-execute/run-body';
import type { TurnResult } from './turn';
import type { TurnPorts } from './turn-ports';

/**
 * Ends a turn whose stream did not end cleanly: what was said stays, each call that was complete gets its one result.
 */
export async function breakOff(streamed: StreamedStep, early: EarlyRuns, ports: TurnPorts): Promise<TurnResult> {
  const reason = ports.stop.stopped ? 'the turn was stopped' : 'the model’s answer broke off';
  early.abortRest(reason);
  const { calls } = streamed.assembled;
  const blocks = historyBlocks(streamed, (callId) => streamed.prepared.get(callId)?.input ?? {});
  if (blocks.length > 0) ports.transcript.push({ role: 'assistant', blocks });
  const results = calls.map((call) => {
    const outcome = cancelledOutcome(reason);
    ports.emit({ type: 'call-settled', callId: call.callId, outcome, durationMs: 0 });
    ports.emit({ type: 'result-push', callId: call.callId, content: outcome.content, isError: true });
    return { callId: call.callId, wireId: call.wireId, name: call.name, content: outcome.content, isError: true };
  });
  if (results.length > 0) ports.transcript.push({ role: 'tool', results });
  await ports.commit();
  if (ports.stop.stopped) return { end: 'stopped' };
  return streamed.error === undefined ? { end: 'failed' } : { end: 'failed', reason: streamed.error.message, error: streamed.error };
}

/** What the page sees of a batch. */
export function batchView(batch: Batch): { readonly batchId: BatchId; readonly kind: Batch['kind']; readonly callIds: readonly CallId[] } {
  return { batchId: batch.batchId, kind: batch.kind, callIds: batch.calls.map((planned) => planned.call.callId) };
}

/** What the page sees of a planned call. */
export function planView(planned: PlannedCall, dispatcher: ToolDispatcher): PlannedCallView {
  const { polling = false, ownLoopKey } = dispatcher.metadata(planned.tool) ?? {};
  return {
    callId: planned.call.callId,
    index: planned.index,
    requestedName: planned.call.name,
    tool: planned.tool,
    summary: planned.summary,
    input: planned.input,
    level: planned.verdict.level,
    decision: planned.stopped !== undefined ? 'stopped' : planned.verdict.decision === 'ask' ? 'ask' : 'run',
    repairs: planned.repairs,
    trace: planned.verdict.trace,
    ...(planned.facts === undefined ? {} : { facts: planned.facts }),
    loop: ownLoopKey ? { key: planned.loopKey, polling } : { polling },
  };
}
