import type { CallId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import { isSameCall } from '@/lib/pipeline/1-stream/start-early';
import type { JsonObject } from '@/lib/shared/json';
import { createStop } from '@/lib/shared/stop';
import type { Gate } from './gate';
import { type CallLimit, createCallLimit } from './limit';
import type { ObservedFiles } from './observed-files';
import { type BodyPorts, cancelledOutcome, type RunningBody, runBody } from './run-body';

/** A result that was begun while the stream went on. */
export interface EarlyRun {
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

/** Makes the early starts of one step: each takes the read lock, so that it never overlaps a call that may change something. */
export function createEarlyRuns(ports: BodyPorts & { readonly gate: Gate; readonly observed: ObservedFiles }): EarlyRuns {
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
      const run = take(callId, tool, input) ?? startRun(callId, tool, input, limit, ports);
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

function startRun(
  callId: CallId,
  tool: string,
  input: JsonObject,
  limit: CallLimit,
  ports: BodyPorts & { readonly gate: Gate; readonly observed: ObservedFiles },
): EarlyRun {
  const waiting = createStop();
  let body: RunningBody | undefined;
  let durationMs = 0;
  const run = async (): Promise<SlotOutcome> => {
    const release = ports.gate.tryRead() ?? (await ports.gate.read(waiting.signal));
    try {
      if (waiting.stopped) throw waiting.signal.reason;
      body = runBody({ callId, tool, input, timeoutMs: ports.dispatcher.timeoutFor(tool, input) }, ports);
      const outcome = await body.outcome;
      durationMs = ports.clock.now() - body.startedAt;
      if (outcome.status === 'ok') {
        const { reads } = ports.dispatcher.pathsFor(tool, input);
        if (reads.length > 0) await ports.observed.note(reads);
      }
      return outcome;
    } finally {
      release();
    }
  };
  return {
    outcome: limit.run(undefined, run).catch((reason) => cancelledOutcome(reason instanceof Error ? reason.message : String(reason))),
    durationMs: () => durationMs,
    abort(reason) {
      waiting.pull(reason);
      body?.abort(reason);
    },
  };
}
