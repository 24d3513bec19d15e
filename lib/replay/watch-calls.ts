import type { ApprovalOutcome, ApprovalRequest } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { BatchId, CallId, StepId, TurnId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCallView } from '@/lib/contracts/plan';
import { reachedTheGuard } from '@/lib/pipeline/2-plan/guarded-call';
import { isReadOnly } from '@/lib/policy/approval-level';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

type Event<Type extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: Type }>;

/** One call of a log, from its plan to its outcome. */
interface LoggedCall {
  readonly view: PlannedCallView;
  readonly batch: LoggedBatch | undefined;
  /** By whom it may start as far as the log has come: by its plan, by a person or a rule that came later, or by nobody. */
  mayStart: boolean;
  /** A person, a rule or the time denied it. */
  denied: boolean;
  wasAsked: boolean;
  /** What the person made of its arguments. */
  edited?: Json;
  started: boolean;
  settled: boolean;
  /** It brought what it was asked for. */
  isGood?: boolean;
}

interface LoggedBatch {
  readonly batchId: BatchId;
  readonly kind: 'parallel' | 'serial';
  readonly callIds: readonly CallId[];
  readonly before: readonly CallId[];
}

interface LoggedStep {
  readonly streamed: Set<CallId>;
  readonly early: Set<CallId>;
  end?: string;
  planned: boolean;
}

/** Follows a log event by event and says what cannot have happened so: a beginning that nothing allowed, an answer to no prompt, a call without its result. */
export interface CallWatch {
  /** In words, each fault of this event. */
  see(event: EngineEvent): readonly string[];
  /** What had not ended where the log ends; undefined = no turn was under way. */
  left(): OpenEnd | undefined;
}

/** A turn that had not ended: how many of its calls had started without an end, and how many prompts were open. */
export interface OpenEnd {
  readonly started: number;
  readonly asked: number;
}

export interface WatchPorts {
  /** What the standing of this moment makes of a planned call. */
  readonly decide: (callId: CallId) => 'allow' | 'ask' | 'deny' | undefined;
  /** The loop guard ended the turn. */
  readonly halts: (turnId: TurnId) => boolean;
}

/** Makes the watch over one session's log. */
export function createCallWatch(ports: WatchPorts): CallWatch {
  const calls = new Map<CallId, LoggedCall>();
  const steps = new Map<StepId, LoggedStep>();
  const prompts = new Map<string, ApprovalRequest>();
  const endedPrompts = new Set<string>();
  const broken = new Set<CallId>();
  let turn: { readonly turnId: TurnId; readonly callIds: CallId[]; readonly stepIds: StepId[]; resumed: boolean; stopped: boolean } | undefined;
  let first = true;
  let faults: string[] = [];
  const fault = (words: string) => void faults.push(words);

  const plan = ({ stepId, calls: views, batches }: Event<'plan-end'>) => {
    const step = steps.get(stepId);
    if (step === undefined || step.end === undefined || isBrokenEnd(step.end) || step.planned) fault('a plan stands where no step was to be planned');
    const expected = step === undefined ? [] : [...step.streamed];
    if (expected.join() !== views.map(({ callId }) => callId).join()) fault('the plan does not hold the calls that the model sent');
    if (step !== undefined) step.planned = true;
    const before: CallId[] = [];
    const batchOf = new Map<CallId, LoggedBatch>();
    for (const { batchId, kind, callIds } of batches) {
      const batch: LoggedBatch = { batchId, kind, callIds, before: [...before] };
      for (const callId of callIds) {
        if (batchOf.has(callId)) fault(`${callId} stands in two batches`);
        batchOf.set(callId, batch);
      }
      before.push(...callIds);
    }
    for (const view of views) {
      const { callId, decision } = view;
      if (calls.has(callId)) fault(`${callId} is planned twice`);
      const batch = batchOf.get(callId);
      if (batch === undefined) fault(`${callId} stands in no batch`);
      if (lacksGrounds(view)) fault(`the log does not hold what ${callId} was decided by`);
      if (batch?.kind === 'parallel' && decision !== 'stopped' && !(decision === 'run' && isReadOnly(view.facts?.capabilities ?? [])))
        fault(`${callId} may change something and stands in a batch of calls that run side by side`);
      calls.set(callId, { view, batch, mayStart: decision === 'run', denied: isDeniedByPlan(view), wasAsked: false, started: false, settled: false });
      turn?.callIds.push(callId);
    }
    for (const callId of batchOf.keys()) if (!views.some((view) => view.callId === callId)) fault(`${callId} stands in a batch and in no plan`);
  };

  const open = ({ request }: Event<'approval-start'>) => {
    const { approvalId, callId, tool, input } = request;
    const call = calls.get(callId);
    if (prompts.has(approvalId) || endedPrompts.has(approvalId)) fault(`the prompt ${approvalId} opens twice`);
    if (call === undefined || call.view.decision !== 'ask' || call.started || call.settled) fault(`${callId} was not to be asked for`);
    else if (tool !== call.view.tool || !isSame(input, call.view.input)) fault(`the prompt of ${callId} shows another call than the plan`);
    if ([...prompts.values()].some((prompt) => prompt.callId === callId)) fault(`${callId} is asked for twice at a time`);
    if (call !== undefined) call.wasAsked = true;
    prompts.set(approvalId, request);
  };

  const revise = ({ approvalId, callId }: Event<'approval-revise'>) => {
    if (prompts.get(approvalId)?.callId !== callId) fault(`${callId} has new reasons for a prompt that is not open`);
  };

  const answer = ({ approvalId, callId, outcome }: Event<'approval-end'>) => {
    const request = prompts.get(approvalId);
    prompts.delete(approvalId);
    endedPrompts.add(approvalId);
    const call = calls.get(callId);
    if (request === undefined || request.callId !== callId || call === undefined) return fault(`${callId} has an answer to a prompt that is not open`);
    if (outcome.kind === 'answered' && outcome.edited !== undefined) {
      if (outcome.choice !== 'once' || outcome.edited.facts === undefined) fault(`the log does not hold what the edited ${callId} was decided by`);
      call.edited = outcome.edited.input;
    }
    if (outcome.kind === 'answered' && outcome.choice === 'stop' && request.agent === undefined && turn !== undefined) turn.stopped = true;
    call.mayStart = isYes(outcome);
    call.denied = isNo(outcome);
  };

  const start = ({ callId, batchId, early }: Event<'call-start'>) => {
    const call = calls.get(callId);
    if (call === undefined) return fault(`${callId} started, and the log holds no decision about it`);
    if (call.started) fault(`${callId} started twice`);
    if (call.settled) fault(`${callId} started after its end`);
    if (!call.mayStart) fault(`${callId} started, and nothing allowed it`);
    if (call.batch?.batchId !== batchId) fault(`${callId} started in another batch than planned`);
    if (call.batch?.before.some((other) => calls.get(other)?.settled === false)) fault(`${callId} started before the batch before it had ended`);
    if (call.batch?.kind === 'serial' && ports.decide(callId) === 'deny') fault(`${callId} started although it was denied by then`);
    if (early && ![...steps.values()].some((step) => step.early.has(callId))) fault(`${callId} is said to have begun early and did not`);
    call.started = true;
  };

  const settle = ({ callId, outcome }: Event<'call-settled'>) => {
    const call = calls.get(callId);
    if (call === undefined) {
      const step = [...steps.values()].find(({ streamed }) => streamed.has(callId));
      const wasBroken = step !== undefined && !step.planned && step.end !== undefined && isBrokenEnd(step.end) && !broken.has(callId);
      if (!wasBroken || outcome.started || outcome.status !== 'cancelled') fault(`${callId} has a result, and the log holds no decision about it`);
      broken.add(callId);
      return;
    }
    if (call.settled) fault(`${callId} has two results`);
    const { status, started, editedInput } = outcome;
    if ((started || ranToItsEnd(status)) && !call.started) fault(`${callId} has the result of a run, and the log holds no beginning of it`);
    if (status === 'denied' && !call.denied && ports.decide(callId) !== 'deny') fault(`${callId} is said to be denied, and nothing denied it`);
    if (status === 'blocked' && !isStoppedByGuard(call.view)) fault(`${callId} is said to be stopped by the loop guard and was not`);
    if (editedInput !== undefined && (call.edited === undefined || !isSame(editedInput, call.edited))) fault(`${callId} ran with other arguments than allowed`);
    if (call.edited !== undefined && ranToItsEnd(status) && editedInput === undefined) fault(`${callId} ran with other arguments than allowed`);
    call.settled = true;
    call.isGood = status === 'ok';
  };

  const endTurn = ({ turnId, end }: Event<'turn-end'>) => {
    if (turn?.turnId !== turnId) return fault('a turn ends that had not begun');
    for (const callId of turn.callIds) {
      const call = calls.get(callId);
      if (call?.settled === false) fault(call.started ? `${callId} had started and has no end` : `${callId} has no result`);
    }
    for (const stepId of turn.stepIds) {
      const step = steps.get(stepId);
      if (step?.end === undefined) fault('a step has no end');
      else if (!isBrokenEnd(step.end) && !step.planned && step.streamed.size + step.early.size > 0) fault('the calls of a step were never planned');
    }
    for (const { callId } of prompts.values()) fault(`the prompt of ${callId} was never closed`);
    prompts.clear();
    const halted = ports.halts(turnId);
    if (end === 'halted' && !halted) fault('the turn is said to be halted by the loop guard and was not');
    if (halted && !turn.resumed && (end === 'yielded' || end === 'paused')) fault('the loop guard halted the turn, and it went on');
    if (turn.stopped && end !== 'stopped' && end !== 'failed') fault('the person stopped the turn, and it went on');
    turn = undefined;
  };

  const see = (event: EngineEvent) => {
    if (first !== (event.type === 'session-start')) fault(first ? 'the log does not begin with the start of its session' : 'the session starts twice');
    first = false;
    switch (event.type) {
      case 'session-resume':
        if (turn === undefined) fault('a turn is gone on with that had not begun');
        else turn.resumed = true;
        return;
      case 'turn-start':
        if (turn !== undefined) fault('a turn begins before the one before it has ended');
        turn = { turnId: event.turnId, callIds: [], stepIds: [], resumed: false, stopped: false };
        return;
      case 'turn-end':
        return endTurn(event);
      case 'step-start':
        if (turn?.turnId !== event.turnId || steps.has(event.stepId)) fault('a step begins outside of its turn, or twice');
        turn?.stepIds.push(event.stepId);
        steps.set(event.stepId, { streamed: new Set(), early: new Set(), planned: false });
        return;
      case 'step-end': {
        const step = steps.get(event.stepId);
        if (step === undefined || step.end !== undefined) fault('a step ends that had not begun, or twice');
        else step.end = event.stop;
        return;
      }
      case 'call-stream-end': {
        const step = steps.get(event.stepId);
        if (step === undefined || step.end !== undefined || step.streamed.has(event.callId)) fault(`${event.callId} was sent outside of its step, or twice`);
        step?.streamed.add(event.callId);
        return;
      }
      case 'early-start': {
        const step = steps.get(event.stepId);
        if (step === undefined || step.end !== undefined) fault(`${event.callId} began early outside of its step`);
        step?.early.add(event.callId);
        return;
      }
      case 'early-abort':
        steps.get(event.stepId)?.early.delete(event.callId);
        return;
      case 'plan-end':
        return plan(event);
      case 'message-push':
        if (event.message.role !== 'assistant') return;
        for (const block of event.message.blocks)
          if (block.kind === 'call') {
            const call = calls.get(block.callId);
            if (call !== undefined && !isSame(block.input, call.view.input)) fault(`${block.callId} was decided with other arguments than the model is told`);
          }
        return;
      case 'approval-start':
        return open(event);
      case 'approval-revise':
        return revise(event);
      case 'approval-end':
        return answer(event);
      case 'call-start':
        return start(event);
      case 'inner-call': {
        const outer = calls.get(event.callId);
        if (outer?.started !== true || outer.settled) fault(`a call was made from inside ${event.callId}, which did not run`);
        if (event.outcome.started && !event.trace.some(({ decided, verdict }) => decided === true && verdict === 'allow'))
          fault(`a call of ${event.tool} ran inside ${event.callId}, and nothing allowed it`);
        return;
      }
      case 'call-settled':
        return settle(event);
      case 'result-push': {
        const isGood = calls.get(event.callId)?.isGood;
        if (isGood !== undefined && isGood === event.isError) fault(`${event.callId} was handed back as another result than it had`);
        return;
      }
      default:
        return;
    }
  };

  /** Where a rule, a grant or a mode comes before its prompt could open, a call that was to be asked for passes without one. */
  const passUnasked = () => {
    for (const callId of turn?.callIds ?? []) {
      const call = calls.get(callId);
      if (call?.view.decision !== 'ask' || call.wasAsked || call.started || call.settled) continue;
      const decision = ports.decide(callId);
      call.mayStart ||= decision === 'allow';
      call.denied ||= decision === 'deny';
    }
  };

  return {
    see(event) {
      faults = [];
      see(event);
      if (standingChanges.has(event.type)) passUnasked();
      return faults;
    },
    left() {
      if (turn === undefined) return undefined;
      const running = turn.callIds.flatMap((callId) => calls.get(callId) ?? []).filter(({ started, settled }) => started && !settled);
      return { started: running.length, asked: prompts.size };
    },
  };
}

const standingChanges: ReadonlySet<EngineEvent['type']> = new Set(['mode-change', 'policy-change', 'grants-change', 'approval-end']);

function isBrokenEnd(stop: string): boolean {
  return stop === 'error' || stop === 'aborted';
}

/** What was decided has its facts, what reached the loop guard what that was asked, and what was stopped says by what. */
function lacksGrounds(view: PlannedCallView): boolean {
  if (!reachedTheGuard(view)) return false;
  if (view.loop === undefined) return true;
  return view.facts === undefined && !isStoppedByGuard(view);
}

function isStoppedByGuard({ decision, trace }: PlannedCallView): boolean {
  return decision === 'stopped' && trace.some(({ decided, rule }) => decided === true && rule === 'loop-guard');
}

function isDeniedByPlan({ decision, facts }: PlannedCallView): boolean {
  return decision === 'stopped' && facts !== undefined;
}

function isYes(outcome: ApprovalOutcome): boolean {
  if (outcome.kind === 'covered') return outcome.decision === 'allow';
  return outcome.kind === 'answered' && outcome.choice !== 'deny' && outcome.choice !== 'stop' && outcome.edited?.deniedBy === undefined;
}

function isNo(outcome: ApprovalOutcome): boolean {
  if (outcome.kind === 'covered') return outcome.decision === 'deny';
  if (outcome.kind === 'answered') return outcome.choice === 'deny' || outcome.edited?.deniedBy !== undefined;
  return outcome.kind === 'expired';
}

function ranToItsEnd(status: SlotOutcome['status']): boolean {
  return status === 'ok' || status === 'failed' || status === 'timed-out';
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a as Json) === canonicalJson(b as Json);
}
