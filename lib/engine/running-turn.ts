import type { EngineEvent, EngineEventBody } from '@/lib/contracts/events';
import type { AgentId, TurnId } from '@/lib/contracts/ids';
import type { StreamModel } from '@/lib/contracts/model';
import type { SessionRecord } from '@/lib/contracts/store';
import type { LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { verdictFor } from '@/lib/pipeline/2-plan/plan';
import type { Gate } from '@/lib/pipeline/4-execute/gate';
import { runInnerCall } from '@/lib/pipeline/4-execute/inner-call';
import type { ObservedFiles } from '@/lib/pipeline/4-execute/observed-files';
import { messageOf } from '@/lib/shared/coded-error';
import { createStop, type Stop } from '@/lib/shared/stop';
import type { Approvals } from './approvals';
import { type BrokenStep, type BrokenTurn, closedTurn } from './broken-turn';
import { finishBroken } from './finish-broken';
import type { EnginePorts, OpenWorkspace } from './ports';
import { recallLoops } from './recall-loops';
import type { Recorder } from './recorder';
import type { SessionPolicy } from './session-policy';
import type { SessionTools } from './session-tools';
import type { SessionDiagnostics } from './step-diagnostics';
import { createToolHost } from './tool-host';
import { createTranscript, type Transcript } from './transcript';
import { runTurn, type TurnResult } from './turn';
import type { TurnPorts } from './turn-ports';
import type { Undo } from './undo';

/** A turn under way, and the agents that work in it. */
export interface RunningTurn {
  readonly turnId: TurnId;
  readonly stop: Stop;
  /** Takes an agent in; settles when its model yields. */
  join(agent: AgentId, stream: StreamModel, left?: BrokenStep['step']): Promise<TurnResult>;
  /** Says how an agent is run, once the turn has begun. */
  begin(runAgent: RunAgent): void;
  /** Settles when no agent works any more. */
  drained(): Promise<void>;
}

type RunAgent = (agent: AgentId, stream: StreamModel, left: BrokenStep['step'] | undefined) => Promise<TurnResult>;

/** Makes a turn that has not begun; agents that join wait for its beginning. */
export function createRunningTurn(turnId: TurnId): RunningTurn {
  const working = new Set<Promise<TurnResult>>();
  let begin: (runAgent: RunAgent) => void = () => {};
  const begun = new Promise<RunAgent>((resolve) => {
    begin = resolve;
  });
  return {
    turnId,
    stop: createStop(),
    join(agent, stream, left) {
      const work = begun.then((runAgent) => runAgent(agent, stream, left));
      working.add(work);
      return work.finally(() => working.delete(work));
    },
    begin: (runAgent) => begin(runAgent),
    async drained() {
      while (working.size > 0) await Promise.allSettled([...working]);
    },
  };
}

export interface TurnParts {
  readonly stored: readonly EngineEvent[];
  /** Grows. */
  readonly events: readonly EngineEvent[];
  readonly recorder: Recorder;
  readonly transcript: Transcript;
  readonly approvals: Approvals;
  readonly policy: SessionPolicy;
  readonly observed: ObservedFiles;
  readonly tools: SessionTools;
  readonly undo: Undo;
  readonly diagnostics: SessionDiagnostics;
  readonly loopGuard: LoopGuard;
  readonly outside: OutsideTracker;
  readonly workspace: OpenWorkspace;
  readonly gate: Gate;
  readonly record: SessionRecord;
  readonly ports: EnginePorts;
}

/** Runs one turn from its first word to its end; every call in it has one result then, whatever happened. */
export async function runOneTurn(begin: { readonly text: string } | { readonly broken: BrokenTurn }, running: RunningTurn, parts: TurnParts): Promise<void> {
  const { recorder, transcript, ports, record } = parts;
  const { turnId } = running;
  const { emit } = recorder;
  const model = ports.models.open(record.taskId);
  if ('broken' in begin) reopenTurn(begin.broken, emit);
  else {
    emit({ type: 'turn-start', turnId, text: begin.text, model: model.name });
    transcript.push({ role: 'user', text: begin.text });
  }
  await recorder.commit();
  parts.loopGuard.newTurn();
  if ('broken' in begin) recallLoops(parts.loopGuard, parts.stored, turnId, ports.dispatcher);
  const turnPorts = portsOf(running, model.name, parts);
  const work = async (stream: StreamModel, agentPorts: TurnPorts, left: BrokenStep['step'] | undefined): Promise<TurnResult> => {
    let result: TurnResult;
    try {
      result = await runTurn(stream, agentPorts, left);
    } catch (error) {
      result = { end: 'failed', reason: `The engine met an error of its own (${messageOf(error)}). What was done is kept; send a message to go on.` };
    }
    finishBroken(recorder, agentPorts.transcript, result.reason ?? 'the turn ended', parts.events);
    return result;
  };
  running.begin((agent, stream, left) => work(stream, { ...turnPorts, agent, transcript: createTranscript(parts.stored, emit, agent) }, left));
  let result: TurnResult;
  if ('broken' in begin) {
    for (const { agent, step } of begin.broken.steps) if (agent !== undefined) void running.join(agent, model.stream, step);
    const own = begin.broken.steps.find(({ agent }) => agent === undefined);
    result = own === undefined ? closedTurn : await work(model.stream, turnPorts, endingWithItsModel(own.step, begin.broken.model, model.name));
  } else result = await work(model.stream, turnPorts, undefined);
  await running.drained();
  parts.approvals.desk.cancelTurn(turnId);
  emit({ type: 'turn-end', turnId, ...result });
  await recorder.commit();
}

function portsOf({ turnId, stop }: RunningTurn, modelName: string, parts: TurnParts): TurnPorts {
  const { recorder, transcript, ports, record, approvals } = parts;
  const { emit } = recorder;
  let forgeryNoticed = false;
  const turnPorts: TurnPorts = {
    turnId,
    modelName,
    earlyStarts: ports.earlyStarts,
    dispatcher: ports.dispatcher,
    standing: approvals.standing,
    promptFacts: approvals.promptFacts,
    loopGuard: parts.loopGuard,
    outside: parts.outside,
    summarise: ports.summarise,
    transcript,
    desk: approvals.desk,
    observed: parts.observed,
    gate: parts.gate,
    clock: ports.clock,
    newId: ports.newId,
    stop,
    undoSteps: parts.undo.stepsOf(turnId),
    diagnostics: parts.diagnostics,
    emit,
    commit: recorder.commit,
    refreshPolicy: parts.policy.refresh,
    ...createToolHost({
      workspace: parts.workspace,
      spills: ports.stores.spills,
      tools: parts.tools,
      explain: parts.policy.explain,
      standing: approvals.standing,
      fetchWeb: ports.fetchWeb,
      outside: parts.outside,
      decide: (tool, input) => verdictFor({ tool, input, repairs: [] }, turnPorts).decision,
      undo: parts.undo,
      sessionId: record.sessionId,
      turnId,
      emit,
      now: ports.clock.now,
      newId: ports.newId,
      callTool: (outer, name, input) => runInnerCall(outer, name, input, turnPorts),
    }),
    onLateResult: (callId, ok) => emit({ type: 'call-late-result', callId, ok }),
    spills: ports.stores.spills,
    newRef: ports.newSpillRef,
    sessionId: record.sessionId,
    now: ports.clock.now,
    jobs: parts.tools.jobs,
    canRetrieve: ports.dispatcher.has('retrieve_tool_result'),
    noticeForgery() {
      if (forgeryNoticed) return;
      forgeryNoticed = true;
      emit({
        type: 'notice',
        level: 'warning',
        code: 'forgery-stripped',
        text: 'The model wrote a tool call as text. It was taken out of the text and nothing was executed: only calls through the structured channel count.',
      });
    },
  };
  return turnPorts;
}

/** Says what a closed tab left open: steps that were streaming, and prompts, which are asked anew. */
function reopenTurn(broken: BrokenTurn, emit: (event: EngineEventBody) => void): void {
  emit({ type: 'session-resume' });
  for (const stepId of broken.openSteps) emit({ type: 'step-end', turnId: broken.turnId, stepId, stop: 'aborted', usage: {} });
  for (const prompt of broken.prompts) emit({ type: 'approval-end', approvalId: prompt.approvalId, callId: prompt.callId, outcome: { kind: 'cancelled' } });
}

/** The step to finish; its turn ends after it where its model is not the one that is connected now. */
function endingWithItsModel(step: BrokenStep['step'], before: string, now: string): BrokenStep['step'] {
  if (before === now || step.thenEnd !== undefined) return step;
  return {
    ...step,
    thenEnd: {
      end: 'stopped',
      reason: `This turn went to ${before}, which is not connected now. Connect it again, or go on with another model by sending a message.`,
    },
  };
}
