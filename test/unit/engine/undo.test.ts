import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Runtime } from '@/lib/contracts/runtime';
import type { UndoId } from '@/lib/contracts/undo';
import { codeOf } from '@/lib/shared/coded-error';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { at } from '@/test/support/at';
import { createFilesRuntime, createUndoWorld, everything } from '@/test/support/undo-world';

const call = (name: string) => name as CallId;
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => codeOf(error),
  );

describe('the steps of calls', () => {
  it('a call that changes nothing leaves no trace, also when it writes what was there', async () => {
    const world = await createUndoWorld();
    await world.runtime.fs.writeFile('a.txt', 'same');
    await world.call('c1', async (fs) => {
      await fs.readFile('a.txt');
      await fs.writeFile('a.txt', 'same');
      await fs.mkdir('d');
      await fs.rm('d', { recursive: true });
    });
    expect([world.of('snapshot'), await world.snapshots.keys(world.workspaceId)]).toEqual([[], []]);
  });

  it('the log names what was made, changed and removed, files before folders', async () => {
    const world = await createUndoWorld();
    await world.runtime.fs.writeFile('gone', '');
    await world.runtime.fs.writeFile('kept', '1');
    await world.call('c1', async (fs) => {
      await fs.mkdir('a');
      await fs.rename('gone', 'a/moved');
      await fs.writeFile('kept', '2');
    });
    expect(world.of('snapshot').map(({ paths, count, limits }) => ({ paths, count, limits }))).toEqual([
      {
        paths: [
          { path: 'a/moved', kind: 'made' },
          { path: 'gone', kind: 'removed' },
          { path: 'kept', kind: 'changed' },
          { path: 'a/', kind: 'made' },
        ],
        count: 4,
        limits: [],
      },
    ]);
  });

  it('what cannot be brought back is said', async () => {
    const plain: Runtime = { ...(await createFilesRuntime()) };
    const { journal: _, ...blind } = plain;
    const world = await createUndoWorld({ runtime: blind });
    await world.call('c1', (fs) => fs.writeFile('unseen', 'x'), 'change');
    expect(world.of('snapshot').map(({ count, limits }) => [count, limits])).toEqual([[0, ['commands']]]);
    expect(await failure(world.undo.undoCall(call('c1'), 'refuse'))).toBe('not-available');
    const sending = await createUndoWorld();
    await sending.call('c1', (fs) => fs.writeFile('a', 'x'), 'send');
    expect(sending.of('snapshot').map(({ limits }) => limits)).toEqual([['outside']]);
  });

  it('where changes are not told, the files that the call names are held all the same', async () => {
    const { journal: _, ...blind } = await createFilesRuntime();
    await blind.fs.writeFile('a.txt', '1');
    await blind.fs.mkdir('folder');
    await blind.fs.writeFile('folder/x', 'x');
    const world = await createUndoWorld({ runtime: blind });
    const before = await everything(blind);
    await world.call(
      'c1',
      async (fs) => {
        await fs.writeFile('a.txt', '2');
        await fs.rm('folder', { recursive: true });
      },
      'write',
    );
    const answer = await world.undo.undoCall(call('c1'), 'refuse');
    expect([answer.done, await everything(blind)]).toEqual([true, before]);
  });

  it('what a tab that closed had no time for is found again: the undone half of a call, and a step that only the store knew', async () => {
    const stores = createMemoryStores();
    const world = await createUndoWorld({ stores });
    await world.runtime.fs.writeFile('a', '1');
    const before = await everything(world.runtime);
    await world.cutOff('c1', async (fs) => {
      await fs.writeFile('a', '2');
      await fs.writeFile('b', '2');
      await world.store();
      await fs.writeFile('b', '3');
    });
    const reopened = await createUndoWorld({ stores, runtime: world.runtime, before: world.events });
    await reopened.undo.recover();
    expect(reopened.of('snapshot').map(({ callId, count, recovered }) => [callId, count, recovered])).toEqual([['c1', 2, true]]);
    expect((await reopened.undo.undoCall(call('c1'), 'refuse')).done).toBe(true);
    expect(await everything(world.runtime)).toEqual(before);
    await reopened.undo.recover();
    expect(reopened.of('snapshot').length).toBe(1);
  });

  it('what cannot be kept cannot be undone, and says why', async () => {
    const world = await createUndoWorld({ stores: createMemoryStores({ snapshotRoomBytes: 10 }) });
    await world.call('c1', (fs) => fs.writeFile('a', 'x'.repeat(100)));
    expect(world.of('snapshot').map(({ problem }) => problem)).toEqual(["It cannot be undone: The browser's storage is full, even without older steps."]);
    expect(await failure(world.undo.undoCall(call('c1'), 'refuse'))).toBe('not-available');
  });

  it('older steps that make room are named, and can be undone no more', async () => {
    const world = await createUndoWorld({ stores: createMemoryStores({ snapshotRoomBytes: 150 }) });
    await world.call('c1', (fs) => fs.writeFile('a', 'x'.repeat(100)));
    await world.call('c2', (fs) => fs.writeFile('b', 'y'.repeat(100)));
    expect(world.of('snapshot-drop').map(({ callIds }) => callIds)).toEqual([['c1']]);
    expect(
      world.undo
        .forCall(call('c3'))
        .list()
        .map(({ callId, state }) => [callId, state]),
    ).toEqual([
      ['c1', 'lost'],
      ['c2', 'done'],
    ]);
    expect(await failure(world.undo.undoCall(call('c1'), 'refuse'))).toBe('not-available');
    expect((await world.undo.undoTurn(world.turnId, 'refuse')).done).toBe(true);
    expect(await everything(world.runtime)).toEqual([`a=${'x'.repeat(100)}`]);
  });
});

describe('undo and redo', () => {
  it('undo, redo and undo again, and nothing twice', async () => {
    const world = await createUndoWorld();
    await world.call('c1', (fs) => fs.writeFile('a', new Uint8Array([0, 255, 254, 10])));
    const after = await everything(world.runtime);
    for (let round = 0; round < 2; round++) {
      const undone = await world.undo.undoCall(call('c1'), 'refuse');
      expect([undone.done, await everything(world.runtime)]).toEqual([true, []]);
      expect(await failure(world.undo.undoCall(call('c1'), 'refuse'))).toBe('not-available');
      const { undoId } = at(world.of('undo').at(-1));
      expect((await world.undo.redo(undoId, 'refuse')).done).toBe(true);
      expect(await everything(world.runtime)).toEqual(after);
      expect(await failure(world.undo.redo(undoId, 'refuse'))).toBe('not-available');
    }
    expect(await failure(world.undo.redo('undo-unknown' as UndoId, 'refuse'))).toBe('not-available');
    expect(await failure(world.undo.undoTurn('turn-unknown' as never, 'refuse'))).toBe('not-available');
  });

  it('an earlier call whose file a later one changed is refused with its name, and goes when their lines are apart', async () => {
    const world = await createUndoWorld();
    await world.runtime.fs.writeFile('a', 'one\ntwo\nthree\nfour\n');
    await world.call('c1', (fs) => fs.writeFile('a', 'ONE\ntwo\nthree\nfour\n'));
    await world.call('c2', (fs) => fs.writeFile('a', 'ONE\ntwo\nthree\nFOUR\n'));
    const before = await everything(world.runtime);
    expect(await world.undo.undoCall(call('c1'), 'refuse')).toEqual({
      done: false,
      differs: [{ path: 'a', why: 'changed', by: 'c2', merges: true }],
      others: 0,
    });
    expect(await everything(world.runtime)).toEqual(before);
    const merged = await world.undo.undoCall(call('c1'), 'merge');
    expect(await everything(world.runtime)).toEqual(['a=one\ntwo\nthree\nFOUR\n']);
    expect((await world.undo.redo(merged.done ? merged.undoId : ('' as UndoId), 'refuse')).done).toBe(true);
    expect(await everything(world.runtime)).toEqual(before);
  });

  it('a file that the person changed since stays; the others can be undone without it', async () => {
    const world = await createUndoWorld();
    await world.call('c1', async (fs) => {
      await fs.writeFile('a', 'agent');
      await fs.writeFile('b', 'agent');
    });
    await world.runtime.journal?.as('person').fs.writeFile('a', 'mine');
    expect(await world.undo.undoCall(call('c1'), 'refuse')).toEqual({ done: false, differs: [{ path: 'a', why: 'changed', merges: false }], others: 1 });
    expect(await everything(world.runtime)).toEqual(['a=mine', 'b=agent']);
    expect(await world.undo.undoCall(call('c1'), 'leave')).toMatchObject({ done: true, count: 1, left: [{ path: 'a' }] });
    expect(await everything(world.runtime)).toEqual(['a=mine']);
    expect(world.of('undo').map(({ left }) => left)).toEqual([['a']]);
  });

  it('what the person saves while a call runs is not the call’s', async () => {
    const world = await createUndoWorld();
    const person = world.runtime.journal?.as('person').fs as Runtime['fs'];
    await world.call('c1', async (fs) => {
      await fs.writeFile('a', 'agent');
      await person.writeFile('notes', 'mine');
      await person.writeFile('a', 'mine over it');
    });
    expect(world.of('snapshot')[0]?.paths).toEqual([{ path: 'a', kind: 'made' }]);
    expect(await world.undo.undoCall(call('c1'), 'leave')).toMatchObject({ done: false });
    expect(await everything(world.runtime)).toEqual(['a=mine over it', 'notes=mine']);
  });

  it('what a background command writes is its own step, whatever runs meanwhile', async () => {
    const world = await createUndoWorld();
    await world.call('c1', async () => undefined);
    const job = await world.undo.openJob(call('c1'));
    const program = world.runtime.journal?.as('job:c1').fs as Runtime['fs'];
    await program.writeFile('out-1', 'job');
    await world.call('c2', async (fs) => {
      await fs.writeFile('src', 'edit');
      await program.writeFile('out-2', 'job');
    });
    await job.close();
    expect(world.of('snapshot').map(({ callId, paths }) => [callId, paths.map(({ path }) => path)])).toEqual([
      ['c2', ['src']],
      ['c1', ['out-1', 'out-2']],
    ]);
    await world.undo.undoCall(call('c2'), 'refuse');
    expect(await everything(world.runtime)).toEqual(['out-1=job', 'out-2=job']);
  });

  it('of a person who writes while files are compared nothing is lost', async () => {
    const stores = createMemoryStores();
    const world = await createUndoWorld({
      stores: {
        ...stores,
        snapshots: {
          ...stores.snapshots,
          async write(record) {
            const written = await stores.snapshots.write(record);
            if (record.key.startsWith('undo')) await world.runtime.journal?.as('person').fs.writeFile('a', 'saved just now');
            return written;
          },
        },
      },
    });
    await world.call('c1', (fs) => fs.writeFile('a', 'agent'));
    expect(await world.undo.undoCall(call('c1'), 'refuse')).toMatchObject({ done: false, differs: [{ path: 'a' }] });
    expect(await everything(world.runtime)).toEqual(['a=saved just now']);
  });

  it('without room for the way forth nothing is undone', async () => {
    const stores = createMemoryStores();
    const world = await createUndoWorld({
      stores: {
        ...stores,
        snapshots: {
          ...stores.snapshots,
          write: async (record) => (record.key.startsWith('undo') ? { saved: false, reason: 'quota', detail: 'full' } : stores.snapshots.write(record)),
        },
      },
    });
    await world.call('c1', (fs) => fs.writeFile('a', 'agent'));
    expect(await failure(world.undo.undoCall(call('c1'), 'refuse'))).toBe('storage-failed');
    expect(await everything(world.runtime)).toEqual(['a=agent']);
  });
});
