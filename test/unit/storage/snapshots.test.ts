import { expect, it } from 'vitest';
import type { CallId, WorkspaceId } from '@/lib/contracts/ids';
import type { PathChange } from '@/lib/contracts/undo';
import { createMemorySnapshotShelf, createSnapshotStore, type SnapshotShelf } from '@/lib/storage/snapshot-store';
import { snapshot } from '@/test/contract/store/stores-contract';

const w = 'w' as WorkspaceId;
const change = (path: string, before: Uint8Array): PathChange => ({ path, before: { bytes: before }, after: null });
const block = (fill: number, length = 100) => new Uint8Array(length).fill(fill);

it('equal files are kept once, however many steps name them', async () => {
  const kept = new Map<string, Uint8Array>();
  const shelf = createMemorySnapshotShelf();
  const watched: SnapshotShelf = {
    ...shelf,
    change(workspaceId, given) {
      for (const [id, content] of given.contents) kept.set(id, content);
      return shelf.change(workspaceId, given);
    },
  };
  const store = createSnapshotStore(watched);
  for (let n = 0; n < 5; n++) await store.write(snapshot(`c${n}`, [change('a', block(1)), change('b', block(1).slice()), change(`c${n}`, block(2))], n));
  expect(kept.size).toBe(2);
});

it('contents with the same print are told apart', async () => {
  // A shelf on which another content lies under the print of this one: the wrong bytes must never come back.
  const shelf = createMemorySnapshotShelf();
  let print = '';
  const spying = createSnapshotStore({
    ...shelf,
    change(workspaceId, given) {
      print = [...given.contents.keys()][0] ?? '';
      return shelf.change(workspaceId, given);
    },
  });
  await spying.write(snapshot('c1', [change('a', block(7))]));
  const poisoned = createMemorySnapshotShelf();
  await poisoned.change(w, {
    put: [{ key: 'c0', sessionId: 's', createdAt: 0, bytes: 100, open: false, changes: [{ path: 'x', before: { content: print }, after: null }] }],
    drop: [],
    contents: new Map([[print, block(9)]]),
    dropContents: [],
  });
  const second = createSnapshotStore(poisoned);
  await second.write(snapshot('c1', [change('a', block(7))]));
  expect((await second.read(w, 'c1' as CallId))?.changes).toEqual([change('a', block(7))]);
  expect((await second.read(w, 'c0' as CallId))?.changes).toEqual([change('x', block(9))]);
});

it('over the room of a workspace the oldest steps go and are named; one step that is larger is refused', async () => {
  const store = createSnapshotStore(createMemorySnapshotShelf(), 250);
  await store.write(snapshot('c1', [change('a', block(1))], 1));
  await store.write(snapshot('c2', [change('a', block(2))], 2));
  expect(await store.write(snapshot('c3', [change('a', block(3))], 3))).toEqual({ saved: true, removedForRoom: ['c1'] });
  expect((await store.keys(w)).map(({ key }) => key)).toEqual(['c2', 'c3']);
  expect(await store.write(snapshot('c4', [change('a', block(4, 251))], 4))).toMatchObject({ saved: false, reason: 'too-large' });
  expect((await store.keys(w)).map(({ key }) => key)).toEqual(['c2', 'c3']);
});

it('when the browser is full the oldest steps go; when that does not help nothing is lost', async () => {
  const store = createSnapshotStore(createMemorySnapshotShelf(250));
  await store.write(snapshot('c1', [change('a', block(1))], 1));
  await store.write(snapshot('c2', [change('a', block(2))], 2));
  expect(await store.write(snapshot('c3', [change('a', block(3))], 3))).toEqual({ saved: true, removedForRoom: ['c1'] });
  expect(await store.write(snapshot('c4', [change('a', block(4, 300))], 4))).toMatchObject({ saved: false, reason: 'quota' });
  expect((await store.read(w, 'c2' as CallId))?.changes).toEqual([change('a', block(2))]);
  expect((await store.read(w, 'c3' as CallId))?.changes).toEqual([change('a', block(3))]);
});

it('a step of which a content is gone is not offered in part', async () => {
  const shelf = createMemorySnapshotShelf();
  const store = createSnapshotStore({ ...shelf, contents: async (workspaceId, ids) => new Map([...(await shelf.contents(workspaceId, ids))].slice(1)) });
  await store.write(snapshot('c1', [change('a', block(1)), change('b', block(2))]));
  expect(await store.read(w, 'c1' as CallId)).toBeUndefined();
});

it('a shelf that fails is a reason in words, and the next write is tried again', async () => {
  const shelf = createMemorySnapshotShelf();
  let broken = true;
  const store = createSnapshotStore({ ...shelf, list: (id) => (broken ? Promise.reject(new Error('the disk is gone')) : shelf.list(id)) });
  expect(await store.write(snapshot('c1', []))).toEqual({ saved: false, reason: 'failed', detail: 'the disk is gone' });
  broken = false;
  expect(await store.write(snapshot('c1', []))).toEqual({ saved: true, removedForRoom: [] });
});
