import type { ModelStreamItem, StreamModel } from '@/lib/contracts/model';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';
import { openCaseEngine } from './case-engine';
import { named, type Runner, refuseUnknown, text } from './runner';
import type { VirtualClock } from './virtual-clock';

interface NamedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** One run of a body, numbered from 1 in the order in which they began. */
interface Run {
  readonly number: number;
  aborted: boolean;
}

/**
 * Kind `batching`, `speculate_use`: the wire says that a call is complete, then says otherwise (or not), and the response ends.
 * A call is denied meanwhile by a level that rises; the loop guard blocks it since two equal ones stand in the steps before.
 */
export const runEarlyUse: Runner = async ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'started', 'final', 'blockedBy']);
  refuseUnknown('expected', expected, ['reused', 'executions', 'aborted', 'result']);
  const started = readCall(input.started);
  const final = input.final === null ? undefined : readCall(input.final);
  const blockedBy = input.blockedBy ?? null;
  if (blockedBy !== null && blockedBy !== 'loop_guard' && blockedBy !== 'denied') throw new Error('blockedBy is null, loop_guard or denied');

  const runs: Run[] = [];
  let denies = false;
  let clock: VirtualClock | undefined;
  const body = async (_: unknown, context: ToolContext) => {
    const run: Run = { number: runs.length + 1, aborted: false };
    runs.push(run);
    context.signal.addEventListener('abort', () => {
      run.aborted = true;
    });
    await clock?.sleep(10, context.signal);
    return { ok: true, content: `run ${run.number}` };
  };
  const names = new Set([started.name, ...(final === undefined ? [] : [final.name])]);
  const tools = [...names].map((name) =>
    defineTool({
      name,
      description: 'A tool of a case.',
      input: z.looseObject({}),
      inputSchema: { type: 'object' },
      capabilities: ['read-only'],
      supportsParallel: true,
      approvalRequirementForInput: () => (denies ? 'required' : 'auto'),
      execute: body,
    }),
  );
  const before = blockedBy === 'loop_guard' && final !== undefined ? [() => oneCall(final), () => oneCall(final)] : [];
  const changing: StreamModel = () =>
    changingCall(started, final, () => {
      denies = blockedBy === 'denied';
    });
  const world = await openCaseEngine(tools, [...before, changing]);
  clock = world.clock;
  await world.send();
  let ranBefore = 0;
  for (;;) {
    if (world.of('step-start').length <= before.length) ranBefore = runs.length;
    if (world.of('turn-end').length > 0) break;
    const [open] = world.of('approval-start');
    if (open !== undefined && world.of('approval-end').length === 0)
      await world.engine.command({
        type: 'approval-answer',
        sessionId: world.sessionId,
        answer: { approvalId: open.request.approvalId, choice: 'deny' },
      });
    const wait = clock.untilNext();
    if (wait === undefined && open === undefined) throw new Error('the turn waits for ever');
    await clock.advance(wait ?? 0);
    await clock.settle();
  }
  const stepId = world.of('step-start')[before.length]?.stepId;
  const planned = world.of('plan-end').find((event) => event.stepId === stepId)?.calls[0];
  const outcome = planned && world.of('call-settled').find((event) => event.callId === planned.callId)?.outcome;
  const own = runs.slice(ranBefore);
  return named(expected, {
    reused: outcome?.content === `run ${ranBefore + 1}`,
    executions: own.length,
    aborted: own.filter((run) => run.aborted).length,
    result: outcome === undefined ? 'none' : outcome.status === 'ok' ? 'ok' : outcome.started ? 'failed' : 'blocked',
  });
};

function readCall(value: unknown): NamedCall {
  if (!isJsonObject(value)) throw new Error('a call is {name, input}');
  refuseUnknown('call', value, ['name', 'input']);
  if (!isJsonObject(value.input)) throw new Error('input is an object');
  return { name: text(value.name), input: value.input };
}

async function* oneCall({ name, input }: NamedCall): AsyncIterable<ModelStreamItem> {
  yield { type: 'call-start', key: '0', wireId: 'w', name };
  yield { type: 'call-args', key: '0', text: JSON.stringify(input) };
  yield { type: 'call-end', key: '0' };
  yield { type: 'stop', reason: 'calls', raw: 'tool_calls' };
}

/** The call as it seemed, and as it was when the response ended; a block that never became a call belongs to a response that broke off. */
async function* changingCall(started: NamedCall, final: NamedCall | undefined, onStarted: () => void): AsyncIterable<ModelStreamItem> {
  const { name, input } = started;
  const isLast = final !== undefined && name === final.name && JSON.stringify(input) === JSON.stringify(final.input);
  yield { type: 'call-start', key: '0', wireId: 'w', name };
  yield { type: 'call-args', key: '0', text: JSON.stringify(input) };
  // An empty object counts only once the wire has ended its block.
  if (final !== undefined || Object.keys(input).length === 0) yield { type: 'call-end', key: '0' };
  onStarted();
  if (final === undefined) {
    yield { type: 'call-args-reset', key: '0' };
    yield { type: 'error', error: { code: 'stream-cut', message: 'The answer broke off.' } };
    return;
  }
  if (!isLast) {
    yield { type: 'call-name', key: '0', name: final.name };
    yield { type: 'call-args-reset', key: '0' };
    yield { type: 'call-args', key: '0', text: JSON.stringify(final.input) };
  }
  yield { type: 'stop', reason: 'calls', raw: 'tool_calls' };
}
