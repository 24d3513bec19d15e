import { expect, test } from 'vitest';
import type { SessionId } from '@/lib/contracts/ids';
import { at } from '@/test/support/at';
import { createEngineWorld, type EngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';

/** Two sessions of one workspace: each message is the list of calls of its turn's only step. */
async function twoSessions() {
  const inside: string[] = [];
  let world = undefined as unknown as EngineWorld;
  const slow = (name: string, capability: 'read-only' | 'writes-files', timeoutMs: number) =>
    testTool(
      name,
      [capability],
      async (input, context) => {
        inside.push(`${name} ${String(input['n'])} in`);
        await world.clock.sleep(100, context.signal);
        inside.push(`${name} ${String(input['n'])} out`);
        return said('done');
      },
      { supportsParallel: capability === 'read-only', timeoutMs },
    );
  world = await createEngineWorld({
    tools: [slow('look', 'read-only', 150), slow('edit', 'writes-files', 150)],
    model(request) {
      const last = request.messages.at(-1);
      return last?.role === 'user' ? { calls: JSON.parse(last.text) as TestCall[] } : { text: 'done' };
    },
  });
  const other = await world.engine.command({ type: 'session-create' });
  if (!other.ok) throw new Error(other.message);
  const sessions = [world.sessionId, other.value.record.sessionId] as const;
  const send = async (sessionId: SessionId, name: string, n: number) => {
    await world.engine.command({ type: 'turn-send', sessionId, text: JSON.stringify([{ name, input: { n } }]) });
    await world.clock.settle();
  };
  const setMode = (mode: 'ask' | 'auto-edit') => Promise.all(sessions.map((sessionId) => world.engine.command({ type: 'mode-set', sessionId, mode })));
  const outcomes = () => world.of('call-settled').map(({ outcome }) => outcome.status);
  return { world, sessions, inside, send, setMode, outcomes };
}

test('one lock holds every session of a workspace: reads run side by side, a write runs alone', async () => {
  const { world, sessions, inside, send, setMode, outcomes } = await twoSessions();
  await setMode('auto-edit');
  await send(sessions[0], 'look', 1);
  await send(sessions[1], 'look', 2);
  expect(inside).toEqual(['look 1 in', 'look 2 in']);
  await world.clock.advance(100);
  inside.length = 0;
  await send(sessions[0], 'edit', 1);
  await send(sessions[1], 'edit', 2);
  expect(inside).toEqual(['edit 1 in']);
  await world.clock.advance(200);
  inside.length = 0;
  await send(sessions[0], 'edit', 3);
  await send(sessions[1], 'look', 3);
  await world.clock.advance(200);
  expect(inside).toEqual(['edit 3 in', 'edit 3 out', 'look 3 in', 'look 3 out']);
  expect(outcomes()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
});

test('the time of a call begins with its body: waiting for the lock and for a person does not count', async () => {
  const { world, sessions, inside, send, setMode, outcomes } = await twoSessions();
  await setMode('auto-edit');
  await send(sessions[0], 'edit', 1);
  await send(sessions[1], 'edit', 2);
  await world.clock.advance(200);
  expect([inside, outcomes()]).toEqual([
    ['edit 1 in', 'edit 1 out', 'edit 2 in', 'edit 2 out'],
    ['ok', 'ok'],
  ]);
  await setMode('ask');
  await send(sessions[0], 'edit', 3);
  await world.clock.advance(3_600_000);
  const { approvalId } = at(world.of('approval-start')[0]).request;
  await world.engine.command({ type: 'approval-answer', sessionId: sessions[0], answer: { approvalId, choice: 'once' } });
  await world.clock.advance(100);
  expect(outcomes()).toEqual(['ok', 'ok', 'ok']);
});
