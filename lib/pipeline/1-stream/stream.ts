import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, NewId, StepId } from '@/lib/contracts/ids';
import type { AssistantBlock } from '@/lib/contracts/message';
import type { ModelError, ModelRequest, ModelStreamItem, StreamModel } from '@/lib/contracts/model';
import type { ToolCall } from '@/lib/contracts/plan';
import type { Standing } from '@/lib/contracts/policy';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { verdictFor } from '@/lib/pipeline/2-plan/plan';
import { type PreparedCall, prepareCall } from '@/lib/pipeline/2-plan/prepare-call';
import { isParallelSafe } from '@/lib/pipeline/3-batch/parallel-safe';
import type { EarlyRuns } from '@/lib/pipeline/4-execute/early-runs';
import type { JsonObject } from '@/lib/shared/json';
import type { Stop } from '@/lib/shared/stop';
import { type Assembled, type AssembledStep, createBlockAssembler } from './assemble-blocks';
import { mayStartEarly } from './start-early';
import { createForgeryFilter } from './strip-forged';

export interface StreamPorts {
  readonly dispatcher: ToolDispatcher;
  readonly standing: Standing;
  readonly outside?: Pick<OutsideTracker, 'find'> | undefined;
  readonly early: EarlyRuns;
  readonly newId: NewId;
  readonly emit: (event: EngineEventBody) => void;
  readonly stepId: StepId;
  readonly stop: Stop;
  /** false = nothing runs before its response has ended. */
  readonly earlyStarts?: boolean | undefined;
}

/** One response of the model, read to its end. */
export interface StreamedStep {
  readonly assembled: AssembledStep;
  /** Blocks as they may stand in the history: text without forgeries. Inputs of calls are filled in after the plan. */
  readonly texts: ReadonlyMap<number, string>;
  readonly prepared: ReadonlyMap<CallId, PreparedCall>;
  readonly forged: boolean;
  readonly error?: ModelError;
}

/**
 * Stage 1: reads one response, shows its text, and starts early what may start early.
 *
 * Out    the assembled step; `error` when the stream did not end cleanly (then calls that had not ended are dropped).
 * Order  text is stripped of forged calls before anyone sees it; a call exists only through the structured channel. A call starts early
 *        only when every call before it is known and none of them is a barrier.
 */
export async function streamStep(model: StreamModel, request: ModelRequest, ports: StreamPorts): Promise<StreamedStep> {
  const { emit, stepId } = ports;
  const assembler = createBlockAssembler({ newId: ports.newId, registered: new Set(ports.dispatcher.names()) });
  const prepared = new Map<CallId, PreparedCall>();
  const text = createTextSink(emit, stepId);
  let error: ModelError | undefined;

  const take = (items: readonly Assembled[], streaming: boolean) => {
    for (const item of items) {
      if (item.type === 'text-start') text.start(item.block);
      else if (item.type === 'text-delta') text.push(item.block, item.text);
      else if (item.type === 'text-end') text.end(item.block);
      else if (item.type === 'reasoning-delta') emit({ type: 'reasoning-delta', stepId, text: item.text });
      else if (item.type === 'call-start') {
        order.push(item.callId);
        emit({ type: 'call-stream-start', stepId, callId: item.callId, name: item.name });
      } else if (item.type === 'call-complete' && streaming) {
        // One that changed after it was looked at is looked at again; a new one when all before it are whole.
        if (prepared.has(item.call.callId)) startEarly(item.call);
        else if (order[looked] === item.call.callId) {
          startEarly(item.call);
          for (let next = wholeAt(++looked); next !== undefined; next = wholeAt(++looked)) startEarly(next);
        } else whole.set(item.call.callId, item.call);
      }
    }
  };
  const order: CallId[] = [];
  /** Whole before one that stands before them. */
  const whole = new Map<CallId, ToolCall>();
  let looked = 0;
  const wholeAt = (place: number) => {
    const callId = order[place];
    return callId === undefined ? undefined : whole.get(callId);
  };
  /** No call so far may change what a later one reads, so a later one may run before it. */
  let onlyReads = true;
  const startEarly = (call: ToolCall) => {
    const ready = prepareCall(call, null, ports.dispatcher);
    prepared.set(call.callId, ready);
    if (ready.stopped !== undefined || ready.metadata === undefined) return;
    const strict = ready.repairs.every((repair) => repair.kind !== 'argument');
    const verdict = verdictFor(ready, ports);
    const approval = verdict.decision === 'allow' ? verdict.level : 'required';
    const mayOvertake = onlyReads;
    onlyReads &&= isParallelSafe(ready.metadata, approval);
    if (!mayOvertake) return;
    const fits = mayStartEarly({
      capabilities: ready.metadata.capabilities,
      supportsParallel: ready.metadata.supportsParallel,
      interactive: ready.metadata.interactive,
      approval,
      validates: true,
      strict,
      blockEnded: true,
    });
    if (!fits || ports.earlyStarts === false) return;
    ports.early.start(call.callId, ready.tool, ready.input);
    emit({ type: 'early-start', stepId, callId: call.callId, tool: ready.tool });
  };

  const takeItem = (item: ModelStreamItem) => {
    if (item.type === 'error') error = item.error;
    else if (item.type === 'retry') emit({ type: 'model-retry', stepId, attempt: item.attempt, waitMs: item.waitMs, error: item.error });
    else take(assembler.push(item), true);
  };
  for await (const given of model(request, ports.stop.signal)) {
    if (Array.isArray(given)) for (const item of given as readonly ModelStreamItem[]) takeItem(item);
    else takeItem(given as ModelStreamItem);
  }
  const ended = assembler.end(error === undefined);
  take(ended.events, false);
  for (const call of ended.step.calls)
    emit({ type: 'call-stream-end', stepId, callId: call.callId, name: call.name, argumentsText: call.argumentsText, warnings: call.warnings });
  return { assembled: ended.step, texts: text.texts, prepared, forged: text.forged(), ...(error === undefined ? {} : { error }) };
}

/** The blocks of a step as the history keeps them. */
export function historyBlocks(step: StreamedStep, inputOf: (callId: CallId) => JsonObject): readonly AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  for (const block of step.assembled.blocks) {
    if (block.kind === 'reasoning')
      blocks.push(
        block.signature === undefined ? { kind: 'reasoning', text: block.text } : { kind: 'reasoning', text: block.text, signature: block.signature },
      );
    else if (block.kind === 'call')
      blocks.push({ kind: 'call', callId: block.call.callId, wireId: block.call.wireId, name: block.call.name, input: inputOf(block.call.callId) });
    else {
      const visible = step.texts.get(block.block) ?? '';
      if (visible.trim() !== '') blocks.push({ kind: 'text', text: visible });
    }
  }
  return blocks;
}

function createTextSink(emit: (event: EngineEventBody) => void, stepId: StepId) {
  const filters = new Map<number, ReturnType<typeof createForgeryFilter>>();
  const released = new Map<number, string[]>();
  const texts = new Map<number, string>();
  let forged = false;
  const show = (block: number, output: { visible: string; stripped: readonly { offset: number; text: string }[]; notice: boolean }) => {
    if (output.visible !== '') {
      released.get(block)?.push(output.visible);
      emit({ type: 'text-delta', stepId, block, text: output.visible });
    }
    for (const span of output.stripped) emit({ type: 'forgery-strip', stepId, block, offset: span.offset, text: span.text });
    if (output.notice) forged = true;
  };
  return {
    texts,
    forged: () => forged,
    start(block: number) {
      filters.set(block, createForgeryFilter());
      released.set(block, []);
      emit({ type: 'text-start', stepId, block });
    },
    push(block: number, text: string) {
      const filter = filters.get(block);
      if (filter !== undefined) show(block, filter.push(text));
    },
    end(block: number) {
      const filter = filters.get(block);
      if (filter === undefined) return;
      show(block, filter.end());
      texts.set(block, released.get(block)?.join('') ?? '');
      filters.delete(block);
      emit({ type: 'text-end', stepId, block });
    },
  };
}
