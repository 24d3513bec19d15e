import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { CallId } from '@/lib/contracts/ids';
import type { ToolResultBlock } from '@/lib/contracts/message';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import { guardedOutcome, isHeardByTheGuard } from '@/lib/pipeline/2-plan/guarded-call';
import type { LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { keepData } from './keep-data';
import { noteOutside, outsideSource } from './outside-source';
import { cutAndSpill, type LongResult, type SpillPorts, staysWhole } from './spill';
import { cutJobLook, type JobOutputs, lookIn } from './spill-job';
import { type SummarisePort, summariseOutside } from './summarise';
import { wrapExternal } from './wrap-external';

export interface BackfillPorts extends SpillPorts {
  readonly dispatcher: ToolDispatcher;
  readonly loopGuard: LoopGuard;
  /** The background commands of the session. */
  readonly jobs: JobOutputs;
  /** Remembers what came from outside; absent = nobody asks. */
  readonly outside?: OutsideTracker | undefined;
  /** Long texts from outside go to the model in short; absent = the route is off. */
  readonly summarise?: SummarisePort | undefined;
  /** What is wrong with the files that the step edited, asked once a result; absent = nobody looks. */
  readonly diagnose?: ((call: PlannedCall, outcome: SlotOutcome) => Promise<string | undefined> | string | undefined) | undefined;
  /** Results that had been handed back before a closed tab: they stay as they were. */
  readonly pushed?: ReadonlyMap<CallId, { readonly content: string; readonly isError: boolean }> | undefined;
}

type StoringPorts = BackfillPorts & { readonly canReadHandles: boolean };

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
 * Source governance 8 and 11: loop guard, then diagnostics, then cut or spill, then wrap, then push.
 */
export async function backfillStep(planned: readonly PlannedCall[], outcomes: readonly (SlotOutcome | undefined)[], ports: BackfillPorts): Promise<Backfilled> {
  const results: ToolResultBlock[] = [];
  const storing: StoringPorts = {
    ...ports,
    canReadHandles: ports.dispatcher.has('handle_read'),
    ...(ports.outside === undefined ? {} : { issued: ports.outside.ours }),
  };
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
    // Waited for only where there is something to wait for: a step may bring many short results.
    const asked = ports.diagnose?.(call, outcome);
    const diagnostics = asked instanceof Promise ? await asked : asked;
    const long = resultOf(call, outcome, ports);
    const { origin } = long;
    const text = isPlain(long, outcome, ports) ? long.content : await shorten(long, outcome, ports, storing);
    // What is cut and wrapped is complete; what the compiler, the guard and the person say stands behind it.
    const whole = origin === undefined ? text : wrapExternal(text, origin);
    if (origin !== undefined) noteOutside(ports.outside, whole);
    const content = withWords(whole, diagnostics, warning?.text, outcome.note);
    const isError = outcome.status !== 'ok';
    ports.emit(origin === undefined ? { type: 'result-push', callId, content, isError } : { type: 'result-push', callId, content, isError, origin });
    results.push({ callId, wireId, name, content, isError });
  }
  return halt === undefined ? { results } : { results, halt };
}

function withWords(text: string, ...words: readonly (string | undefined)[]): string {
  let content = text;
  for (const part of words) if (part !== undefined) content += `\n\n${part}`;
  return content;
}

/** A result before it is cut; with its origin when it is from outside. */
function resultOf(call: PlannedCall, outcome: SlotOutcome, ports: BackfillPorts): LongResult {
  const metadata = ports.dispatcher.metadata(call.tool);
  const produced = outcome.metadata?.['producedBytes'];
  const origin = outsideSource(
    metadata?.network ?? false,
    ports.dispatcher.hostFor(call.tool, outcome.editedInput ?? call.input),
    outcome,
    ports.outside?.sourceOf(call.call.callId),
  );
  const long: { -readonly [Key in keyof LongResult]: LongResult[Key] } = {
    callId: call.call.callId,
    tool: call.tool,
    content: outcome.content === '' && origin === undefined ? '(no output)' : outcome.content,
    economics: metadata?.result ?? 'general',
  };
  if (typeof produced === 'number') long.producedBytes = produced;
  if (origin !== undefined) long.origin = origin;
  return long;
}

/** Nothing of it is cut, summarised or kept aside. */
function isPlain(long: LongResult, outcome: SlotOutcome, ports: BackfillPorts): boolean {
  if (outcome.data !== undefined || (long.origin !== undefined && ports.summarise !== undefined)) return false;
  return long.economics !== 'shell' && staysWhole(long);
}

/** The text for the history, cut and kept by its tool's economics. */
async function shorten(long: LongResult, outcome: SlotOutcome, ports: BackfillPorts, storing: StoringPorts): Promise<string> {
  const look = long.economics === 'shell' ? lookIn(outcome.metadata) : undefined;
  const shown =
    look !== undefined
      ? await cutJobLook(long, look, storing)
      : long.origin !== undefined && ports.summarise !== undefined
        ? await summariseOutside(long, ports.summarise, storing)
        : await cutAndSpill(long, storing);
  const kept = outcome.data === undefined ? undefined : await keepData(long, outcome.data, storing);
  return kept === undefined ? shown : `${shown}\n${kept}`;
}

function record(call: PlannedCall, outcome: SlotOutcome, ports: BackfillPorts): { readonly text: string; readonly halt?: number } | undefined {
  const stage = call.stopped?.stage;
  if (!isHeardByTheGuard(stage, outcome)) return undefined;
  const polling = ports.dispatcher.metadata(call.tool)?.polling ?? false;
  const guarded = { callId: call.call.callId, tool: call.tool, key: call.loopKey, polling };
  const answer = ports.loopGuard.outcome(guardedOutcome(guarded, outcome, stage === 'loop-guard'));
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
