import type { SpillRef } from '@/lib/contracts/ids';
import type { SpillRecord, SpillStore, SpillWrite } from '@/lib/contracts/store';
import { messageOf } from '@/lib/shared/coded-error';
import { safeSpillId } from './spill-ids';

/** Milliseconds a spill is kept: 7 days. */
export const SPILL_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

export type SpillEntry = Omit<SpillRecord, 'text'>;

/** Where spills lie. Every method is one transaction: all or nothing, durable once it resolves. */
export interface SpillShelf {
  /** Replaces an entry of the same ref. Rejects with an error named `QuotaExceededError` when there is no room. */
  put(records: readonly SpillRecord[]): Promise<void>;
  /** Rejects with CodedError `storage-failed`. */
  get(ref: SpillRef): Promise<SpillRecord | undefined>;
  /** Rejects with CodedError `storage-failed`. */
  list(): Promise<readonly SpillEntry[]>;
  delete(ref: SpillRef): Promise<void>;
}

/**
 * The rules of spilling over any shelf: safe ids, room made by removing the oldest, 7 days of life.
 *
 * Fails  only `read` and `list` reject (CodedError `storage-failed`).
 * Order  `write` resolves once the bytes are durable. What was removed for a write that then failed all the same is put back.
 */
export function createSpillStore(shelf: SpillShelf): SpillStore {
  return {
    write: (record) => writeSpill(shelf, record),
    async read(ref) {
      const safe = safeSpillId(ref);
      return safe === undefined ? undefined : shelf.get(safe);
    },
    async list() {
      return [...(await shelf.list())].sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1));
    },
    async remove(ref) {
      const safe = safeSpillId(ref);
      if (safe !== undefined) await attempt(() => shelf.delete(safe));
    },
    async cleanUp(now) {
      const removed: SpillRef[] = [];
      const entries = await attempt(() => shelf.list());
      for (const entry of oldestFirst(entries ?? [])) {
        if (now - entry.createdAt <= SPILL_LIFE_MS) continue;
        const done = await attempt(async () => {
          await shelf.delete(entry.ref);
          return true;
        });
        if (done === true) removed.push(entry.ref);
      }
      return removed;
    },
  };
}

async function writeSpill(shelf: SpillShelf, asked: SpillRecord): Promise<SpillWrite> {
  const ref = safeSpillId(asked.ref);
  if (ref === undefined) return { saved: false, reason: 'bad-ref', detail: `"${asked.ref}" has no letter or digit, so nothing can be kept under it.` };
  const record = { ...asked, ref };
  const removed: SpillRecord[] = [];
  for (;;) {
    try {
      await shelf.put([record]);
      return { saved: true, removedForRoom: removed.map((spill) => spill.ref) };
    } catch (error) {
      const full = isQuotaError(error);
      const next = full ? await removeOldest(shelf, ref) : undefined;
      if (next !== undefined) {
        removed.push(next);
        continue;
      }
      const lost = await putBack(shelf, removed);
      const consequence = lost.length === 0 ? 'Older results are all still there.' : `Older results that could not be kept: ${lost.join(', ')}.`;
      return full
        ? { saved: false, reason: 'quota', detail: `The browser's storage is full, even with older results removed. ${consequence}` }
        : { saved: false, reason: 'failed', detail: `${messageOf(error).replace(/[.\s]*$/, '.')} ${consequence}` };
    }
  }
}

/** Removes the oldest spill but `keep` and answers what it was; undefined when there is none to remove. */
async function removeOldest(shelf: SpillShelf, keep: SpillRef): Promise<SpillRecord | undefined> {
  return attempt(async () => {
    const oldest = oldestFirst(await shelf.list()).find((entry) => entry.ref !== keep);
    if (oldest === undefined) return undefined;
    // A text that cannot be read any more is removed as well; there is nothing to put back then.
    const record = (await attempt(() => shelf.get(oldest.ref))) ?? { ...oldest, text: '' };
    await shelf.delete(oldest.ref);
    return record;
  });
}

/** Answers the refs that did not fit any more. */
async function putBack(shelf: SpillShelf, removed: readonly SpillRecord[]): Promise<readonly SpillRef[]> {
  const lost: SpillRef[] = [];
  for (const record of [...removed].reverse()) {
    const done = await attempt(async () => {
      await shelf.put([record]);
      return true;
    });
    if (done !== true) lost.push(record.ref);
  }
  return lost.reverse();
}

function oldestFirst(entries: readonly SpillEntry[]): readonly SpillEntry[] {
  return [...entries].sort((a, b) => a.createdAt - b.createdAt || (a.ref < b.ref ? -1 : 1));
}

/** True for the error with which a browser says that the origin may store no more. */
export function isQuotaError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && error.name === 'QuotaExceededError') return true;
  return 'cause' in error && error.cause !== error && isQuotaError(error.cause);
}

async function attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
