import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { CallId } from '@/lib/contracts/ids';
import type { ToolResultBlock } from '@/lib/contracts/message';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { cutAndSpill, type SpillPorts } from './spill';
import { cutJobLook, type JobOutputs, lookIn } from './spill-job';

export interface BackfillPorts extends SpillPorts {
  readonly dispatcher: ToolDispatcher;
  readonly loopGuard: LoopGuard;
  /** The background commands of the session. */
  readonly jobs: JobOutputs;
  /** Results that had been handed back before a closed tab: they stay as they were. */
  readonly pushed?: ReadonlyMap<CallId, { readonly content: string; readonly isError: boolean }> | undefined;
}

export interface Backfilled {
  readonly results: readonly ToolResultBlock[];
  /** Set when a tool failed so often in a row that the turn ends after this step. */
  readonly halt?: { readonly tool: string; readonly failures: number };
}

/**
 * Stage 5: turns filled slots into the results of the history, sequentially, in call order.
 *
 * In     `planned`: calls of a step in call order; the outcome of each stands under its index.
 * Out    one result a call. Warnings of the loop guard and what the person said stand behind the result.
 * Source governance 8 and 11: loop guard, then cut or spill, then push.
 */
export async function backfillStep(planned: readonly PlannedCall[], outcomes: readonly (SlotOutcome | undefined)[], ports: BackfillPorts): Promise<Backfilled> {
  const results: ToolResultBlock[] = [];
  let halt: Backfilled['halt'];
  for (const call of planned) {
    const outcome = outcomes[call.index] as SlotOutcome;
    const { callId, wireId, name } = call.call;
    const before = ports.pushed?.get(callId);
    if (before !== undefined) {
      results.push({ callId, wireId, name, ...before });
      continue;
    }
    const warning = record(call, outcome, ports);
    if (warning?.halt !== undefined) halt = { tool: call.tool, failures: warning.halt };
    const economics = ports.dispatcher.metadata(call.tool)?.result ?? 'general';
    const produced = outcome.metadata?.['producedBytes'];
    const look = economics === 'shell' ? lookIn(outcome.metadata) : undefined;
    const long = {
      callId,
      tool: call.tool,
      content: outcome.content === '' ? '(no output)' : outcome.content,
      economics,
      ...(typeof produced === 'number' ? { producedBytes: produced } : {}),
    };
    const kept = look === undefined ? await cutAndSpill(long, ports) : await cutJobLook(long, look, ports);
    const content = [kept, warning?.text, outcome.note].filter((text) => text !== undefined).join('\n\n');
    const isError = outcome.status !== 'ok';
    ports.emit({ type: 'result-push', callId, content, isError });
    results.push({ callId, wireId, name, content, isError });
  }
  return halt === undefined ? { results } : { results, halt };
}

function record(call: PlannedCall, outcome: SlotOutcome, ports: BackfillPorts): { readonly text: string; readonly halt?: number } | undefined {
  const stage = call.stopped?.stage;
  // What an earlier stage refused is neither an attempt nor a failure; a stopped turn says nothing about the tool.
  if (stage === 'truncation-gate' || stage === 'damaged' || stage === 'deferred' || outcome.status === 'cancelled') return undefined;
  const answer = ports.loopGuard.outcome({
    callId: call.call.callId,
    tool: call.tool,
    key: call.loopKey,
    polling: ports.dispatcher.metadata(call.tool)?.polling ?? false,
    ok: outcome.status === 'ok',
    executed: outcome.started,
    ...(stage === 'loop-guard' ? { blocked: true } : {}),
    // A command that fails differently each time is not a loop either, so a result is given whether or not it is good news.
    ...(outcome.started ? { result: outcome.content } : {}),
    ...(outcome.status === 'ok' ? {} : { error: outcome.content }),
  });
  if (answer.kind === 'halt')
    return {
      text: `[${call.tool} failed ${answer.count} times in a row. The turn ends here; tell the person what you tried and what stands in the way.]`,
      halt: answer.count,
    };
  if (answer.kind === 'warn')
    return { text: `[${call.tool} failed ${answer.count} times in a row. Look at the errors before you try again: change the arguments, or go another way.]` };
  if (answer.cycle !== undefined)
    return { text: `[The last calls repeat in a circle of ${answer.cycle}, with the same failures each time. Do something different.]` };
  return undefined;
}
