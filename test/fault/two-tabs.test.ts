import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SessionLink } from '@/lib/contracts/session-link';
import type { Stores } from '@/lib/contracts/store';
import type { Engine } from '@/lib/engine/engine';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createTestEngine, said, type TestModel, testTool } from '@/test/support/engine-world';
import { createVirtualClock, type VirtualClock } from '@/test/support/virtual-clock';

const model: TestModel = (request) => {
  const last = request.messages.at(-1);
  if (last?.role === 'user')
    return {
      text: 'I look and run.',
      calls: [
        { name: 'look', input: { n: request.messages.length } },
        { name: 'run_it', input: { n: request.messages.length } },
      ],
    };
  return { text: 'done' };
};

interface Tab {
  readonly engine: Engine;
  readonly link: SessionLink;
  readonly shown: EngineEvent[];
}

interface Tabs {
  readonly clock: VirtualClock;
  readonly stores: Stores;
  readonly bodies: string[];
  readonly tabs: [Tab, Tab];
  sessionId: SessionId;
  reopen(index: 0 | 1): Promise<void>;
}

async function openTabs(): Promise<Tabs> {
  const clock = createVirtualClock();
  const stores = createMemoryStores();
  const hub = createMemoryLinks();
  const bodies: string[] = [];
  let made = 0;
  const tools = [
    testTool('look', ['read-only'], async () => said('seen'), { supportsParallel: true }),
    testTool('run_it', ['executes-code'], async (input) => {
      bodies.push(String(input['n']));
      return said('ran');
    }),
  ];
  const open = (): Tab => {
    const link = hub.link();
    const engine = createTestEngine({ tools, model, clock, stores, link, tab: `tab${made++}` });
    const shown: EngineEvent[] = [];
    engine.subscribe((events) => void shown.push(...events));
    return { engine, link, shown };
  };
  const tabs: [Tab, Tab] = [open(), open()];
  const created = await tabs[0].engine.command({ type: 'session-create' });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  await tabs[1].engine.command({ type: 'session-open', sessionId });
  return {
    clock,
    stores,
    bodies,
    tabs,
    sessionId,
    async reopen(index) {
      hub.drop(tabs[index].link);
      tabs[index] = open();
      await tabs[index].engine.command({ type: 'session-open', sessionId });
    },
  };
}

function openPrompts(events: readonly EngineEvent[]): readonly EngineEvent[] {
  const ended = new Set(events.flatMap((event) => (event.type === 'approval-end' ? [event.approvalId] : [])));
  return events.filter((event) => event.type === 'approval-start' && !ended.has(event.request.approvalId));
}

function checkLog(events: readonly EngineEvent[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
  const starts = events.flatMap((event) => (event.type === 'call-start' ? [event.callId] : []));
  expect(new Set(starts).size).toBe(starts.length);
  const answers = events.flatMap((event) => (event.type === 'approval-end' ? [event.approvalId] : []));
  expect(new Set(answers).size).toBe(answers.length);
}

test('two tabs on one session for 200 random actions: one log, no duplicates, no lost approval', async () => {
  const action = fc.record({
    tab: fc.constantFrom<0 | 1>(0, 1),
    act: fc.constantFrom('send', 'answer', 'answer', 'answer', 'deny', 'stop', 'take-over', 'open', 'mode'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 200, maxLength: 200 }), async (actions) => {
      const world = await openTabs();
      const { sessionId } = world;
      for (const { tab, act } of actions) {
        const { engine } = world.tabs[tab];
        const stored = (await world.stores.sessions.events(sessionId)).events;
        if (act === 'send') await engine.command({ type: 'turn-send', sessionId, text: 'go' });
        else if (act === 'stop') await engine.command({ type: 'turn-stop', sessionId });
        else if (act === 'take-over') await engine.command({ type: 'session-take-over', sessionId });
        else if (act === 'open') await engine.command({ type: 'session-open', sessionId });
        else if (act === 'mode') await engine.command({ type: 'mode-set', sessionId, mode: stored.length % 2 === 0 ? 'ask' : 'auto-edit' });
        else {
          const [prompt] = openPrompts(stored);
          if (prompt?.type === 'approval-start') {
            const answer = await engine.command({
              type: 'approval-answer',
              sessionId,
              answer: { approvalId: prompt.request.approvalId, choice: act === 'deny' ? 'deny' : 'once' },
            });
            if (!answer.ok) throw new Error(answer.message);
          }
        }
        await world.clock.settle();
      }
      await world.tabs[0].engine.command({ type: 'turn-stop', sessionId });
      await world.clock.settle();
      const { events } = await world.stores.sessions.events(sessionId);
      checkLog(events);
      // Every yes ran its body at most once, and each tab that follows or writes ends with the same log.
      expect(new Set(world.bodies).size).toBe(world.bodies.length);
      for (const tab of world.tabs) {
        const opened = await tab.engine.command({ type: 'session-open', sessionId });
        expect(opened.ok && opened.value.events.map((event) => event.seq)).toEqual(events.map((event) => event.seq));
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
}, 120_000);

test('a follower becomes the writer when the writing tab dies, and the open prompt is asked again', async () => {
  const world = await openTabs();
  const { sessionId } = world;
  await world.tabs[0].engine.command({ type: 'turn-send', sessionId, text: 'go' });
  await world.clock.settle();
  expect(openPrompts(world.tabs[1].shown).length).toBe(1);
  await world.reopen(0);
  await world.clock.settle();
  const opened = await world.tabs[1].engine.command({ type: 'session-open', sessionId });
  expect(opened.ok && opened.value.role).toBe('writer');
  const [prompt] = opened.ok ? openPrompts(opened.value.events) : [];
  if (prompt?.type !== 'approval-start') throw new Error('the prompt was lost');
  // The other tab, now the follower, answers.
  const answered = await world.tabs[0].engine.command({
    type: 'approval-answer',
    sessionId,
    answer: { approvalId: prompt.request.approvalId, choice: 'once' },
  });
  expect(answered).toEqual({ ok: true, value: { counted: true } });
  await world.clock.settle();
  expect(world.bodies.length).toBe(1);
  const { events } = await world.stores.sessions.events(sessionId);
  checkLog(events);
  expect(events.at(-1)).toMatchObject({ type: 'turn-end', end: 'yielded' });
});

test('a command that comes while a session is handed over is refused in words, and opens it no second time', async () => {
  const clock = createVirtualClock();
  const stores = createMemoryStores();
  const hub = createMemoryLinks();
  const tools = [testTool('run_it', ['executes-code'], async () => said('ran'))];
  const asks: TestModel = (request) => (request.messages.at(-1)?.role === 'user' ? { calls: [{ name: 'run_it' }] } : { text: 'done' });
  const open = (tab: string) => createTestEngine({ tools, model: asks, clock, stores, link: hub.link(), tab });
  const [a, b] = [open('A'), open('B')];
  const created = await a.command({ type: 'session-create' });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  await b.command({ type: 'session-open', sessionId });
  await a.command({ type: 'turn-send', sessionId, text: 'go' });
  await clock.settle();
  const taking = b.command({ type: 'session-take-over', sessionId });
  const answers: unknown[] = [];
  for (let turn = 0; turn < 6; turn++) {
    await Promise.resolve();
    void a.command({ type: 'mode-set', sessionId, mode: turn % 2 === 0 ? 'plan' : 'ask' }).then((answer) => answers.push(answer.ok));
  }
  await taking;
  await clock.settle();
  const stored = (await stores.sessions.events(sessionId)).events;
  // What was taken is in the log; the rest was refused.
  expect(stored.filter((event) => event.type === 'mode-change')).toHaveLength(answers.filter((ok) => ok === true).length);
  await a.command({ type: 'session-take-over', sessionId });
  await clock.settle();
  const back = await a.command({ type: 'session-open', sessionId });
  const { events } = await stores.sessions.events(sessionId);
  expect(back.ok && [back.value.role, back.value.events.length]).toEqual(['writer', events.length]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
});
