import type { Clock } from '@/lib/contracts/clock';
import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome, ToolResult } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';
import type { JsonObject } from '@/lib/shared/json';
import { createStop, type Stop } from '@/lib/shared/stop';

export interface BodyPorts {
  readonly dispatcher: ToolDispatcher;
  readonly clock: Clock;
  /** The host's context for one call of `tool` with the input that was decided about; the dispatcher narrows it. */
  makeContext(callId: CallId, stop: Stop, tool: string, input?: JsonObject): ToolContext;
  /** What a command of the call has said so far; absent = nobody listened. */
  outputSoFar?(callId: CallId): string | undefined;
  /** A body that went on after it was given up has ended; its result is only noted. */
  onLateResult(callId: CallId, ok: boolean): void;
}

export interface RunningBody {
  /** Settles when the slot can be filled; never rejects. */
  readonly outcome: Promise<SlotOutcome>;
  readonly startedAt: number;
  /** Gives the call up: its signal aborts, its slot is filled at once, whatever the body does. */
  abort(reason: Error): void;
}

/**
 * Runs one body with its timeout and its own abort.
 *
 * In     `onEnd` hears the outcome the moment it is there, for those who do not wait for the promise.
 * Out    the running body. Its outcome is the tool's result, `timed-out`, or `cancelled`, whichever comes first.
 * Order  the body's signal aborts before the slot is filled, and its ports close with it.
 */
export function runBody(call: BodyCall, ports: BodyPorts, onEnd?: (outcome: SlotOutcome) => void): RunningBody {
  return new Body(call, ports, onEnd);
}

export interface BodyCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: JsonObject;
  readonly timeoutMs: number;
}

// What only it may touch is private by type: real privacy is paid for at each making, and calls come by the hundred.
class Body implements RunningBody {
  readonly startedAt: number;
  private readonly call: BodyCall;
  private readonly ports: BodyPorts;
  private readonly onEnd: ((outcome: SlotOutcome) => void) | undefined;
  private readonly stop = createStop();
  private readonly cancelTimer: (() => void) | undefined;
  private given: SlotOutcome | undefined;
  private waiter: { readonly promise: Promise<SlotOutcome>; readonly resolve: (outcome: SlotOutcome) => void } | undefined;

  constructor(call: BodyCall, ports: BodyPorts, onEnd: ((outcome: SlotOutcome) => void) | undefined) {
    this.call = call;
    this.ports = ports;
    this.onEnd = onEnd;
    this.startedAt = ports.clock.now();
    const { callId, tool, input, timeoutMs } = call;
    if (timeoutMs !== Number.POSITIVE_INFINITY)
      this.cancelTimer = ports.clock.after(timeoutMs, () => this.abort(new CodedError('timeout', `it took longer than ${timeoutMs} ms`)));
    ports.dispatcher.execute(tool, input, ports.makeContext(callId, this.stop, tool, input)).then(
      (result) => this.finish(result),
      (error) => this.finish({ ok: false, error: 'execution-failed', content: messageOf(error) }),
    );
  }

  /** Made when it is first asked for: most early starts are over before anybody waits. */
  get outcome(): Promise<SlotOutcome> {
    if (this.given !== undefined) return Promise.resolve(this.given);
    this.waiter ??= waiterFor();
    return this.waiter.promise;
  }

  abort(reason: Error): void {
    if (this.given !== undefined) return;
    const { callId, tool, timeoutMs } = this.call;
    this.given = withOutput(givenUp(tool, timeoutMs, reason), this.ports.outputSoFar?.(callId));
    this.cancelTimer?.();
    this.stop.pull(reason);
    this.tell(this.given);
  }

  private finish(result: ToolResult): void {
    if (this.given !== undefined) return this.ports.onLateResult(this.call.callId, result.ok);
    this.given = bodyOutcome(result);
    this.cancelTimer?.();
    this.tell(this.given);
  }

  private tell(outcome: SlotOutcome): void {
    this.waiter?.resolve(outcome);
    this.onEnd?.(outcome);
  }
}

function waiterFor(): { readonly promise: Promise<SlotOutcome>; readonly resolve: (outcome: SlotOutcome) => void } {
  let resolve: (outcome: SlotOutcome) => void = () => {};
  const promise = new Promise<SlotOutcome>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function bodyOutcome(result: ToolResult): SlotOutcome {
  const { ok, content, error, data, metadata, changes, ownWords } = result;
  const outcome: { -readonly [Key in keyof SlotOutcome]: SlotOutcome[Key] } = {
    status: ok ? 'ok' : error === 'timeout' ? 'timed-out' : 'failed',
    content,
    started: true,
  };
  if (!ok) outcome.error = error ?? 'execution-failed';
  if (data !== undefined) outcome.data = data;
  if (metadata !== undefined) outcome.metadata = metadata;
  if (changes !== undefined) outcome.changes = changes;
  if (ownWords === true) outcome.ownWords = true;
  return outcome;
}

function givenUp(tool: string, timeoutMs: number, reason: Error): SlotOutcome {
  if (codeOf(reason) === 'timeout')
    return {
      status: 'timed-out',
      error: 'timeout',
      content: `${tool} was stopped: it took longer than ${timeoutMs} ms. Its effect is unknown; check before repeating, with less work or a longer timeout.`,
      started: true,
    };
  return { status: 'cancelled', error: 'cancelled', content: cancelledWords(reason.message, true), started: true };
}

/** What a command said before it was given up is worth as much as if it had ended: a hanging test names itself. */
function withOutput(outcome: SlotOutcome, output: string | undefined): SlotOutcome {
  return output === undefined || output === '' ? outcome : { ...outcome, content: `${outcome.content}\nIts output until then:\n${output}` };
}

/** What the model reads of a cancelled call (governance 12). */
export function cancelledWords(reason: string, started: boolean): string {
  return started ? `Cancelled (${reason}): it had been started, its effect is unknown, check before repeating` : `Cancelled (${reason}): it was not started`;
}

/** Fills the slot of a call that never ran because the turn stopped. */
export function cancelledOutcome(reason: string): SlotOutcome {
  return { status: 'cancelled', error: 'cancelled', content: cancelledWords(reason, false), started: false };
}
