import type { CallId } from '@/lib/contracts/ids';
import type { ModelStreamItem } from '@/lib/contracts/model';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool, type ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { type CaseEngine, openCaseEngine } from './case-engine';
import { flag, named, objects, type Runner, refuseUnknown, text } from './runner';
import type { VirtualClock } from './virtual-clock';

const EXPECTED = [
  'startOrder',
  'finishOrder',
  'endEventOrder',
  'results',
  'started',
  'maxConcurrent',
  'intervalsDisjoint',
  'innerResults',
  'historyOrder',
  'pairs',
  'turnAborted',
  'lateResultsUsed',
  'settledAtInspection',
  'waitingAtInspection',
];
const CALL = ['name', 'id', 'parallelSafe', 'ms', 'result', 'throws', 'approval', 'calls', 'unknown', 'ignoresAbort', 'host'];

/** One execution of a body, in virtual milliseconds since the turn began. */
interface Execution {
  readonly index: number;
  readonly from: number;
  to?: number;
}

interface Diary {
  readonly executions: Execution[];
  readonly inner: Json[];
  readonly begunAt: number;
}

/** Kind `batching`, `run`: calls through planner, lock and executor of the engine, in virtual time. */
export const runBatch: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'calls', 'cancel', 'inspectWhen']);
  refuseUnknown('expected', expected, EXPECTED);
  const calls = objects(input.calls).map(withoutNulls);
  for (const call of calls) refuseUnknown('call', call, CALL);
  const diary: Diary = { executions: [], inner: [], begunAt: 0 };
  const tools: ToolSpec[] = [];
  let world: CaseEngine | undefined;
  const now = () => (world as CaseEngine).clock;
  for (const [index, call] of calls.entries()) if (!flag(call.unknown)) addTool(`slot_${index}`, call, index, tools, diary, now);
  world = await openCaseEngine(tools, [() => streamOf(calls)]);
  Object.assign(diary, { begunAt: world.clock.now() });
  const slots = new Map<CallId, number>();
  const look = await play(world, calls, input, slots);
  return named(expected, await whatHappened(world, calls, diary, slots, look, expected));
};

/** A field that is null says no more than one that is not there; but `ms`, where it means for ever. */
function withoutNulls(call: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(call).filter(([key, value]) => value !== null || key === 'ms'));
}

/** A tool that behaves as the case says; the tools that it calls itself stand behind it. */
function addTool(name: string, call: JsonObject, index: number | undefined, tools: ToolSpec[], diary: Diary, clock: () => VirtualClock): void {
  const inner = objects(call.calls).map(withoutNulls);
  for (const [place, one] of inner.entries()) {
    refuseUnknown('call', one, CALL);
    if (!flag(one.unknown)) addTool(`${name}_${place}`, one, undefined, tools, diary, clock);
  }
  const parallelSafe = flag(call.parallelSafe);
  const asks = call.approval !== undefined;
  tools.push(
    defineTool({
      name,
      description: 'A tool of a case.',
      input: z.looseObject({}),
      // A serial call that asks nobody: it only reads, and does not run beside others.
      capabilities: [...(asks ? (['requires-approval'] as const) : (['read-only'] as const)), ...(call.host === undefined ? [] : (['network'] as const))],
      supportsParallel: parallelSafe,
      timeoutMs: Number.POSITIVE_INFINITY,
      ...(call.host === undefined ? {} : { hostFor: () => text(call.host) }),
      async execute(_, context) {
        const execution: Execution | undefined = index === undefined ? undefined : { index, from: clock().now() - diary.begunAt };
        if (execution !== undefined) diary.executions.push(execution);
        try {
          for (const [place, one] of inner.entries()) {
            const result = await context.callTool(`${name}_${place}`, { name: text(one.name) });
            diary.inner.push(result.ok ? result.content : { error: result.error === 'execution-failed' ? result.content : codeOf(result.error) });
          }
          await pass(call, context, clock());
        } finally {
          if (execution !== undefined) execution.to = clock().now() - diary.begunAt;
        }
        if (call.throws !== undefined) throw new Error(text(call.throws));
        return { ok: true, content: call.result === undefined ? 'ok' : text(call.result) };
      },
    }),
  );
}

function pass(call: JsonObject, context: ToolContext, clock: VirtualClock): Promise<void> {
  const ms = typeof call.ms === 'number' ? call.ms : call.ms === null ? Number.POSITIVE_INFINITY : 0;
  return clock.sleep(ms, flag(call.ignoresAbort) ? undefined : context.signal);
}

async function* streamOf(calls: readonly JsonObject[]): AsyncIterable<ModelStreamItem> {
  for (const [index, call] of calls.entries()) {
    const key = String(index);
    const name = flag(call.unknown) ? text(call.name) : `slot_${index}`;
    yield { type: 'call-start', key, wireId: call.id === undefined ? `c${index}` : text(call.id), name };
    yield { type: 'call-args', key, text: JSON.stringify({ name: text(call.name) }) };
    yield { type: 'call-end', key };
  }
  yield { type: 'stop', reason: 'calls', raw: 'tool_calls' };
}

interface Look {
  readonly settled: readonly number[];
  readonly waiting: readonly number[];
}

/** Plays the turn to its end, answering and cancelling as the case says; answers what an inspection saw. */
async function play(world: CaseEngine, calls: readonly JsonObject[], input: JsonObject, slots: Map<CallId, number>): Promise<Look | undefined> {
  const { engine, clock, sessionId, of } = world;
  const cancel = isJsonObject(input.cancel) ? input.cancel : undefined;
  if (cancel !== undefined) refuseUnknown('cancel', cancel, ['when', 'call', 'ms']);
  const inspect = isJsonObject(input.inspectWhen) ? input.inspectWhen.approval_pending : undefined;
  const stop = () => engine.command({ type: 'turn-stop', sessionId });
  const begunAt = clock.now();
  if (cancel?.when === 'at_ms') clock.after(Number(cancel.ms), () => void stop());
  await world.send();
  const answered = new Set<string>();
  let look: Look | undefined;

  const openPrompts = () => {
    const ended = new Set(of('approval-end').map((event) => event.approvalId));
    return of('approval-start').flatMap(({ request }) => (ended.has(request.approvalId) ? [] : [request]));
  };
  /** Execution has come to this call, and its prompt is what it waits for. */
  const isReached = (index: number) =>
    openPrompts().some((request) => slots.get(request.callId) === index) &&
    of('plan-end').some(({ batches }) =>
      batches.some(
        ({ batchId, callIds }) => callIds.some((callId) => slots.get(callId) === index) && of('batch-start').some((event) => event.batchId === batchId),
      ),
    );

  for (;;) {
    for (const { calls: planned } of of('plan-end')) for (const { callId, index } of planned) slots.set(callId, index);
    if (of('turn-end').length > 0) break;
    const open = openPrompts().find(
      (request) => !answered.has(request.approvalId) && ['once', 'deny'].includes(String(calls[slots.get(request.callId) ?? -1]?.approval)),
    );
    if (cancel?.when === 'approval_pending' && isReached(Number(cancel.call))) await stop();
    else if (open !== undefined) {
      answered.add(open.approvalId);
      const index = slots.get(open.callId) as number;
      const choice = calls[index]?.approval === 'deny' ? 'deny' : 'once';
      const answer = engine.command({ type: 'approval-answer', sessionId, answer: { approvalId: open.approvalId, choice } });
      if (cancel?.when === 'with_answer' && cancel.call === index) void stop();
      await answer;
    } else {
      const wait = clock.untilNext();
      if (wait !== undefined) {
        await clock.advance(wait);
        continue;
      }
      if (cancel?.when === 'approval_pending' && openPrompts().some((request) => slots.get(request.callId) === cancel.call)) {
        await stop();
        await clock.settle();
        continue;
      }
      if (inspect === undefined || look !== undefined) throw new Error('the turn waits for ever');
      const { events: stored } = await world.stores.sessions.events(sessionId);
      const settled = new Set(stored.flatMap((event) => (event.type === 'call-settled' ? [slots.get(event.callId) as number] : [])));
      look = { settled: [...settled].sort((a, b) => a - b), waiting: openPrompts().map((request) => slots.get(request.callId) as number) };
      await stop();
    }
    await clock.settle();
  }
  // What was given up may still come to an end.
  for (let wait = clock.untilNext(); wait !== undefined && clock.now() - begunAt < 1e9; wait = clock.untilNext()) await clock.advance(wait);
  return look;
}

async function whatHappened(
  world: CaseEngine,
  calls: readonly JsonObject[],
  diary: Diary,
  slots: ReadonlyMap<CallId, number>,
  look: Look | undefined,
  expected: Json,
): Promise<Record<string, Json | undefined>> {
  const { of } = world;
  const indexOf = (callId: CallId) => slots.get(callId) as number;
  const ordered = [...diary.executions];
  const byStart = ordered.toSorted((a, b) => a.from - b.from || a.index - b.index);
  const byEnd = ordered.filter((one) => one.to !== undefined).sort((a, b) => (a.to as number) - (b.to as number) || a.index - b.index);
  const outcomes = new Map(of('call-settled').map(({ callId, outcome }) => [indexOf(callId), outcome]));
  const parallel = new Set(of('plan-end').flatMap(({ batches }) => batches.filter(({ kind }) => kind === 'parallel').map(({ batchId }) => batchId)));
  const idOf = (index: number) => (calls[index]?.id === undefined ? `c${index}` : text(calls[index]?.id));
  const [messages] = of('message-push').flatMap(({ message }) => (message.role === 'tool' ? [message.results] : []));
  const pairs = isJsonObject(expected) && Array.isArray(expected.intervalsDisjoint) ? (expected.intervalsDisjoint as readonly Json[]) : [];
  const end = of('turn-end')[0]?.end;
  return {
    startOrder: byStart.map((one) => one.index),
    finishOrder: byEnd.map((one) => one.index),
    endEventOrder: of('call-end').flatMap(({ callId, batchId }) => (parallel.has(batchId) ? [indexOf(callId)] : [])),
    results: calls.map((_, index) => resultOf(outcomes.get(index))),
    started: [...new Set(ordered.map((one) => one.index))].sort((a, b) => a - b),
    maxConcurrent: mostAtOnce(ordered),
    intervalsDisjoint: pairs.filter((pair) => Array.isArray(pair) && areDisjoint(ordered, Number(pair[0]), Number(pair[1]))),
    innerResults: diary.inner,
    historyOrder: messages?.map(({ callId }) => indexOf(callId)),
    pairs: eventPairs(world, idOf, indexOf),
    turnAborted: end !== 'yielded',
    lateResultsUsed: lateResultsUsed(world),
    settledAtInspection: look?.settled,
    waitingAtInspection: look?.waiting,
  };
}

function codeOf(error: SlotOutcome['error']): string {
  return (error ?? 'execution-failed').replaceAll('-', '_');
}

function resultOf(outcome: SlotOutcome | undefined): Json {
  if (outcome === undefined) return { error: 'no result' };
  if (outcome.status === 'ok') return outcome.content;
  return { error: outcome.status === 'failed' && outcome.error === 'execution-failed' ? outcome.content : codeOf(outcome.error) };
}

function mostAtOnce(executions: readonly Execution[]): number {
  return Math.max(
    0,
    ...executions.map((one) => executions.filter((other) => other.from <= one.from && (other.to ?? Number.POSITIVE_INFINITY) > one.from).length),
  );
}

function areDisjoint(executions: readonly Execution[], a: number, b: number): boolean {
  const of = (index: number) => executions.filter((one) => one.index === index);
  const endOf = (one: Execution) => one.to ?? Number.POSITIVE_INFINITY;
  return of(a).length > 0 && of(b).length > 0 && of(a).every((x) => of(b).every((y) => endOf(x) <= y.from || endOf(y) <= x.from));
}

/** Ids of the start and end event of each call: in a batch the first start belongs to the last end. */
function eventPairs({ of }: CaseEngine, idOf: (index: number) => string, indexOf: (callId: CallId) => number): Json {
  const pairs = new Map<number, Json>();
  for (const batchId of new Set(of('call-start').map((event) => event.batchId))) {
    const starts = of('call-start').filter((event) => event.batchId === batchId);
    const ends = of('call-end')
      .filter((event) => event.batchId === batchId)
      .toReversed();
    for (const [place, { callId }] of starts.entries()) {
      const end = ends[place];
      pairs.set(indexOf(callId), [idOf(indexOf(callId)), end === undefined ? null : idOf(indexOf(end.callId))]);
    }
  }
  return [...pairs].sort(([a], [b]) => a - b).map(([, pair]) => pair);
}

/** Results beyond the first that a slot got, in any form that could count. */
function lateResultsUsed({ of }: CaseEngine): number {
  const extra = (callIds: readonly CallId[]) => callIds.length - new Set(callIds).size;
  const pushed = of('message-push').flatMap(({ message }) => (message.role === 'tool' ? message.results.map(({ callId }) => callId) : []));
  return extra(of('call-settled').map(({ callId }) => callId)) + extra(of('result-push').map(({ callId }) => callId)) + extra(pushed);
}
