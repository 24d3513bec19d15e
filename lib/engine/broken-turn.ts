import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEvent } from '@/lib/contracts/events';
import type { AgentId, BatchId, CallId, StepId, TurnId } from '@/lib/contracts/ids';
import type { AssistantBlock } from '@/lib/contracts/message';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { Batch, PlannedCall, PlannedCallView } from '@/lib/contracts/plan';
import { reviveCall } from '@/lib/pipeline/1-stream/assemble-blocks';
import { cancelledOutcome, cancelledWords } from '@/lib/pipeline/4-execute/run-body';
import type { ReadyStep, TurnResult } from './turn';

type CallBlock = Extract<AssistantBlock, { kind: 'call' }>;
type OpenPrompt = Extract<EngineEvent, { type: 'approval-start' }>['request'];

/** A turn that a closed tab cut off. */
export interface BrokenTurn {
  readonly turnId: TurnId;
  /** The name of the model that it went to. */
  readonly model: string;
  /** Steps that were begun and never ended. */
  readonly openSteps: readonly StepId[];
  /** Prompts that were open; they end, and are asked again where their step goes on. */
  readonly prompts: readonly OpenPrompt[];
  /** What is left of each agent's last step: calls without a result, to be finished as a step of their own. */
  readonly steps: readonly BrokenStep[];
}

export interface BrokenStep {
  /** Absent = the agent of the turn. */
  readonly agent?: AgentId;
  readonly step: Omit<ReadyStep, 'early'>;
}

const reason = 'the tab closed';

/** How a turn ends that the person must start again. */
export const closedTurn: TurnResult = {
  end: 'stopped',
  reason: 'The tab that ran this turn was closed, or another one took over. What was done is kept; send a message to go on.',
};

/**
 * Finds the turn that a closed tab cut off, and what is left of it.
 *
 * In     the stored events; `unanswered`: calls of an agent's last message that have no result.
 * Out    undefined when every turn has ended. A call whose prompt was open is asked again, and so is a question to the person; one that had been started, or was
 *        decided and not started, is cancelled with these words; one that had settled keeps its outcome. Nothing runs twice. A subagent ends after
 *        its step: the call that it worked for is gone.
 * Source governance 12.
 */
export function findBrokenTurn(
  events: readonly EngineEvent[],
  unanswered: (agent: AgentId | undefined) => readonly CallBlock[],
  dispatcher: ToolDispatcher,
): BrokenTurn | undefined {
  const left = readLeft(events);
  if (left === undefined) return undefined;
  const steps: BrokenStep[] = [];
  for (const [agent, plan] of left.plans) {
    const calls = unanswered(agent);
    if (calls.length === 0) continue;
    const step = stepLeft(calls, plan, left, dispatcher);
    steps.push(agent === undefined ? { step } : { agent, step: { ...step, thenEnd: closedTurn } });
  }
  return { turnId: left.turnId, model: left.model, openSteps: [...left.openSteps], prompts: [...left.prompts.values()], steps };
}

/** True when nobody has to be asked to finish it. */
export function needsNobody({ steps }: BrokenTurn): boolean {
  return steps.every(({ step }) => step.batches.every(({ calls }) => calls.every((call) => call.stopped !== undefined)));
}

function stepLeft(unanswered: readonly CallBlock[], plan: PlanEnd, left: Left, dispatcher: ToolDispatcher): Omit<ReadyStep, 'early'> {
  const settled = new Map<CallId, SlotOutcome>();
  const open: PlannedCall[] = [];
  const planned = unanswered.map((block, index): PlannedCall => {
    const { callId } = block;
    const view = plan.calls.find((one) => one.callId === callId);
    const call = revive(block, index, view, dispatcher);
    const known = left.settled.get(callId);
    if (known !== undefined) settled.set(callId, known);
    else if (onlyAsks(call.tool, dispatcher) && (left.started.has(callId) || view?.decision !== 'ask')) {
      const allowed: PlannedCall = { ...call, verdict: { ...call.verdict, decision: 'allow' } };
      const again: PlannedCall = left.started.has(callId) ? { ...allowed, begun: true } : allowed;
      open.push(again);
      return again;
    } else if (left.waiting.has(callId) && !left.started.has(callId)) open.push(call);
    else {
      const started = left.started.has(callId);
      const outcome = { ...cancelledOutcome(reason), content: cancelledWords(reason, started), started };
      return { ...call, stopped: { stage: 'recovered', outcome } };
    }
    return call;
  });
  return {
    stepId: plan.stepId,
    planned,
    batches: batchesOf(planned, settled, plan),
    settled,
    pushed: left.pushed,
    ...(open.length > 0 ? {} : { thenEnd: closedTurn }),
  };
}

type PlanEnd = Extract<EngineEvent, { type: 'plan-end' }>;

interface Left {
  readonly turnId: TurnId;
  readonly model: string;
  readonly openSteps: Set<StepId>;
  readonly agentOf: Map<StepId, AgentId | undefined>;
  /** The newest plan of each agent. */
  readonly plans: Map<AgentId | undefined, PlanEnd>;
  readonly started: Set<CallId>;
  readonly waiting: Set<CallId>;
  readonly settled: Map<CallId, SlotOutcome>;
  readonly pushed: Map<CallId, { readonly content: string; readonly isError: boolean }>;
  readonly prompts: Map<string, OpenPrompt>;
}

function readLeft(events: readonly EngineEvent[]): Left | undefined {
  let left: Left | undefined;
  for (const event of events) {
    if (event.type === 'turn-start')
      left = {
        turnId: event.turnId,
        model: event.model,
        openSteps: new Set(),
        agentOf: new Map(),
        plans: new Map(),
        started: new Set(),
        waiting: new Set(),
        settled: new Map(),
        pushed: new Map(),
        prompts: new Map(),
      };
    else if (left === undefined) continue;
    else if (event.type === 'turn-end') left = undefined;
    else if (event.type === 'step-start') {
      left.openSteps.add(event.stepId);
      left.agentOf.set(event.stepId, event.agent);
    } else if (event.type === 'step-end') left.openSteps.delete(event.stepId);
    else if (event.type === 'plan-end') {
      left.plans.set(left.agentOf.get(event.stepId), event);
      // A call that was to be asked for waits from the plan on, also where the tab closed before its prompt was stored.
      for (const call of event.calls) if (call.decision === 'ask') left.waiting.add(call.callId);
    } else if (event.type === 'call-start') left.started.add(event.callId);
    else if (event.type === 'call-settled') left.settled.set(event.callId, event.outcome);
    else if (event.type === 'result-push') left.pushed.set(event.callId, { content: event.content, isError: event.isError });
    else if (event.type === 'approval-start') left.prompts.set(event.request.approvalId, event.request);
    else if (event.type === 'approval-end') {
      left.prompts.delete(event.approvalId);
      // A prompt that ended because its tab closed is asked again; any other end is the person's word.
      if (event.outcome.kind !== 'cancelled') left.waiting.delete(event.callId);
    }
  }
  return left;
}

/** A call that does nothing but wait for the person: asking again does nothing twice. */
function onlyAsks(tool: string, dispatcher: ToolDispatcher): boolean {
  const metadata = dispatcher.metadata(tool);
  return metadata?.interactive === true && metadata.readOnly;
}

function revive(block: CallBlock, index: number, view: PlannedCallView | undefined, dispatcher: ToolDispatcher): PlannedCall {
  const tool = view?.tool ?? block.name;
  const call = reviveCall({
    callId: block.callId,
    wireId: block.wireId,
    name: block.name,
    argumentsText: JSON.stringify(block.input),
    damaged: false,
    warnings: [],
  });
  return {
    call,
    index,
    tool,
    input: block.input,
    loopKey: dispatcher.loopKey(tool, block.input),
    repairs: view?.repairs ?? [],
    verdict: { decision: 'ask', level: view?.level ?? 'required', trace: view?.trace ?? [] },
    ...(view?.facts === undefined ? {} : { facts: view.facts }),
    parallelSafe: false,
    timeoutMs: dispatcher.timeoutFor(tool, block.input),
    summary: view?.summary ?? dispatcher.summarize(tool, block.input),
  };
}

/** The batches of what is left, under their old ids; calls that had settled are done. */
function batchesOf(planned: readonly PlannedCall[], settled: ReadonlyMap<CallId, SlotOutcome>, plan: PlanEnd): readonly Batch[] {
  return planned
    .filter((call) => !settled.has(call.call.callId))
    .map(
      (call): Batch => ({
        batchId: plan.batches.find((batch) => batch.callIds.includes(call.call.callId))?.batchId ?? (`batch-of-${call.call.callId}` as BatchId),
        kind: 'serial',
        calls: [call],
      }),
    );
}
