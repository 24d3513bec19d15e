import type { CallId, SessionId, WorkspaceId } from '@/lib/contracts/ids';
import type { PathChange, PathState, SnapshotRecord, SnapshotStore, SnapshotWrite, UndoId } from '@/lib/contracts/undo';
import { messageOf } from '@/lib/shared/coded-error';
import { fingerprintBytes } from '@/lib/shared/fingerprint-bytes';
import { isQuotaError } from './spill-store';

type Key = CallId | UndoId;

/** A state whose bytes lie apart, under an id. */
export type StoredState = null | { readonly directory: true } | { readonly content: string };

export interface StoredSnapshot {
  readonly key: string;
  readonly sessionId: string;
  readonly createdAt: number;
  /** Bytes of every content it names. */
  readonly bytes: number;
  readonly open: boolean;
  readonly changes: readonly { readonly path: string; readonly before: StoredState; readonly after: StoredState }[];
}

/** What one transaction does to the shelf of a workspace. */
export interface ShelfChange {
  readonly put: readonly StoredSnapshot[];
  readonly drop: readonly string[];
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly dropContents: readonly string[];
}

/** Where snapshots lie. `change` is one transaction, durable once it resolves; it rejects with an error named `QuotaExceededError` when there is no room. */
export interface SnapshotShelf {
  /** In any order; what cannot be read is left out. */
  list(workspaceId: WorkspaceId): Promise<readonly StoredSnapshot[]>;
  contents(workspaceId: WorkspaceId, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  change(workspaceId: WorkspaceId, change: ShelfChange): Promise<void>;
  remove(workspaceId: WorkspaceId): Promise<void>;
}

/** Steps of one workspace that can be undone; older ones make room. */
export const STEPS_KEPT = 300;
/** Bytes of all that undo keeps of one workspace, equal files counted once. */
export const SNAPSHOT_ROOM_BYTES = 128 * 1024 * 1024;
/** Paths of one step; more is a whole tree of packages, which nobody undoes file by file. */
const PATHS_OF_A_STEP = 20_000;

/**
 * The rules of keeping what undo brings back, over any shelf: equal files once, room made by removing the oldest.
 *
 * Fails  `write` never rejects; the others reject with CodedError `storage-failed`.
 * Order  writes of one workspace go one after the other; `write` resolves once the bytes are durable.
 */
export function createSnapshotStore(shelf: SnapshotShelf, roomBytes = SNAPSHOT_ROOM_BYTES): SnapshotStore {
  let before: Promise<unknown> = Promise.resolve();
  const oneByOne = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const mine = before.then(work);
    before = mine.catch(() => undefined);
    return mine;
  };
  return {
    write: (record) => oneByOne(() => writeSnapshot(shelf, record, roomBytes)),
    read: (workspaceId, key) =>
      oneByOne(async () => {
        const stored = (await shelf.list(workspaceId)).find((one) => one.key === key);
        return stored && readSnapshot(shelf, workspaceId, stored);
      }),
    keys: (workspaceId) => oneByOne(async () => oldestFirst(await shelf.list(workspaceId)).map(({ key, open }) => ({ key: key as Key, open }))),
    remove: (workspaceId) => oneByOne(() => shelf.remove(workspaceId)),
  };
}

async function writeSnapshot(shelf: SnapshotShelf, record: SnapshotRecord, roomBytes: number): Promise<SnapshotWrite> {
  const { workspaceId } = record;
  if (record.changes.length > PATHS_OF_A_STEP)
    return { saved: false, reason: 'too-large', detail: `It changed ${record.changes.length} paths; up to ${PATHS_OF_A_STEP} are kept.` };
  const removed: Key[] = [];
  try {
    const known = (await shelf.list(workspaceId)).filter((one) => one.key !== record.key);
    const { stored, fresh } = await nameContents(shelf, record, known);
    if (stored.bytes > roomBytes)
      return { saved: false, reason: 'too-large', detail: `What was there before takes ${stored.bytes} bytes; there is room for ${roomBytes}.` };
    let kept = oldestFirst(known);
    const dropOldest = () => {
      const [oldest, ...rest] = kept;
      if (oldest === undefined) return false;
      removed.push(oldest.key as Key);
      kept = rest;
      return true;
    };
    while (kept.length >= STEPS_KEPT || keptBytes([...kept, stored], fresh) > roomBytes) if (!dropOldest()) break;
    for (;;) {
      try {
        await shelf.change(workspaceId, await changeTo(shelf, workspaceId, [...kept, stored], stored, removed, fresh));
        return { saved: true, removedForRoom: removed };
      } catch (error) {
        if (!isQuotaError(error)) throw error;
        if (!dropOldest()) return { saved: false, reason: 'quota', detail: "The browser's storage is full, even without older steps." };
      }
    }
  } catch (error) {
    return { saved: false, reason: 'failed', detail: messageOf(error) };
  }
}

/** Gives every content an id; equal bytes the same one, also those that are stored. */
async function nameContents(
  shelf: SnapshotShelf,
  record: SnapshotRecord,
  known: readonly StoredSnapshot[],
): Promise<{ readonly stored: StoredSnapshot; readonly fresh: ReadonlyMap<string, Uint8Array> }> {
  const taken = new Set(known.flatMap((one) => [...contentsOf(one)]));
  const fresh = new Map<string, Uint8Array>();
  const named = new Map<Uint8Array, string>();
  const idOf = async (bytes: Uint8Array): Promise<string> => {
    const seen = named.get(bytes);
    if (seen !== undefined) return seen;
    const print = fingerprintBytes(bytes);
    // The print may collide, and the wrong bytes must never come back: equal means every byte.
    for (let turn = 0; ; turn++) {
      const id = turn === 0 ? print : `${print}~${turn}`;
      const there = fresh.get(id) ?? (taken.has(id) ? (await shelf.contents(record.workspaceId, [id])).get(id) : undefined);
      if (there !== undefined && !isSame(there, bytes)) continue;
      named.set(bytes, id);
      // Bytes of its own: a view would keep all that lies under it, and shared memory cannot be stored.
      if (there === undefined) fresh.set(id, new Uint8Array(bytes));
      return id;
    }
  };
  const store = async (state: PathState): Promise<StoredState> => (state !== null && 'bytes' in state ? { content: await idOf(state.bytes) } : state);
  const changes: StoredSnapshot['changes'][number][] = [];
  for (const { path, before, after } of record.changes) changes.push({ path, before: await store(before), after: await store(after) });
  const bytes = [...named].reduce((sum, [content]) => sum + content.length, 0);
  return { stored: { key: record.key, sessionId: record.sessionId, createdAt: record.createdAt, bytes, open: record.open === true, changes }, fresh };
}

async function changeTo(
  shelf: SnapshotShelf,
  workspaceId: WorkspaceId,
  after: readonly StoredSnapshot[],
  put: StoredSnapshot,
  removed: readonly string[],
  fresh: ReadonlyMap<string, Uint8Array>,
): Promise<ShelfChange> {
  const needed = new Set(after.flatMap((one) => [...contentsOf(one)]));
  const there = new Set((await shelf.list(workspaceId)).flatMap((one) => [...contentsOf(one)]));
  return { put: [put], drop: removed, contents: fresh, dropContents: [...there].filter((id) => !needed.has(id)) };
}

async function readSnapshot(shelf: SnapshotShelf, workspaceId: WorkspaceId, stored: StoredSnapshot): Promise<SnapshotRecord | undefined> {
  const ids = [...contentsOf(stored)];
  const contents = await shelf.contents(workspaceId, ids);
  // A step that could be brought back in part only is no way back.
  if (ids.some((id) => !contents.has(id))) return undefined;
  const load = (state: StoredState): PathState => (state !== null && 'content' in state ? { bytes: contents.get(state.content) as Uint8Array } : state);
  const changes = stored.changes.map(({ path, before, after }): PathChange => ({ path, before: load(before), after: load(after) }));
  const { key, sessionId, createdAt } = stored;
  return { key: key as Key, workspaceId, sessionId: sessionId as SessionId, createdAt, changes, ...(stored.open ? { open: true } : {}) };
}

function keptBytes(steps: readonly StoredSnapshot[], fresh: ReadonlyMap<string, Uint8Array>): number {
  const ids = new Set(steps.flatMap((one) => [...contentsOf(one)]));
  let bytes = 0;
  // The print begins with the length.
  for (const id of ids) bytes += fresh.get(id)?.length ?? Number.parseInt(id, 10);
  return bytes;
}

function* contentsOf({ changes }: StoredSnapshot): Generator<string> {
  for (const { before, after } of changes) for (const state of [before, after]) if (state !== null && 'content' in state) yield state.content;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function oldestFirst(steps: readonly StoredSnapshot[]): readonly StoredSnapshot[] {
  return [...steps].sort((a, b) => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1));
}

/** Snapshots in memory; the contents of one workspace may take `roomBytes` together. */
export function createMemorySnapshotShelf(roomBytes = Number.POSITIVE_INFINITY): SnapshotShelf {
  const workspaces = new Map<string, { readonly steps: Map<string, StoredSnapshot>; readonly contents: Map<string, Uint8Array> }>();
  const shelfOf = (workspaceId: string) => {
    const known = workspaces.get(workspaceId) ?? { steps: new Map<string, StoredSnapshot>(), contents: new Map<string, Uint8Array>() };
    workspaces.set(workspaceId, known);
    return known;
  };
  return {
    list: async (workspaceId) => [...shelfOf(workspaceId).steps.values()].map((step) => structuredClone(step)),
    async contents(workspaceId, ids) {
      const { contents } = shelfOf(workspaceId);
      return new Map(ids.flatMap((id) => (contents.has(id) ? [[id, (contents.get(id) as Uint8Array).slice()] as const] : [])));
    },
    async change(workspaceId, { put, drop, contents, dropContents }) {
      const shelf = shelfOf(workspaceId);
      const after = new Map([...shelf.contents, ...contents]);
      for (const id of dropContents) after.delete(id);
      const bytes = [...after.values()].reduce((sum, content) => sum + content.length, 0);
      if (bytes > roomBytes) throw Object.assign(new Error('there is no room for more'), { name: 'QuotaExceededError' });
      for (const key of drop) shelf.steps.delete(key);
      for (const step of put) shelf.steps.set(step.key, structuredClone(step));
      for (const id of dropContents) shelf.contents.delete(id);
      for (const [id, content] of contents) shelf.contents.set(id, content.slice());
    },
    async remove(workspaceId) {
      workspaces.delete(workspaceId);
    },
  };
}
