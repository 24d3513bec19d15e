import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall, Stopped, ToolCall } from '@/lib/contracts/plan';
import type { Standing, TraceEntry, Verdict } from '@/lib/contracts/policy';
import { isParallelSafe } from '@/lib/pipeline/3-batch/parallel-safe';
import { decide } from '@/lib/policy/decide';
import { callFacts, decisionFacts } from './call-facts';
import type { LoopGuard } from './loop-guard';
import type { OutsideTracker } from './outside-bytes';
import { type PreparedCall, prepareCall } from './prepare-call';
import { isTruncatedStop } from './truncation-gate';

export interface PlanPorts {
  readonly dispatcher: ToolDispatcher;
  readonly loopGuard: LoopGuard;
  readonly standing: Standing;
  /** What came from outside in this session; absent = nobody asks. */
  readonly outside?: Pick<OutsideTracker, 'find'> | undefined;
  /** Calls that were prepared while they streamed; they need not be read twice. */
  readonly prepared: ReadonlyMap<CallId, PreparedCall>;
}

/**
 * Plans the calls of one step, in call order: gate, name, arguments, loop guard, approval, batch class. A deferred tool that is called is activated.
 *
 * In     `rawStop`: the provider's own word for why the step ended; some mean that the output limit cut it off.
 * Out    one planned call a call, in its slot; `stopped` ones never run and already know their outcome.
 * Source governance 6.
 */
export function planStep(calls: readonly ToolCall[], rawStop: string | null, ports: PlanPorts): readonly PlannedCall[] {
  return calls.map((call, index) => planCall(call, index, rawStop, ports));
}

function planCall(call: ToolCall, index: number, rawStop: string | null, ports: PlanPorts): PlannedCall {
  const { dispatcher, loopGuard } = ports;
  // Prepared while it was not known how the turn would end: a cut one is read anew, strictly.
  const early = isTruncatedStop(rawStop) ? undefined : ports.prepared.get(call.callId);
  const prepared = early !== undefined && sameWire(early.call, call) ? early : prepareCall(call, rawStop, dispatcher);
  const { tool, metadata, input } = prepared;
  if (!dispatcher.isLoaded(tool)) dispatcher.activate(tool);
  const summary = dispatcher.summarize(tool, input);
  const timeoutMs = dispatcher.timeoutFor(tool, input);
  const loopKey = dispatcher.loopKey(tool, input);
  const base = { call, index, tool, input, loopKey, repairs: prepared.repairs, summary, timeoutMs };
  if (prepared.stopped !== undefined || metadata === undefined) return stoppedCall(base, prepared.stopped as Stopped, []);

  const guard = loopGuard.attempt({ callId: call.callId, tool, key: loopKey, polling: metadata.polling });
  if (guard.kind === 'block') {
    const content = blockedWords(tool, guard.earlier, guard.cycle);
    // It keeps its place: a blocked read does not tear its batch apart.
    const parallelSafe = isParallelSafe(metadata, verdictFor(prepared, ports).level);
    const stopped: Stopped = {
      stage: 'loop-guard',
      outcome: {
        status: 'blocked',
        error: 'not-available',
        content,
        started: false,
        metadata: { blocked: 'loop_guard', ...(guard.earlier === undefined ? {} : { earlier_call: guard.earlier }) },
      },
    };
    return { ...stoppedCall(base, stopped, []), parallelSafe };
  }
  const facts = decisionFacts(prepared, dispatcher, ports.outside);
  const verdict = decide({ tool, input, repairs: prepared.repairs, ...facts }, ports.standing);
  if (verdict.decision === 'deny') {
    const outcome = deniedByRule(
      tool,
      verdict.trace.find((entry) => entry.decided),
    );
    return { ...stoppedCall(base, { stage: 'policy', outcome }, verdict.trace), verdict, facts };
  }
  const parallelSafe = verdict.decision === 'allow' && isParallelSafe(metadata, verdict.level);
  return { call, index, tool, input, loopKey, repairs: prepared.repairs, summary, timeoutMs, verdict, facts, parallelSafe };
}

/** Asks the policy about a prepared call; the desk asks again when standing changes. */
export function verdictFor(
  call: Pick<PlannedCall, 'tool' | 'input' | 'repairs' | 'facts'>,
  ports: Pick<PlanPorts, 'dispatcher' | 'standing' | 'outside'>,
): Verdict {
  const { tool, input, repairs, facts } = call;
  // What came from outside after the call cannot be what it carries: the facts are those of its plan.
  return decide(facts === undefined ? callFacts(call, ports.dispatcher, ports.outside) : { tool, input, repairs, ...facts }, ports.standing);
}

function sameWire(a: ToolCall, b: ToolCall): boolean {
  return a === b || (a.name === b.name && a.argumentsText === b.argumentsText && a.damaged === b.damaged);
}

function stoppedCall(base: Omit<PlannedCall, 'verdict' | 'parallelSafe' | 'stopped'>, stopped: Stopped, before: readonly TraceEntry[]): PlannedCall {
  const trace: TraceEntry = {
    rule: stopped.stage,
    evidence: stopped.outcome.content,
    verdict: stopped.stage === 'loop-guard' ? 'block' : 'refuse',
    decided: true,
  };
  return { ...base, verdict: { decision: 'deny', level: 'required', trace: [...before, trace] }, parallelSafe: false, stopped };
}

/** Fills the slot of a call that a rule denied, not a person. */
export function deniedByRule(tool: string, deciding: TraceEntry | undefined): SlotOutcome {
  const content = `${tool} was not executed: this call is denied. ${deciding?.evidence ?? ''} Only this call is denied, not the tool: go on without it, or ask the person.`;
  return { status: 'denied', error: 'permission-denied', content, started: false };
}

function blockedWords(tool: string, earlier: CallId | undefined, cycle: number | undefined): string {
  const answered =
    earlier === undefined ? 'An earlier result in this turn already answers it' : `The result of the earlier ${tool} call (${earlier}) already answers it`;
  const circle = cycle === undefined ? '' : ` The last calls repeat in a circle of ${cycle}, with the same failures each time.`;
  return `${tool} was not executed: this is the same call with the same arguments for the third time in this turn. ${answered}. Use that result, change the arguments, or do something else.${circle}`;
}
