import { describe, expect, test } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { editFile } from '@/lib/tools/files/edit-file';
import { readFile } from '@/lib/tools/files/read-file';
import { writeFile } from '@/lib/tools/files/write-file';
import { createEngineWorld, createTestEngine, type TestCall } from '@/test/support/engine-world';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';
import { createVirtualClock } from '@/test/support/virtual-clock';

const tools = [readFile, writeFile, editFile];
const read: TestCall = { name: 'read_file', input: { path: 'a.txt' } };
const write = (path = 'a.txt', content = 'mine\n'): TestCall => ({ name: 'write_file', input: { path, content } });
const edit: TestCall = { name: 'edit_file', input: { path: 'a.txt', search: 'first', replace: 'second' } };

async function play(steps: readonly (readonly TestCall[])[], mode: 'ask' | 'auto' = 'auto') {
  const fs = createMemoryRuntimeFs({ 'a.txt': 'first\n' });
  const world = await createEngineWorld({
    runtime: { ...emptyRuntime, fs },
    tools,
    mode,
    model: (_, step) => (steps[step] === undefined ? { text: 'done' } : { calls: steps[step] }),
  });
  await world.send('go');
  const text = (path: string) => new TextDecoder().decode(fs.contents.get(path));
  return {
    world,
    fs,
    text,
    said: () => world.of('result-push').map(({ content }) => content),
    states: () => world.of('call-settled').map(({ outcome }) => outcome.status),
  };
}

describe('a file that was not read', () => {
  test('is not written, by whichever tool: nothing changes, and the reason says what to do', async () => {
    const { states, said, text } = await play([[write()], [edit]]);
    expect([states(), text('a.txt')]).toEqual([['refused', 'refused'], 'first\n']);
    expect(said()).toEqual(
      ['write_file', 'edit_file'].map(
        (tool) =>
          `${tool} was not executed: a.txt exists and was not read in this session. Nothing was changed. Call read_file on a.txt first, then send the change again.`,
      ),
    );
  });

  test('is not even asked for', async () => {
    const { world, states } = await play([[write()]], 'ask');
    expect([world.of('approval-start'), states()]).toEqual([[], ['refused']]);
  });

  test('is written once it was read, and what was written counts as read; a new file needs no read', async () => {
    const { states, text } = await play([[read], [edit], [write('a.txt', 'third\n'), write('new.txt')], [write('new.txt', 'again\n')]]);
    expect([states(), text('a.txt'), text('new.txt')]).toEqual([['ok', 'ok', 'ok', 'ok', 'ok'], 'third\n', 'again\n']);
  });
});

describe('a file that changed since it was read', () => {
  test('is not written until it was read again', async () => {
    const { world, fs, said, states, text } = await play([[read], [write()], [read], [write()]], 'ask');
    // The first write waits for its word; meanwhile somebody else changes the file.
    await fs.writeFile('a.txt', 'theirs\n');
    for (let asked = 0; asked < world.of('approval-start').length; asked++) {
      const approvalId = world.of('approval-start')[asked]?.request.approvalId as never;
      await world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId, choice: 'once' } });
      await world.clock.settle();
    }
    expect([states(), text('a.txt')]).toEqual([['ok', 'refused', 'ok', 'ok'], 'mine\n']);
    expect(said()[1]).toBe(
      'write_file was not executed: a.txt changed since it was read. Nothing was changed. Call read_file on a.txt again, then send a change that fits what is there now.',
    );
  });
});

test('what was read is known after a reload', async () => {
  const stores = createMemoryStores();
  const clock = createVirtualClock();
  const fs = createMemoryRuntimeFs({ 'a.txt': 'first\n', 'b.txt': 'first\n' });
  const runtime = { ...emptyRuntime, fs };
  const world = await createEngineWorld({ runtime, tools, mode: 'auto', stores, clock, model: (_, step) => (step === 0 ? { calls: [read] } : {}) });
  await world.send('read');
  const later = createTestEngine({ runtime, tools, clock, stores, tab: 'later', model: (_, step) => (step === 0 ? { calls: [write(), write('b.txt')] } : {}) });
  await later.command({ type: 'session-open', sessionId: world.sessionId });
  await later.command({ type: 'turn-send', sessionId: world.sessionId, text: 'write' });
  await clock.settle();
  const { events } = await stores.sessions.events(world.sessionId);
  expect(events.flatMap((event) => (event.type === 'call-settled' ? [event.outcome.status] : []))).toEqual(['ok', 'ok', 'refused']);
});
