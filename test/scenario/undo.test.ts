import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Runtime, SpawnWorker } from '@/lib/contracts/runtime';
import type { UndoAnswer } from '@/lib/contracts/undo';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { builtInTools } from '@/lib/tools/registry.gen';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { allowAll } from '@/test/support/allow-all';
import { at } from '@/test/support/at';
import { createEngineWorld, createTestEngine, type EngineWorld, said, type TestCall, type TestModel, testTool } from '@/test/support/engine-world';
import { createFilesRuntime, everything } from '@/test/support/undo-world';
import { createVirtualClock } from '@/test/support/virtual-clock';

let spawnWorker: SpawnWorker;
const opened: Runtime[] = [];
beforeAll(async () => {
  spawnWorker = await createThreadSpawner();
});
afterAll(async () => {
  for (const runtime of opened) await runtime.dispose();
});

async function shellRuntime(): Promise<Runtime> {
  const runtime = await createEmbeddedRuntime({ spawnWorker, sharedMemory: true });
  opened.push(runtime);
  await runtime.mount([
    { path: 'src/a.txt', bytes: encodeUtf8('one\n') },
    { path: 'src/b.txt', bytes: encodeUtf8('two\n') },
    { path: 'image.bin', bytes: new Uint8Array([0, 255, 254, 137, 10, 13]) },
    { path: 'old/deep/c.txt', bytes: encodeUtf8('three\n') },
  ]);
  return runtime;
}

/** A model that makes these calls, a list a step and a turn a list of steps, and then says that it is done. */
function plays(turns: readonly (readonly (readonly TestCall[])[])[]): TestModel {
  const steps = turns.flatMap((turn) => [...turn.map((calls) => ({ calls })), { text: 'done' }]);
  return (_, step) => steps[step] ?? { text: 'done' };
}

const shell = (command: string, more: object = {}): TestCall => ({ name: 'exec_shell', input: { command, ...more } });

/** Allows everything and lets the turn come to its end. */
async function play(world: EngineWorld): Promise<void> {
  allowAll(world.engine);
  await world.send('go');
  await world.engine.idle(world.sessionId);
}

async function command(world: EngineWorld, given: { type: 'undo-call'; callId: CallId } | { type: 'undo-turn' } | { type: 'redo' }): Promise<UndoAnswer> {
  const { sessionId } = world;
  const answer = await world.engine.command(
    given.type === 'redo'
      ? { ...given, sessionId, undoId: at(world.of('undo').at(-1)).undoId, differing: 'refuse' }
      : given.type === 'undo-turn'
        ? { ...given, sessionId, turnId: at(world.of('turn-start').at(-1)).turnId, differing: 'refuse' }
        : { ...given, sessionId, differing: 'refuse' },
  );
  if (!answer.ok) throw new Error(answer.message);
  await world.clock.settle();
  return answer.value as UndoAnswer;
}

describe('a shell command is one undo step', () => {
  it('that makes, changes, deletes and renames files, binary ones too: undo and redo give every byte back', { timeout: 60_000 }, async () => {
    const runtime = await shellRuntime();
    const before = await everything(runtime);
    const world = await createEngineWorld({
      runtime,
      tools: builtInTools,
      model: plays([
        [
          [
            shell(
              'echo changed > src/a.txt; mv src/b.txt moved.txt; rm -r old; mkdir -p new/deep; echo made > new/deep/d.txt; cp image.bin copy.bin; printf "\\001\\002" > image.bin',
            ),
          ],
        ],
      ]),
    });
    await play(world);
    const after = await everything(runtime);
    expect(after).not.toEqual(before);
    const [snapshot] = world.of('snapshot');
    expect(world.of('snapshot').length).toBe(1);
    const history = world.of('message-push').length;
    expect(await command(world, { type: 'undo-call', callId: at(snapshot).callId })).toMatchObject({ done: true, left: [] });
    expect(await everything(runtime)).toEqual(before);
    expect(await command(world, { type: 'redo' })).toMatchObject({ done: true });
    expect(await everything(runtime)).toEqual(after);
    expect(await command(world, { type: 'undo-turn' })).toMatchObject({ done: true });
    expect(await everything(runtime)).toEqual(before);
    expect(world.of('message-push').length).toBe(history);
  });

  it('that is stopped in the middle can be undone as far as it came', { timeout: 60_000 }, async () => {
    const runtime = await shellRuntime();
    const before = await everything(runtime);
    const world = await createEngineWorld({ runtime, tools: builtInTools, model: plays([[[shell('echo half > src/a.txt; echo wrote; sleep 600')]]]) });
    world.engine.subscribe((events) => {
      for (const event of events) {
        if (event.type === 'call-output') void world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
      }
    });
    await play(world);
    expect(world.of('call-settled').map(({ outcome }) => outcome.status)).toEqual(['cancelled']);
    expect(await command(world, { type: 'undo-turn' })).toMatchObject({ done: true, count: 1 });
    expect(await everything(runtime)).toEqual(before);
  });

  it('that runs in the background can be undone once it has ended, alone', { timeout: 60_000 }, async () => {
    const runtime = await shellRuntime();
    const world = await createEngineWorld({
      runtime,
      tools: builtInTools,
      mode: 'auto',
      model: plays([
        [
          [shell('cat > late.txt', { background: true })],
          [{ name: 'write_file', input: { path: 'mine.txt', content: 'mine\n' } }],
          [{ name: 'exec_shell_interact', input: { task_id: 'task_1', input: 'late\n', close_stdin: true } }],
          [{ name: 'exec_shell_wait', input: { task_id: 'task_1' } }],
        ],
      ]),
    });
    await play(world);
    expect(world.of('snapshot').map(({ paths }) => paths.map(({ path }) => path))).toEqual([['mine.txt'], ['late.txt']]);
    const job = at(world.of('job-start')[0]);
    expect(at(world.of('snapshot')[1]).callId).toBe(job.callId);
    await command(world, { type: 'undo-call', callId: job.callId });
    expect([await runtime.fs.stat('late.txt'), (await runtime.fs.stat('mine.txt'))?.kind]).toEqual([undefined, 'file']);
  });
});

describe('undo in a session', () => {
  const write = (path: string, content: string): TestCall => ({ name: 'write_file', input: { path, content } });

  it('after a reload is as it was before', async () => {
    const runtime = await createFilesRuntime();
    const stores = createMemoryStores();
    const clock = createVirtualClock();
    const options = { runtime, stores, clock, tools: builtInTools };
    const world = await createEngineWorld({ ...options, mode: 'auto', model: plays([[[write('a', '1'), write('b', '1')]]]) });
    await play(world);
    const engine = createTestEngine({ ...options, model: plays([]), tab: 'second' });
    const reopened = await engine.command({ type: 'session-open', sessionId: world.sessionId });
    if (!reopened.ok) throw new Error(reopened.message);
    const { callId } = at(world.of('snapshot')[1]);
    expect(await engine.command({ type: 'undo-call', sessionId: world.sessionId, callId, differing: 'refuse' })).toMatchObject({
      ok: true,
      value: { done: true },
    });
    expect(await everything(runtime)).toEqual(['a=1']);
    const events = (await stores.sessions.events(world.sessionId)).events;
    expect(events.filter(({ type }) => type === 'undo').length).toBe(1);
  });

  it('from a tab that only follows is carried out by the tab that writes', async () => {
    const runtime = await createFilesRuntime();
    const stores = createMemoryStores();
    const clock = createVirtualClock();
    const links = createMemoryLinks();
    const options = { runtime, stores, clock, tools: builtInTools };
    const world = await createEngineWorld({ ...options, mode: 'auto', link: links.link(), model: plays([[[write('a', '1')]]]) });
    await play(world);
    const second = createTestEngine({ ...options, model: plays([]), link: links.link(), tab: 'second' });
    const followed = await second.command({ type: 'session-open', sessionId: world.sessionId });
    expect(followed.ok && followed.value.role).toBe('follower');
    const { turnId } = at(world.of('turn-start')[0]);
    expect(await second.command({ type: 'undo-turn', sessionId: world.sessionId, turnId, differing: 'refuse' })).toMatchObject({
      ok: true,
      value: { done: true },
    });
    await clock.settle();
    expect([await everything(runtime), world.of('undo').length]).toEqual([[], 1]);
  });

  it('leaves the model with what it has read: a file that came back must be read again', async () => {
    const runtime = await createFilesRuntime();
    await runtime.fs.writeFile('a.txt', 'first\n');
    const world = await createEngineWorld({
      runtime,
      tools: builtInTools,
      mode: 'auto',
      model: plays([
        [[{ name: 'read_file', input: { path: 'a.txt' } }], [{ name: 'edit_file', input: { path: 'a.txt', search: 'first', replace: 'second' } }]],
        [[{ name: 'edit_file', input: { path: 'a.txt', search: 'first', replace: 'third' } }]],
      ]),
    });
    await play(world);
    await command(world, { type: 'undo-turn' });
    await world.send('again');
    await world.engine.idle(world.sessionId);
    expect(world.of('result-push').map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(at(world.of('result-push')[2]).content).toContain('a.txt changed since it was read');
    expect(await everything(runtime)).toEqual(['a.txt=first\n']);
  });

  it('waits for the call that runs, and no call runs meanwhile', async () => {
    const runtime = await createFilesRuntime();
    const order: string[] = [];
    let world = undefined as unknown as EngineWorld;
    const slow = testTool('slow_write', ['writes-files'], async (_, context) => {
      order.push('begins');
      await world.clock.sleep(1_000, context.signal);
      await context.files.writeText('slow', 'x');
      order.push('ends');
      return said('slow');
    });
    world = await createEngineWorld({ runtime, tools: [...builtInTools, slow], mode: 'auto', model: plays([[[write('a', '1')]], [[{ name: 'slow_write' }]]]) });
    await play(world);
    await world.send('again');
    const [first] = world.of('turn-start');
    const undoing = world.engine
      .command({ type: 'undo-turn', sessionId: world.sessionId, turnId: at(first).turnId, differing: 'refuse' })
      .then(() => order.push('undone'));
    await world.clock.settle();
    expect(order).toEqual(['begins']);
    await world.clock.advance(1_000);
    await undoing;
    expect([order, await everything(runtime)]).toEqual([['begins', 'ends', 'undone'], ['slow=x']]);
  });

  it('is also the model’s: it sees the list, is asked for in every mode, and what it did is no step of its own', async () => {
    const runtime = await createFilesRuntime();
    const world = await createEngineWorld({
      runtime,
      tools: builtInTools,
      mode: 'auto',
      model: plays([
        [[write('a', '1')], [write('b', '2')]],
        [[{ name: 'list_snapshots' }], [{ name: 'revert_turn', input: { turns_back: 1 } }], [{ name: 'list_snapshots' }]],
      ]),
    });
    await play(world);
    await world.send('go back');
    await world.engine.idle(world.sessionId);
    const results = world.of('result-push').map(({ content }) => content);
    const [a, b] = world.of('snapshot').map(({ callId }) => callId);
    expect(world.of('approval-start').map(({ request }) => request.tool)).toEqual(['revert_turn']);
    expect(results[2]).toBe(
      `${b} (turns_back 1, can be undone): write_file b (1 line)\n  made b\n${a} (turns_back 1, can be undone): write_file a (1 line)\n  made a`,
    );
    expect(results[3]).toBe('Undone: 2 paths are as before this turn and the one before. Read a file again before you change it.');
    expect(results[4]).toBe(`${b} (turns_back 1, undone): write_file b (1 line)\n  made b\n${a} (turns_back 1, undone): write_file a (1 line)\n  made a`);
    expect(await everything(runtime)).toEqual([]);
    expect([world.of('snapshot').length, world.of('undo').map(({ by, callIds }) => [by, callIds])]).toEqual([2, [['model', [a, b]]]]);
    expect(await command(world, { type: 'redo' })).toMatchObject({ done: true });
    expect(await everything(runtime)).toEqual(['a=1', 'b=2']);
  });

  it('goes with its session', async () => {
    const runtime = await createFilesRuntime();
    const stores = createMemoryStores();
    const world = await createEngineWorld({ runtime, stores, tools: builtInTools, mode: 'auto', model: plays([[[write('a', '1')]]]) });
    await play(world);
    const { workspaceId } = at(await stores.sessions.get(world.sessionId));
    expect((await stores.snapshots.keys(workspaceId)).length).toBe(1);
    await world.engine.command({ type: 'session-remove', sessionId: world.sessionId });
    expect(await stores.snapshots.keys(workspaceId)).toEqual([]);
  });
});
