import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import { isSameCall } from '@/lib/pipeline/1-stream/start-early';
import { messageOf } from '@/lib/shared/coded-error';
import type { JsonObject } from '@/lib/shared/json';
import { createStop } from '@/lib/shared/stop';
import type { Gate } from './gate';
import { type CallLimit, createCallLimit } from './limit';
import type { ObservedFiles } from './observed-files';
import { type BodyPorts, cancelledOutcome, type RunningBody, runBody } from './run-body';

/** A result that was begun while the stream went on. */
export interface EarlyRun {
  /** undefined while it runs. */
  readonly settled: SlotOutcome | undefined;
  readonly outcome: Promise<SlotOutcome>;
  /** Milliseconds the body took; asked once the outcome has settled. */
  durationMs(): number;
  abort(reason: Error): void;
}

/** The early starts of one step. */
export interface EarlyRuns {
  /** The places of the step: an early start takes one, as every call does. */
  readonly limit: CallLimit;
  /** Starts a call. One that was started before under this id and has changed since is aborted. */
  start(callId: CallId, tool: string, input: JsonObject): void;
  has(callId: CallId): boolean;
  /** Hands over the run when name and final input are identical; otherwise aborts it and answers undefined. */
  take(callId: CallId, tool: string, input: JsonObject): EarlyRun | undefined;
  /** Aborts what nobody took; answers which, and those whose final call differed. */
  abortRest(reason: string): readonly CallId[];
}

type EarlyPorts = BodyPorts & { readonly gate: Gate; readonly observed: ObservedFiles };

/** Makes the early starts of one step: each takes the read lock, so that it never overlaps a call that may change something. */
export function createEarlyRuns(ports: EarlyPorts): EarlyRuns {
  const runs = new Map<CallId, { readonly tool: string; readonly input: JsonObject; readonly run: EarlyRun }>();
  const limit = createCallLimit();
  let changed: CallId[] = [];
  const take = (callId: CallId, tool: string, input: JsonObject) => {
    const found = runs.get(callId);
    if (found === undefined) return undefined;
    runs.delete(callId);
    if (isSameCall({ name: found.tool, input: found.input }, { name: tool, input })) return found.run;
    found.run.abort(new Error('the final call differs from the one that was started early'));
    changed.push(callId);
    return undefined;
  };
  return {
    limit,
    start(callId, tool, input) {
      const run = take(callId, tool, input) ?? new StartedRun(callId, tool, input, limit, ports);
      runs.set(callId, { tool, input, run });
    },
    has: (callId) => runs.has(callId),
    take,
    abortRest(reason) {
      const rest = [...new Set([...changed, ...runs.keys()])];
      for (const { run } of runs.values()) run.abort(new Error(reason));
      runs.clear();
      changed = [];
      return rest;
    },
  };
}

/** One object and no promise a call, as long as nobody has to wait: a step may start a hundred. Private by type, as bodies are. */
class StartedRun implements EarlyRun {
  settled: SlotOutcome | undefined;
  private readonly waiting = createStop();
  private readonly callId: CallId;
  private readonly tool: string;
  private readonly input: JsonObject;
  private readonly limit: CallLimit;
  private readonly ports: EarlyPorts;
  private body: RunningBody | undefined;
  private release: (() => void) | undefined;
  private tookMs = 0;
  private waiters: ((outcome: SlotOutcome) => void)[] | undefined;

  constructor(callId: CallId, tool: string, input: JsonObject, limit: CallLimit, ports: EarlyPorts) {
    this.callId = callId;
    this.tool = tool;
    this.input = input;
    this.limit = limit;
    this.ports = ports;
    const place = limit.enter(undefined);
    if (place === undefined) this.enter();
    else void place.then(() => this.enter());
  }

  get outcome(): Promise<SlotOutcome> {
    if (this.settled !== undefined) return Promise.resolve(this.settled);
    return new Promise((resolve) => {
      this.waiters ??= [];
      this.waiters.push(resolve);
    });
  }

  durationMs(): number {
    return this.tookMs;
  }

  abort(reason: Error): void {
    this.waiting.pull(reason);
    this.body?.abort(reason);
  }

  private enter(): void {
    this.release = this.ports.gate.tryRead();
    if (this.release !== undefined) this.begin();
    else
      this.ports.gate.read(this.waiting.signal).then(
        (release) => {
          this.release = release;
          this.begin();
        },
        (reason) => this.end(cancelledOutcome(messageOf(reason))),
      );
  }

  private begin(): void {
    if (this.waiting.stopped) return this.end(cancelledOutcome(messageOf(this.waiting.signal.reason)));
    const timeoutMs = this.ports.dispatcher.timeoutFor(this.tool, this.input);
    try {
      this.body = runBody({ callId: this.callId, tool: this.tool, input: this.input, timeoutMs }, this.ports, (outcome) => this.bodyEnded(outcome));
    } catch (error) {
      this.end(cancelledOutcome(messageOf(error)));
    }
  }

  /** The lock is held until what was read is remembered. */
  private bodyEnded(outcome: SlotOutcome): void {
    this.tookMs = this.ports.clock.now() - (this.body?.startedAt ?? 0);
    const { reads } = outcome.status === 'ok' ? this.ports.dispatcher.pathsFor(this.tool, this.input) : { reads: [] };
    if (reads.length === 0) return this.end(outcome);
    this.ports.observed.note(reads).then(
      () => this.end(outcome),
      (error) => this.end(cancelledOutcome(messageOf(error))),
    );
  }

  private end(outcome: SlotOutcome): void {
    this.settled = outcome;
    this.release?.();
    this.limit.leave(undefined);
    for (const tell of this.waiters ?? []) tell(outcome);
  }
}
