import type { ApprovalOutcome } from '@/lib/contracts/approval';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { BatchId, CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { Standing } from '@/lib/contracts/policy';
import type { UndoSteps } from '@/lib/contracts/undo';
import type { OutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import { deniedByRule, verdictFor } from '@/lib/pipeline/2-plan/plan';
import { DATA_LIMIT_BYTES, isLargeJson } from '@/lib/pipeline/5-backfill/keep-data';
import { messageOf } from '@/lib/shared/coded-error';
import { ownText } from '@/lib/shared/own-text';
import type { Stop } from '@/lib/shared/stop';
import type { ApprovalDesk } from './approval-desk';
import type { EarlyRun, EarlyRuns } from './early-runs';
import type { Gate } from './gate';
import type { ObservedFiles } from './observed-files';
import { type BodyPorts, cancelledOutcome, runBody } from './run-body';

export interface SlotPorts extends BodyPorts {
  readonly emit: (event: EngineEventBody) => void;
  readonly desk: ApprovalDesk;
  readonly gate: Gate;
  readonly observed: ObservedFiles;
  readonly standing: Standing;
  readonly outside?: Pick<OutsideTracker, 'find'>;
  readonly early: EarlyRuns;
  readonly stop: Stop;
  readonly undoSteps: UndoSteps;
  /** Outcomes known before execution: what was refused instead of asked for. */
  readonly refused: ReadonlyMap<CallId, SlotOutcome>;
  /** Awaits until everything said so far is durable. */
  readonly commit: () => Promise<void>;
}

/** UTF-16 units of a content that its event holds. */
const loggedUnits = 65_536;

/**
 * Fills the slot of a serial call: its approval, the write lock, read-before-write, the body.
 *
 * Out    the outcome; never rejects for the call's own reasons.
 * Order  the wait for a person holds no lock; what is denied by the time that the lock is held does not run, whoever allowed it before;
 *        the answer and "started" are durable before a body that can change something runs.
 */
export async function runSerialSlot(given: PlannedCall, batchId: BatchId, ports: SlotPorts): Promise<SlotOutcome> {
  const { callId } = given.call;
  const known = given.stopped?.outcome ?? ports.refused.get(callId);
  if (known !== undefined) return settle(given, known, 0, ports);
  const said = await personSays(given, ports);
  if ('no' in said) return settle(given, said.no, 0, ports);
  const { call: planned, told } = said;
  const fill = (outcome: SlotOutcome) => settle(planned, { ...outcome, ...told }, 0, ports);
  let release: () => void;
  try {
    release = await lockFor(planned, ports);
  } catch (reason) {
    return fill(cancelledOutcome(messageOf(reason)));
  }
  let begun = false;
  try {
    const paths = ports.dispatcher.pathsFor(planned.tool, planned.input);
    if (paths.writes.length > 0) {
      const reason = await ports.observed.refusal(planned.tool, paths.writes);
      if (reason !== undefined) return fill({ status: 'refused', error: 'invalid-input', content: reason, started: false });
    }
    const denied = deniedMeanwhile(planned, ports);
    if (denied !== undefined) return fill(denied);
    if (planned.begun !== true) ports.emit({ type: 'call-start', callId, batchId, early: false });
    begun = true;
    const kept = ports.commit();
    // What only reads, unasked, may begin before its beginning is durable: nothing is lost when the tab closes.
    if (said.asked || ports.dispatcher.metadata(planned.tool)?.readOnly !== true) await kept;
    if (ports.stop.stopped) return fill(cancelledOutcome(messageOf(ports.stop.signal.reason)));
    const step = ports.dispatcher.metadata(planned.tool)?.readOnly === true ? undefined : await ports.undoSteps.open(planned);
    const outcome = await runNow(planned, ports, told);
    await step?.close();
    if (outcome.status === 'ok') await ports.observed.note([...paths.reads, ...paths.writes]);
    return outcome;
  } finally {
    release();
    if (begun) ports.emit({ type: 'call-end', callId, batchId });
  }
}

/** A call in a parallel batch that was started early. */
export interface TakenRun {
  readonly call: PlannedCall;
  readonly run: EarlyRun;
}

/**
 * Takes the early run of a call in a parallel batch, whose caller holds the read lock, and tells its start.
 *
 * In     `waited`: its batch could not begin at once.
 * Out    undefined when the call has to run now; `filled` when it is denied meanwhile.
 */
export function takeEarlyRun(call: PlannedCall, batchId: BatchId, waited: boolean, ports: SlotPorts): TakenRun | { readonly filled: SlotOutcome } | undefined {
  const { callId } = call.call;
  const run = ports.early.take(callId, call.tool, call.input);
  if (run === undefined) return undefined;
  if (ports.stop.stopped) run.abort(ports.stop.signal.reason as Error);
  const denied = waited ? deniedMeanwhile(call, ports) : undefined;
  if (denied !== undefined) {
    run.abort(new Error('it is denied now'));
    return { filled: settle(call, denied, 0, ports) };
  }
  ports.emit({ type: 'call-start', callId, batchId, early: true });
  return { call, run };
}

/** Fills the slot of a call that was started early; at once where it has ended. */
export function settleEarlyRun({ call, run }: TakenRun, ports: SlotPorts): SlotOutcome | Promise<SlotOutcome> {
  if (run.settled !== undefined) return settle(call, run.settled, run.durationMs(), ports);
  const unsubscribe = ports.stop.onPull((reason) => run.abort(reason));
  return run.outcome.then((outcome) => {
    unsubscribe();
    return settle(call, outcome, run.durationMs(), ports);
  });
}

/** Fills the slot of any other call in a parallel batch, whose caller holds the read lock. `waited`: its batch could not begin at once; `onStart`: its start was told. */
export async function runParallelSlot(planned: PlannedCall, batchId: BatchId, waited: boolean, ports: SlotPorts, onStart: () => void): Promise<SlotOutcome> {
  const { callId } = planned.call;
  if (planned.stopped !== undefined) return settle(planned, planned.stopped.outcome, 0, ports);
  if (ports.stop.stopped) return settle(planned, cancelledOutcome(messageOf(ports.stop.signal.reason)), 0, ports);
  const denied = waited ? deniedMeanwhile(planned, ports) : undefined;
  if (denied !== undefined) return settle(planned, denied, 0, ports);
  ports.emit({ type: 'call-start', callId, batchId, early: false });
  onStart();
  const outcome = await runNow(planned, ports);
  if (outcome.status === 'ok') {
    const { reads } = ports.dispatcher.pathsFor(planned.tool, planned.input);
    if (reads.length > 0) await ports.observed.note(reads);
  }
  return outcome;
}

async function runNow(planned: PlannedCall, ports: SlotPorts, told?: Told): Promise<SlotOutcome> {
  const body = runBody({ callId: planned.call.callId, tool: planned.tool, input: planned.input, timeoutMs: planned.timeoutMs }, ports);
  const unsubscribe = ports.stop.onPull((reason) => body.abort(reason));
  const outcome = await body.outcome;
  unsubscribe();
  return settle(planned, told === undefined ? outcome : { ...outcome, ...told }, ports.clock.now() - body.startedAt, ports);
}

/** A call that only waits for the person holds no lock, as no prompt does. */
async function lockFor(planned: PlannedCall, ports: SlotPorts): Promise<() => void> {
  const metadata = ports.dispatcher.metadata(planned.tool);
  return metadata?.interactive === true && metadata.readOnly ? () => {} : ports.gate.write(ports.stop.signal);
}

function settle(planned: PlannedCall, outcome: SlotOutcome, durationMs: number, ports: SlotPorts): SlotOutcome {
  ports.emit({ type: 'call-settled', callId: planned.call.callId, outcome: forTheLog(outcome), durationMs });
  return outcome;
}

/** The log keeps the beginning of a long content and no large data; the whole goes to the cut, which keeps it as a spill. */
function forTheLog(outcome: SlotOutcome): SlotOutcome {
  const rest = outcome.content.length - loggedUnits;
  const long = outcome.data !== undefined && isLargeJson(outcome.data, DATA_LIMIT_BYTES);
  if (rest <= 0 && !long) return outcome;
  const { data, ...kept } = outcome;
  const content =
    rest <= 0
      ? outcome.content
      : `${ownText(outcome.content.slice(0, loggedUnits))}\n[${rest} more characters: in the stored result where this result was handed on, lost where the tab closed before that]`;
  return { ...kept, content, ...(data === undefined || long ? {} : { data }) };
}

/** What the person said and changed, as the outcome keeps it. */
type Told = Pick<SlotOutcome, 'note' | 'editedInput'>;

/** `no` fills the slot; else the call runs as it is now, and what was told goes to the model behind its result. */
type PersonSays = { readonly no: SlotOutcome } | { readonly call: PlannedCall; readonly asked: boolean; readonly told?: Told };

/** Waits for the person where one was asked. */
async function personSays(planned: PlannedCall, ports: SlotPorts): Promise<PersonSays> {
  const asked = ports.desk.outcome(planned.call.callId);
  // A person may take long: what the batches before brought is made durable meanwhile.
  if (asked !== undefined) void ports.commit();
  const answer = asked === undefined ? undefined : await asked;
  // The stop wins over an answer that arrives in the same tick.
  if (ports.stop.stopped) return { no: cancelledOutcome(messageOf(ports.stop.signal.reason)) };
  if (planned.verdict.decision === 'allow') return { call: planned, asked: false };
  if (answer === undefined) return { no: cancelledOutcome('its approval was lost') };
  return readAnswer(planned, answer, ports);
}

/** While a call waited for its turn, allowed by a rule or by a person, a mode, a rule or a denial may have come that denies it. */
function deniedMeanwhile(planned: PlannedCall, ports: SlotPorts): SlotOutcome | undefined {
  const { decision, trace } = verdictFor(planned, ports);
  if (decision !== 'deny') return undefined;
  const deciding = trace.find((entry) => entry.decided);
  return deniedByRule(planned.tool, deciding);
}

function readAnswer(planned: PlannedCall, answer: ApprovalOutcome, ports: SlotPorts): PersonSays {
  const { tool } = planned;
  if (answer.kind === 'cancelled') return { no: cancelledOutcome('the turn was stopped') };
  if (answer.kind === 'expired') return { no: expired(tool, answer.afterMs) };
  if (answer.kind === 'covered') {
    if (answer.decision === 'allow') return { call: planned, asked: true };
    return { no: deniedByRule(tool, answer.deniedBy) };
  }
  const { choice, words, edited } = answer;
  if (choice === 'stop') return { no: cancelledOutcome('the person stopped the turn') };
  if (choice === 'deny') return { no: denied(tool, words) };
  const said = words === undefined ? [] : [`The person allowed this call and says: ${words}`];
  if (edited === undefined) return said.length === 0 ? { call: planned, asked: true } : { call: planned, asked: true, told: noteOf(said) };
  const changed = `The person edited the arguments of this call before allowing it. They are now: ${JSON.stringify(edited.input)}`;
  if (edited.deniedBy !== undefined) {
    const outcome = deniedByRule(tool, edited.deniedBy);
    return { no: { ...outcome, ...noteOf([changed, ...said]) } };
  }
  const { facts: _facts, ...kept } = planned;
  const call: PlannedCall = {
    ...kept,
    input: edited.input,
    repairs: [],
    timeoutMs: ports.dispatcher.timeoutFor(tool, edited.input),
    ...(edited.facts === undefined ? {} : { facts: edited.facts }),
  };
  return { call, asked: true, told: { ...noteOf([changed, ...said]), editedInput: edited.input } };
}

function noteOf(said: readonly string[]): { readonly note: string } {
  return { note: `[${said.join('\n')}]` };
}

function denied(tool: string, words: string | undefined): SlotOutcome {
  const said = words === undefined ? 'No reason was given.' : `They said: ${words}`;
  return {
    status: 'denied',
    error: 'permission-denied',
    content: `Denied by the person: ${tool} was not executed. ${said} Only this call is denied, not the tool. Do not send the same call again; go on another way, or ask.`,
    started: false,
    metadata: words === undefined ? { denied: true } : { denied: true, words },
  };
}

function expired(tool: string, afterMs: number): SlotOutcome {
  const content = `Denied: nobody answered within ${Math.round(afterMs / 1000)} s, so ${tool} was not executed. That is no answer to the call itself: go on without it, or ask the person.`;
  return { status: 'denied', error: 'permission-denied', content, started: false, metadata: { denied: true, expired_after_ms: afterMs } };
}
