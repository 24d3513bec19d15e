import type { TurnEnd } from '@/lib/contracts/events';
import type { CallId, StepId } from '@/lib/contracts/ids';
import type { ModelError, StopReason, StreamModel } from '@/lib/contracts/model';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { Batch, PlannedCall } from '@/lib/contracts/plan';
import { historyBlocks, streamStep } from '@/lib/pipeline/1-stream/stream';
import { planStep } from '@/lib/pipeline/2-plan/plan';
import { batchCalls } from '@/lib/pipeline/3-batch/batch';
import { createEarlyRuns, type EarlyRuns } from '@/lib/pipeline/4-execute/early-runs';
import { executeStep } from '@/lib/pipeline/4-execute/execute';
import { requestApprovals } from '@/lib/pipeline/4-execute/request-approvals';
import { createStepResults } from './step-results';
import { systemPrompt } from './system-prompt';
import { batchView, breakOff, planView } from './turn-end';
import type { TurnPorts } from './turn-ports';

/** After so many steps the turn pauses and the person says whether it goes on. */
const stepLimit = 50;
const maxOutputTokens = 8192;

export interface TurnResult {
  readonly end: TurnEnd;
  readonly reason?: string;
  readonly error?: ModelError;
}

/** A step whose calls are planned and wait for execution. */
export interface ReadyStep {
  readonly stepId: StepId;
  readonly planned: readonly PlannedCall[];
  readonly batches: readonly Batch[];
  readonly early: EarlyRuns;
  /** Outcomes known from before a closed tab; their calls stand in no batch. */
  readonly settled?: ReadonlyMap<CallId, SlotOutcome>;
  /** Results that were handed back before a closed tab. */
  readonly pushed?: ReadonlyMap<CallId, { readonly content: string; readonly isError: boolean }>;
  /** The turn ends so after this step. */
  readonly thenEnd?: TurnResult;
}

/**
 * Runs one agent's part of a turn: step after step, until its model yields. Several agents may be at it at the same time.
 *
 * In     `resumed`: what a closed tab left of the last step; it is finished first.
 * Out    how it ended; every call of every step has exactly one result in the transcript.
 * Order  stream, plan, batch, execute, backfill; what a stage said is durable before the next step begins.
 */
export async function runTurn(model: StreamModel, ports: TurnPorts, resumed?: Omit<ReadyStep, 'early'>): Promise<TurnResult> {
  for (let index = 0; index < stepLimit; index++) {
    const step = index === 0 && resumed !== undefined ? { ...resumed, early: createEarlyRuns(ports) } : await askAndPlan(model, index, ports);
    if ('end' in step) return step;
    const { stepId, planned, batches, early } = step;

    // 4 execute, and 5 backfill as the batches drain
    const backfill = createStepResults(planned, { ...ports, pushed: step.pushed, diagnose: ports.diagnostics.ofStep(planned, ports.stop.signal) });
    const isSettled = (call: PlannedCall) => step.settled?.has(call.call.callId) === true;
    const settled = planned.filter(isSettled);
    if (settled.length > 0)
      backfill.take(
        settled,
        planned.map((call) => step.settled?.get(call.call.callId)),
      );
    const waiting = settled.length === 0 ? planned : planned.filter((call) => !isSettled(call));
    const refused = await requestApprovals(waiting, { ...ports, stepId }, step.settled !== undefined);
    const commits = ports.commit();
    await executeStep(batches, planned.length, stepId, { ...ports, early, refused }, (batch, slots) => {
      backfill.take(batch.calls, slots);
      if (batches.length > 1) void ports.commit();
    });
    for (const callId of early.abortRest('no call of the plan took it'))
      ports.emit({ type: 'early-abort', stepId, callId, reason: 'The final plan did not use this early start.' });
    const { results, halt } = await backfill.all();
    ports.transcript.push({ role: 'tool', results });
    await commits;
    await ports.commit();
    if (ports.stop.stopped) return { end: 'stopped' };
    if (step.thenEnd !== undefined) return step.thenEnd;
    if (halt !== undefined) return { end: 'halted', reason: `${halt.tool} failed ${halt.failures} times in a row.` };
  }
  return { end: 'paused', reason: `The turn took ${stepLimit} steps and pauses here. Send a message to go on.` };
}

async function askAndPlan(model: StreamModel, index: number, ports: TurnPorts): Promise<ReadyStep | TurnResult> {
  const stepId = ports.newId<StepId>('step');
  const early = createEarlyRuns(ports);
  const by = ports.agent === undefined ? {} : { agent: ports.agent };
  ports.emit({ type: 'step-start', turnId: ports.turnId, stepId, index, ...by });

  // 1 stream
  const request = { model: ports.modelName, system: systemPrompt, messages: ports.transcript.history(), tools: ports.dispatcher.apiTools(), maxOutputTokens };
  const streamed = await streamStep(model, request, { ...ports, early, stepId });
  const { calls, stop, rawStop, usage } = streamed.assembled;
  ports.emit({
    type: 'step-end',
    turnId: ports.turnId,
    stepId,
    stop: ports.stop.stopped ? 'aborted' : streamed.error === undefined ? (stop ?? 'end') : 'error',
    usage,
  });
  if (streamed.forged) ports.noticeForgery();
  if (ports.stop.stopped || streamed.error !== undefined) return breakOff(streamed, early, ports);

  // 2 plan
  if (calls.length > 0) await ports.refreshPolicy();
  const planned = planStep(calls, rawStop, { ...ports, prepared: streamed.prepared });
  // 3 batch
  const batches = batchCalls(planned, ports.newId);
  if (planned.length > 0)
    ports.emit({ type: 'plan-end', stepId, calls: planned.map((call) => planView(call, ports.dispatcher)), batches: batches.map(batchView) });
  const inputs = new Map(planned.map((call) => [call.call.callId, call.input]));
  const blocks = historyBlocks(streamed, (callId) => inputs.get(callId) ?? {});
  if (blocks.length > 0) ports.transcript.push({ role: 'assistant', blocks });
  if (planned.length === 0) return yielded(stop, blocks.length > 0);
  return { stepId, planned, batches, early };
}

function yielded(stop: StopReason | null, saidSomething: boolean): TurnResult {
  if (stop === 'length') return { end: 'yielded', reason: 'The answer was cut off by the output limit. Send "continue" to let the model go on.' };
  if (stop === 'refusal') return { end: 'yielded', reason: 'The model declined to answer. Nothing was done in this step; ask in another way.' };
  return saidSomething
    ? { end: 'yielded' }
    : { end: 'yielded', reason: 'The model answered with nothing. Nothing was done in this step; send the message again, or choose another model.' };
}
