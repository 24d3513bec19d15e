import { beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import { decisionFacts } from '@/lib/pipeline/2-plan/call-facts';
import { practiceTasks } from '@/lib/practice/tasks';
import { anthropic } from '@/lib/providers/anthropic';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { replayLog } from '@/lib/replay/replay-log';
import type { DeclaredFacts } from '@/lib/replay/watch-declared';
import type { Json } from '@/lib/shared/json';
import { builtInTools } from '@/lib/tools/registry.gen';
import { execShell } from '@/lib/tools/shell/exec-shell';
import { createEngineWorld, said, type TestStep, testTool } from '@/test/support/engine-world';
import { createTaskWorld } from '@/test/support/task-world';

const look = testTool('look', ['read-only'], async () => said('seen'), { supportsParallel: true });
const change = testTool('change', ['writes-files'], async () => said('changed'));
const fail = testTool('fail', ['read-only'], async (input) => ({ ok: false, error: 'execution-failed', content: `failed ${String(input.n)}` }));
const brought = 'a sentence that a server wrote, long enough to be found again';
const bring = testTool('bring', ['read-only', 'network'], async () => said(brought));
const shell = { ...execShell, execute: async () => said('ran') };
const command = (text: string) => ({ name: 'exec_shell', input: { command: text } });

type Answer = Omit<ApprovalAnswer, 'approvalId'> | 'auto' | 'plan';

/** A session in which a person said everything that a person can say. */
async function played(): Promise<readonly EngineEvent[]> {
  const turns: readonly { readonly steps: readonly TestStep[]; readonly answers?: readonly Answer[] }[] = [
    {
      steps: [
        {
          calls: [
            { name: 'look', input: { n: 1 } },
            { name: 'look', input: { n: 2 } },
            { name: 'change', input: { n: 1 } },
          ],
          tailMs: 5,
        },
      ],
      answers: [{ choice: 'once' }],
    },
    { steps: [{ calls: [command('npm test')] }, { calls: [command('npm test -- --watch')] }], answers: [{ choice: 'session' }] },
    { steps: [{ calls: [command('git push')] }, { calls: [command('git push')] }], answers: [{ choice: 'deny', words: 'not now' }] },
    { steps: [{ calls: [command('make && npm run lint')] }, { calls: [command('npm run lint')] }], answers: [{ choice: 'session', parts: ['npm run lint'] }] },
    { steps: [{ calls: [{ name: 'change', input: { n: 2 } }] }], answers: [{ choice: 'once', edited: { n: 3 } }] },
    {
      steps: [
        {
          calls: [
            { name: 'change', input: { n: 4 } },
            { name: 'change', input: { n: 5 } },
          ],
        },
      ],
      answers: [{ choice: 'always' }, { choice: 'stop' }],
    },
    { steps: [{ calls: [{ name: 'change', input: { n: 6 } }] }], answers: ['auto'] },
    {
      steps: [
        {
          calls: [
            { name: 'Look', raw: '{"n": 1,}' },
            { name: 'nothing_so', input: {} },
            { name: 'change', raw: '{"n' },
          ],
        },
      ],
    },
    { steps: [{ calls: [{ name: 'look' }, { name: 'look' }, { name: 'look' }] }] },
    { steps: [{ calls: Array.from({ length: 8 }, (_, n) => ({ name: 'fail', input: { n } })) }] },
    { steps: [{ calls: [{ name: 'look', input: { n: 9 } }], tailMs: 5, breaks: true }] },
    {
      steps: [{ calls: [{ name: 'bring' }] }, { calls: [{ name: 'change', input: { text: brought.slice(2, 40) } }] }],
      answers: [{ choice: 'once' }],
    },
    { steps: [{ calls: [command('rm -rf build')] }], answers: ['plan'] },
  ];
  let turn = 0;
  let step = 0;
  const world = await createEngineWorld({ tools: [look, change, fail, bring, shell], model: () => turns[turn]?.steps[step++] ?? { text: 'done' } });
  const { engine, sessionId, clock } = world;
  const open = () => {
    const ended = new Set(world.of('approval-end').map(({ approvalId }) => approvalId));
    return world.of('approval-start').find(({ request }) => !ended.has(request.approvalId))?.request.approvalId;
  };
  for (const [index, { answers = [] }] of turns.entries()) {
    turn = index;
    step = 0;
    await world.send('go');
    await clock.advance(10);
    for (const answer of answers) {
      const approvalId = open();
      if (approvalId === undefined) throw new Error(`no prompt is open in turn ${index}`);
      if (typeof answer === 'string') await engine.command({ type: 'mode-set', sessionId, mode: answer });
      else await engine.command({ type: 'approval-answer', sessionId, answer: { ...answer, approvalId } });
      await clock.settle();
      if (answer === 'auto') await engine.command({ type: 'mode-set', sessionId, mode: 'ask' });
    }
  }
  return world.events;
}

async function practised(taskId: string): Promise<readonly EngineEvent[]> {
  let asked = 0;
  const approve = (_: ApprovalRequest) => (['once', 'session', 'deny'] as const)[asked++ % 3] ?? 'once';
  const world = await createTaskWorld({ taskId, provider: anthropic, approve });
  const task = practiceTasks.find((one) => one.taskId === taskId);
  await world.send(task?.prompt ?? 'go');
  return world.log();
}

/** Numbered anew: whoever changes a log does that first. */
const numbered = (events: readonly EngineEvent[]) => events.map((event, seq): EngineEvent => ({ ...event, seq }));

const fails = (events: readonly EngineEvent[]) => replayLog(numbered(events)).replayed.some((one) => one.moment !== 'stopped' && !one.same);

/**
 * Every decision of a plan and of an edit with all that decided it, and what ran. Whether a prompt was answered, or its call was covered
 * while it was open, tells itself in what comes after it, or it made no difference.
 */
const decided = (events: readonly EngineEvent[]) => [
  ...replayLog(numbered(events)).replayed.flatMap((one) => (one.moment === 'log' || one.moment === 'reconsidered' ? [] : [JSON.stringify({ ...one, seq: 0 })])),
  ...events.flatMap((event) => (event.type === 'call-start' ? [event.callId] : [])).sort(),
];

const deciding: ReadonlySet<EngineEvent['type']> = new Set([
  'session-start',
  'mode-change',
  'policy-change',
  'grants-change',
  'turn-start',
  'turn-end',
  'step-start',
  'step-end',
  'call-stream-end',
  'early-start',
  'plan-end',
  'approval-start',
  'approval-end',
  'call-start',
  'call-settled',
  'result-push',
]);

interface Changed {
  readonly what: string;
  readonly events: readonly EngineEvent[];
}

function* changesOf(events: readonly EngineEvent[]): Generator<Changed> {
  for (const [at, event] of events.entries()) {
    if (!deciding.has(event.type)) continue;
    const what = `${event.type} ${at}`;
    yield { what: `${what} deleted`, events: events.filter((_, index) => index !== at) };
    yield { what: `${what} twice`, events: [...events.slice(0, at + 1), event, ...events.slice(at + 1)] };
    const next = events.findIndex(({ type }, index) => index > at && deciding.has(type));
    if (next > 0)
      yield {
        what: `${what} behind ${events[next]?.type}`,
        events: [...events.slice(0, at), ...events.slice(at + 1, next + 1), event, ...events.slice(next + 1)],
      };
    for (const [how, other] of otherwise(event)) yield { what: `${what}: ${how}`, events: events.map((one, index) => (index === at ? other : one)) };
  }
}

/** The same event, telling of something else. */
function* otherwise(event: EngineEvent): Generator<readonly [string, EngineEvent]> {
  switch (event.type) {
    case 'mode-change':
    case 'session-start':
      for (const mode of ['plan', 'ask', 'auto-edit', 'auto'] as const) if (mode !== event.mode) yield [mode, { ...event, mode }];
      return;
    case 'grants-change':
      yield ['none', { ...event, keys: [] }];
      yield ['one invented', { ...event, keys: [...event.keys, '["exec_shell","family",["rm"],""]'] }];
      return;
    case 'turn-end':
      for (const end of ['yielded', 'stopped', 'halted'] as const) if (end !== event.end) yield [end, { ...event, end }];
      return;
    case 'plan-end': {
      yield ['emptied', { ...event, calls: [], batches: [] }];
      for (const [at, call] of event.calls.entries()) {
        const put = (other: object) => ({ ...event, calls: event.calls.map((one, index) => (index === at ? { ...one, ...other } : one)) }) as EngineEvent;
        for (const decision of ['run', 'ask', 'stopped'] as const) if (decision !== call.decision) yield [`${at} ${decision}`, put({ decision })];
        yield [`${at} without facts`, put({ facts: undefined })];
        if (call.facts?.outside !== undefined) yield [`${at} nothing from outside`, put({ facts: { ...call.facts, outside: undefined } })];
        yield [`${at} other arguments`, put({ input: { command: 'ls', n: 77 } })];
        yield [`${at} what the guard was asked left out`, put({ loop: undefined })];
        yield [`${at} left out`, { ...event, calls: event.calls.filter((_, index) => index !== at) }];
      }
      return;
    }
    case 'approval-start':
      yield ['another call', { ...event, request: { ...event.request, input: { command: 'ls' } satisfies Json } }];
      return;
    case 'approval-end': {
      for (const choice of ['once', 'session', 'always', 'deny', 'stop'] as const) yield [choice, { ...event, outcome: { kind: 'answered', choice } }];
      for (const decision of ['allow', 'deny'] as const) yield [`covered ${decision}`, { ...event, outcome: { kind: 'covered', decision } }];
      yield ['expired', { ...event, outcome: { kind: 'expired', afterMs: 5 } }];
      yield ['cancelled', { ...event, outcome: { kind: 'cancelled' } }];
      return;
    }
    case 'call-settled':
      for (const status of ['ok', 'failed', 'denied', 'blocked', 'cancelled'] as const)
        if (status !== event.outcome.status) yield [status, { ...event, outcome: { ...event.outcome, status } }];
      return;
    case 'result-push':
      yield ['other words', { ...event, content: 'other words' }];
      yield ['the other way', { ...event, isError: !event.isError }];
      return;
    default:
  }
}

/** Changes that go unnoticed, and do change what was decided or what ran. */
function unnoticed(events: readonly EngineEvent[]): readonly string[] {
  const before = decided(events).join('\n');
  const same = (changed: readonly EngineEvent[]) => decided(changed).join('\n') === before;
  return [...changesOf(events)].filter((changed) => !fails(changed.events) && !same(changed.events)).map(({ what }) => what);
}

const dispatcher = createToolDispatcher(builtInTools);
const declared: DeclaredFacts = (tool, input) => (dispatcher.has(tool) ? decisionFacts({ tool, input }, dispatcher, undefined) : undefined);

describe('a log', () => {
  let events: readonly EngineEvent[] = [];
  beforeAll(async () => {
    events = await played();
  }, 60_000);

  it('of everything that a person can say is made again', () => {
    expect(replayLog(events).replayed.filter((one) => one.moment !== 'stopped' && !one.same)).toEqual([]);
    expect(replayLog(events).open).toBeUndefined();
    const kinds = new Set(
      events.flatMap((event) => (event.type === 'approval-end' ? [event.outcome.kind === 'answered' ? event.outcome.choice : event.outcome.kind] : [])),
    );
    expect([...kinds].sort()).toEqual(['always', 'covered', 'deny', 'once', 'session', 'stop']);
    expect(new Set(events.flatMap((event) => (event.type === 'turn-end' ? [event.end] : [])))).toEqual(new Set(['yielded', 'stopped', 'halted', 'failed']));
  });

  it('in which one event was deleted, doubled, moved or changed fails, or tells the same', { timeout: 120_000 }, () => {
    expect([...changesOf(events)].length).toBeGreaterThan(800);
    expect(unnoticed(events)).toEqual([]);
  });

  it('that ends anywhere is made again as far as it goes, and says that it ends inside of a turn', { timeout: 60_000 }, () => {
    for (let length = 1; length <= events.length; length++) {
      const part = events.slice(0, length);
      const { replayed, open } = replayLog(part);
      expect([length, replayed.filter((one) => one.moment !== 'stopped' && !one.same)]).toEqual([length, []]);
      const turns = (type: EngineEvent['type']) => part.filter((event) => event.type === type).length;
      expect([length, open !== undefined]).toEqual([length, turns('turn-start') > turns('turn-end')]);
    }
  });

  it('whose plans are gone, whose answers are others, or whose approval nobody gave is no true log', () => {
    const words = (changed: readonly EngineEvent[]) => replayLog(numbered(changed)).replayed.flatMap((one) => (one.moment === 'log' ? [one.words] : []));
    expect(words(events.filter(({ type }) => type !== 'plan-end'))).toContainEqual(expect.stringMatching(/started, and the log holds no decision about it$/));
    expect(words(events.map((event) => (event.type === 'plan-end' ? { ...event, calls: [], batches: [] } : event)))).toContainEqual(
      expect.stringMatching(/started, and the log holds no decision about it$/),
    );
    expect(words(events.filter(({ type }) => type !== 'call-settled'))).toContainEqual(expect.stringMatching(/had started and has no end$/));
    expect(words(events.filter(({ type }) => type !== 'approval-end'))).toContainEqual(expect.stringMatching(/started, and nothing allowed it$/));
    const asNo = events.map((event) => (event.type === 'approval-end' ? { ...event, outcome: { kind: 'answered', choice: 'deny' } as const } : event));
    expect(words(asNo)).toContainEqual(expect.stringMatching(/started, and nothing allowed it$/));

    // A forger who knows the policy: the plan agrees with the approval that was put before it, and no prompt is left.
    const at = events.findIndex((event) => event.type === 'plan-end' && event.calls[0]?.decision === 'ask' && event.calls[0].tool === 'exec_shell');
    const plan = events[at];
    if (plan?.type !== 'plan-end') throw new Error('no plan asks for a command');
    const key = '["exec_shell","family",["npm","test"],""]';
    const granted: EngineEvent = { sessionId: plan.sessionId, seq: 0, at: plan.at, type: 'grants-change', keys: [key] };
    const before = [...events.slice(0, at), granted];
    const [again] = replayLog(numbered([...before, plan]))
      .replayed.filter((one) => one.moment === 'plan')
      .slice(-1);
    if (again?.moment !== 'plan' || again.now.decision !== 'allow') throw new Error('the approval does not cover the command');
    const [call] = plan.calls;
    const forged = { ...plan, calls: [{ ...call, decision: 'run', trace: again.now.trace, level: again.now.level }] } as EngineEvent;
    const rest = events.slice(at + 1).filter((event) => !(event.type === 'approval-start' && event.request.callId === call?.callId));
    const forgery = [...before, forged, ...rest.filter((event) => !(event.type === 'approval-end' && event.callId === call?.callId))];
    const carried = events.findIndex((event) => event.type === 'plan-end' && event.calls[0]?.facts?.outside !== undefined);
    const plain = events.map((event, index) =>
      index === carried && event.type === 'plan-end'
        ? { ...event, calls: event.calls.map((one) => (one.facts === undefined ? one : { ...one, facts: { ...one.facts, outside: [] } })) }
        : event,
    );
    expect(words(plain)).toEqual([expect.stringMatching(/was decided as if its arguments carried other bytes from outside than they do$/)]);
    expect(words(forgery)).toContain(`an approval was in force that nobody gave: ${key}`);
  });

  it.each(practiceTasks.map(({ taskId }) => taskId))('of the task %s is made again, and no other in its place', async (taskId) => {
    const task = await practised(taskId);
    expect(replayLog(task, undefined, declared).replayed.filter((one) => one.moment !== 'stopped' && !one.same)).toEqual([]);
    expect(unnoticed(task)).toEqual([]);
  });

  it('in which a call names another file than it was decided about is told by what its tool declares', async () => {
    const task = await practised('add-a-feature');
    const text = JSON.stringify(task).replaceAll('src/boats.ts', 'gatehouse.policy.json');
    const swapped = (JSON.parse(text) as EngineEvent[]).map((event) =>
      event.type !== 'plan-end'
        ? event
        : {
            ...event,
            calls: event.calls.map((call) =>
              call.facts?.writes.includes('gatehouse.policy.json') === true ? { ...call, facts: { ...call.facts, writes: ['notes.md'] } } : call,
            ),
          },
    );
    const faults = replayLog(swapped, undefined, declared).replayed.flatMap((one) => (one.moment === 'log' ? [one.words] : []));
    expect(faults).not.toEqual([]);
    for (const words of faults) expect(words).toMatch(/was decided as if its arguments did other things than its tool declares$/);
  });
});
