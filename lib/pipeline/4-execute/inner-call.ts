import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, NewId } from '@/lib/contracts/ids';
import type { Capability, SlotOutcome, ToolErrorKind, ToolResult } from '@/lib/contracts/outcome';
import type { Standing, TraceEntry } from '@/lib/contracts/policy';
import type { LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { verdictFor } from '@/lib/pipeline/2-plan/plan';
import { messageOf } from '@/lib/shared/coded-error';
import type { JsonObject } from '@/lib/shared/json';
import type { Stop } from '@/lib/shared/stop';
import type { ObservedFiles } from './observed-files';
import { type BodyPorts, cancelledOutcome, runBody } from './run-body';

/** The running call whose tool makes another one. */
export interface OuterCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly stop: Stop;
}

export interface InnerCallPorts extends BodyPorts {
  readonly loopGuard: LoopGuard;
  readonly standing: Standing;
  readonly observed: ObservedFiles;
  readonly newId: NewId;
  readonly emit: (event: EngineEventBody) => void;
}

const harmless: readonly Capability[] = ['read-only', 'sandboxable'];

/**
 * Makes a call that a running tool asks for.
 *
 * In     a tool that can do no more than the one that asks.
 * Out    its result. What would have to be asked of a person is not done: the model can make that call itself.
 * Fails  never rejects.
 * Order  it skips the lock, which the outer call holds; arguments, loop guard, policy, approval, read-before-write and timeout are as for any call.
 * Source governance 8.
 */
export async function runInnerCall(outer: OuterCall, name: string, input: JsonObject, ports: InnerCallPorts): Promise<ToolResult> {
  const { dispatcher, loopGuard, observed, emit } = ports;
  const tell = (outcome: SlotOutcome, trace: readonly TraceEntry[] = []): ToolResult => {
    emit({ type: 'inner-call', callId: outer.callId, tool: name, input, trace, outcome });
    const { status, content, error, data, metadata, changes } = outcome;
    return { ok: status === 'ok', content, error, data, metadata, changes };
  };
  const refuse = (error: ToolErrorKind, content: string, trace: readonly TraceEntry[] = []) =>
    tell({ status: error === 'permission-denied' ? 'denied' : 'refused', error, content, started: false }, trace);

  const metadata = dispatcher.metadata(name);
  if (metadata === undefined) return refuse('not-available', `There is no tool named ${JSON.stringify(name)}; nothing was executed.`);
  const asking = dispatcher.metadata(outer.tool);
  const beyond = metadata.capabilities.filter((capability) => !harmless.includes(capability) && !asking?.capabilities.includes(capability));
  // What declares nothing is not known to be harmless.
  if (beyond.length > 0 || asking === undefined || (asking.readOnly && !metadata.readOnly))
    return refuse('permission-denied', `${name} was not executed: it can do more than ${outer.tool}, which called it. Make it as a call of its own.`);
  const valid = dispatcher.validateInput(name, input);
  if (!valid.ok) return refuse(valid.error.kind, valid.error.message);

  const callId = ports.newId<CallId>('inner');
  const guarded = { callId, tool: name, key: dispatcher.loopKey(name, valid.input), polling: metadata.polling };
  if (loopGuard.attempt(guarded).kind === 'block')
    return refuse('not-available', `${name} was not executed: it is the same call with the same arguments for the third time in this turn.`);
  const verdict = verdictFor({ tool: name, input: valid.input, repairs: [] }, ports);
  if (verdict.decision !== 'allow') {
    const why = verdict.decision === 'deny' ? 'it is denied' : 'a person would have to be asked';
    return refuse('permission-denied', `${name} was not executed from inside ${outer.tool}: ${why}. Make it as a call of its own.`, verdict.trace);
  }
  const paths = dispatcher.pathsFor(name, valid.input);
  const unseen = paths.writes.length > 0 ? await observed.refusal(name, paths.writes) : undefined;
  if (unseen !== undefined) return refuse('invalid-input', unseen, verdict.trace);
  if (outer.stop.stopped) return tell(cancelledOutcome(messageOf(outer.stop.signal.reason)), verdict.trace);

  const body = runBody({ callId, tool: name, input: valid.input, timeoutMs: dispatcher.timeoutFor(name, valid.input) }, ports);
  const unsubscribe = outer.stop.onPull((reason) => body.abort(reason));
  const outcome = await body.outcome;
  unsubscribe();
  const ok = outcome.status === 'ok';
  if (ok) await observed.note([...paths.reads, ...paths.writes]);
  if (outcome.status !== 'cancelled') loopGuard.outcome({ ...guarded, ok, result: outcome.content, ...(ok ? {} : { error: outcome.content }) });
  return tell(outcome, verdict.trace);
}
