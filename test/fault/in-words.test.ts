import { expect, test } from 'vitest';
import type { EngineEvent } from '@/lib/contracts/events';
import type { Stores } from '@/lib/contracts/store';
import { CodedError } from '@/lib/shared/coded-error';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createEngineWorld, createTestEngine, type EngineWorld, said, testTool } from '@/test/support/engine-world';
import { createVirtualClock } from '@/test/support/virtual-clock';

const look = testTool('look', ['read-only'], async () => said('seen'), { supportsParallel: true });
const ends = (world: EngineWorld) => world.of('turn-end').map((event) => [event.end, event.reason]);
const notices = (world: EngineWorld) => world.of('notice').map((event) => [event.code, event.text]);

test('a model that answers nothing: the turn says so and what to do', async () => {
  const world = await createEngineWorld({ tools: [look], model: () => ({}) });
  await world.send('go');
  expect(ends(world)).toEqual([
    ['yielded', 'The model answered with nothing. Nothing was done in this step; send the message again, or choose another model.'],
  ]);
});

test('a model that calls only unknown tools is told the names, and is halted after eight failures', async () => {
  const world = await createEngineWorld({ tools: [look], model: (_, step) => ({ calls: [{ name: 'fly_to_moon', input: { step } }] }) });
  await world.send('go');
  await world.clock.settle();
  expect(world.of('result-push')[0]?.content).toBe(
    'There is no tool named "fly_to_moon"; nothing was executed. The tools are: look. Send the call again with one of these names.',
  );
  expect(ends(world)).toEqual([['halted', 'fly_to_moon failed 8 times in a row.']]);
});

test('a model that never stops calling pauses after fifty steps and says how to go on', async () => {
  const world = await createEngineWorld({ tools: [look], model: (_, step) => ({ calls: [{ name: 'look', input: { step } }] }) });
  await world.send('go');
  for (let i = 0; i < 20; i++) await world.clock.settle();
  expect(ends(world)).toEqual([['paused', 'The turn took 50 steps and pauses here. Send a message to go on.']]);
});

test('a log that cannot be stored is said once, the turn goes on, and what was kept back is stored when there is room again', async () => {
  const inner = createMemoryStores();
  let full = false;
  const stores: Stores = {
    ...inner,
    sessions: {
      ...inner.sessions,
      append: (sessionId, events) =>
        full ? Promise.reject(new CodedError('storage-failed', 'the storage of this browser is full')) : inner.sessions.append(sessionId, events),
    },
  };
  const world = await createEngineWorld({
    tools: [look],
    stores,
    model: (_, step) => (step % 2 === 0 ? { calls: [{ name: 'look', input: { step } }] } : { text: 'done' }),
  });
  full = true;
  await world.send('go');
  expect(ends(world)).toEqual([['yielded', undefined]]);
  expect(notices(world)).toEqual([
    [
      'log-not-stored',
      'This session could not be stored (the storage of this browser is full). It goes on here; nothing shown is lost while the page stays open, and storing is tried again.',
    ],
  ]);
  full = false;
  await world.send('again');
  const { events } = await inner.sessions.events(world.sessionId);
  expect(events.map((event) => event.seq)).toEqual(world.events.map((event) => event.seq));
});

test('cl-51 a result that cannot be kept for want of room: the marker promises nothing, older results stay, the person is told', async () => {
  const inner = createMemoryStores();
  const stores: Stores = {
    ...inner,
    spills: { ...inner.spills, write: async () => ({ saved: false, reason: 'quota', detail: 'the storage of this browser is full' }) },
  };
  const long = testTool('long_output', ['read-only'], async () => said('x'.repeat(200_000)));
  const world = await createEngineWorld({ tools: [long], stores, model: (_, step) => (step === 0 ? { calls: [{ name: 'long_output' }] } : { text: 'done' }) });
  await world.send('go');
  const [result] = world.of('result-push');
  expect(result?.content).toContain('Full output not kept and cannot be fetched: the storage of this browser is full.');
  expect(result?.content).not.toContain('retrieve_tool_result');
  expect(notices(world).map(([code]) => code)).toEqual(['spill-failed']);
  expect(world.of('result-cut').map((event) => [event.ref, event.problem])).toEqual([[undefined, 'the storage of this browser is full']]);
});

test('cl-53 two tabs send to one session: both messages are kept, in one order', async () => {
  const clock = createVirtualClock();
  const stores = createMemoryStores();
  const hub = createMemoryLinks();
  const open = (tab: string) => createTestEngine({ tools: [look], model: () => ({ text: 'done' }), clock, stores, link: hub.link(), tab });
  const [first, second] = [open('a'), open('b')];
  const created = await first.command({ type: 'session-create' });
  if (!created.ok) throw new Error(created.message);
  const { sessionId } = created.value.record;
  await second.command({ type: 'session-open', sessionId });
  await Promise.all([first.command({ type: 'turn-send', sessionId, text: 'one' }), first.idle(sessionId)]);
  await clock.settle();
  expect(await second.command({ type: 'turn-send', sessionId, text: 'two' })).toEqual({ ok: true, value: {} });
  await clock.settle();
  const { events } = await stores.sessions.events(sessionId);
  expect(events.flatMap((event) => (event.type === 'turn-start' ? [event.text] : []))).toEqual(['one', 'two']);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
});

test('cl-55 one entry of the log is damaged: the session opens, the entry is skipped and counted, and the session goes on', async () => {
  const clock = createVirtualClock();
  const inner = createMemoryStores();
  const world = await createEngineWorld({ tools: [look], stores: inner, clock, model: () => ({ text: 'done' }) });
  await world.send('go');
  const damaged: Stores = {
    ...inner,
    sessions: {
      ...inner.sessions,
      async events(sessionId) {
        const { events } = await inner.sessions.events(sessionId);
        const lost = events.findIndex((event) => event.type === 'text-delta');
        return { events: events.filter((_, index) => index !== lost), damaged: 1 };
      },
    },
  };
  const engine = createTestEngine({ tools: [look], model: () => ({ text: 'and on' }), clock, stores: damaged, tab: 'later' });
  const shown: EngineEvent[] = [];
  engine.subscribe((events) => void shown.push(...events));
  const opened = await engine.command({ type: 'session-open', sessionId: world.sessionId });
  expect(opened.ok && [opened.value.damagedEvents, opened.value.events.length]).toEqual([1, world.events.length - 1]);
  await engine.command({ type: 'turn-send', sessionId: world.sessionId, text: 'more' });
  await clock.settle();
  expect(shown.at(-1)).toMatchObject({ type: 'turn-end', end: 'yielded' });
});
