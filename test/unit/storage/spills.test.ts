import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpillRef } from '@/lib/contracts/ids';
import { createMemoryShelf } from '@/lib/storage/memory-stores';
import { createSpillIds, safeSpillId } from '@/lib/storage/spill-ids';
import { createSpillStore } from '@/lib/storage/spill-store';
import { spill } from '@/test/contract/store/stores-contract';

const DAY = 24 * 60 * 60 * 1000;

describe('spill ids', () => {
  it('of two tabs in one millisecond with equal serials never collide', () => {
    const ids = ['a', 'b'].flatMap((tab) => {
      const next = createSpillIds({ tab, now: () => 1_700_000_000_000, serial: 0 });
      return Array.from({ length: 50 }, next);
    });
    expect(new Set(ids).size).toBe(100);
    expect(ids[0]).toBe('out_loyw3v28_a_0');
  });

  it('are safe already, whatever the tab is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (tab, at) => {
        fc.pre(/[A-Za-z0-9]/.test(tab));
        const id = createSpillIds({ tab, now: () => at })();
        expect(safeSpillId(id)).toBe(id);
      }),
    );
  });

  it('made safe hold nothing but letters, digits, _ and -, and stay as they are the second time', () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        const safe = safeSpillId(id);
        expect(safe === undefined).toBe(!/[A-Za-z0-9]/.test(id));
        if (safe === undefined) return;
        expect(safe).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(safeSpillId(safe)).toBe(safe);
      }),
    );
  });
});

describe('spill store', () => {
  it('goes on cleaning when one delete fails, and rejects nothing', async () => {
    const shelf = createMemoryShelf();
    const store = createSpillStore({ ...shelf, delete: (ref) => (ref === 'd8' ? Promise.reject(new Error('locked')) : shelf.delete(ref)) });
    for (const days of [8, 9, 1]) await store.write(spill(`d${days}`, 'x', 100 * DAY - days * DAY));
    expect(await store.cleanUp(100 * DAY)).toEqual(['d9']);
    expect((await store.list()).map((entry) => entry.ref)).toEqual(['d1', 'd8']);
    await store.remove('d8' as SpillRef);
  });

  it('makes room by the oldest, one at a time', async () => {
    const store = createSpillStore(createMemoryShelf(100));
    for (const [index, ref] of ['a', 'b', 'c', 'd'].entries()) await store.write(spill(ref, 'x'.repeat(25), index));
    expect(await store.write(spill('e', 'x'.repeat(40), 9))).toEqual({ saved: true, removedForRoom: ['a', 'b'] });
  });

  it('never removes the earlier copy of the id it writes to make room for it', async () => {
    const store = createSpillStore(createMemoryShelf(100));
    await store.write(spill('a', 'x'.repeat(80), 1));
    expect(await store.write(spill('a', 'x'.repeat(200), 2))).toMatchObject({ saved: false, reason: 'quota' });
    expect((await store.read('a' as SpillRef))?.bytes).toBe(80);
  });

  it('says when a write fails for another reason', async () => {
    const store = createSpillStore({ ...createMemoryShelf(), put: () => Promise.reject(new Error('disk error')) });
    expect(await store.write(spill('a', 'x'))).toEqual({ saved: false, reason: 'failed', detail: 'disk error. Older results are all still there.' });
  });
});
