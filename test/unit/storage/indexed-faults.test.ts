import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionId, SpillRef } from '@/lib/contracts/ids';
import type { SpillRecord } from '@/lib/contracts/store';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { openIndexedStores } from '@/lib/storage/indexed-stores';
import { openStores } from '@/lib/storage/open-stores';
import { event, spill } from '@/test/contract/store/stores-contract';
import { killSpillWrites, limitSpillTexts } from '@/test/support/full-disk';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

const text = (size: number) => 'a'.repeat(size);

function open(factory: globalThis.IDBFactory, name = 'gatehouse', version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function refused(work: Promise<unknown>): Promise<{ readonly code: string | undefined; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    return { code: codeOf(error), message: messageOf(error) };
  }
  throw new Error('expected a rejection');
}

describe('a full disk', () => {
  it('costs the oldest spills first, tells which, and then the write succeeds', async () => {
    const { spills } = await openIndexedStores({ factory: new IDBFactory() });
    for (const [index, ref] of ['old', 'mid', 'new'].entries()) await spills.write(spill(ref, text(60_000), 1000 + index));
    undo.push(limitSpillTexts(190_000));
    expect(await spills.write(spill('fresh', text(65_000), 2000))).toEqual({ saved: true, removedForRoom: ['old'] });
    expect((await spills.list()).map((entry) => entry.ref)).toEqual(['fresh', 'new', 'mid']);
  });

  it('that has no room even then loses nothing older and says so', async () => {
    const { spills } = await openIndexedStores({ factory: new IDBFactory() });
    for (const [index, ref] of ['old', 'new'].entries()) await spills.write(spill(ref, text(100), 1000 + index));
    undo.push(limitSpillTexts(300));
    const answer = await spills.write(spill('huge', text(5000), 2000));
    expect(answer).toEqual({
      saved: false,
      reason: 'quota',
      detail: "The browser's storage is full, even with older results removed. Older results are all still there.",
    });
    expect((await spills.list()).map((entry) => [entry.ref, entry.bytes])).toEqual([
      ['new', 100],
      ['old', 100],
    ]);
    expect((await spills.read('old' as SpillRef))?.text).toBe(text(100));
  });
});

describe('a write that is killed half-way', () => {
  it('leaves nothing: no entry, no part', async () => {
    const { spills } = await openIndexedStores({ factory: new IDBFactory() });
    undo.push(killSpillWrites());
    expect(await spills.write(spill('a1', text(300_000)))).toMatchObject({ saved: false, reason: 'failed' });
    expect(await spills.read('a1' as SpillRef)).toBeUndefined();
    expect(await spills.list()).toEqual([]);
  });

  it('leaves the earlier text of the same id', async () => {
    const { spills } = await openIndexedStores({ factory: new IDBFactory() });
    await spills.write(spill('a1', 'earlier'));
    undo.push(killSpillWrites());
    await spills.write(spill('a1', 'later'));
    expect((await spills.read('a1' as SpillRef))?.text).toBe('earlier');
  });
});

describe('a damaged record', () => {
  it('of a spill is told apart from an unknown id', async () => {
    const factory = new IDBFactory();
    const { spills } = await openIndexedStores({ factory });
    await spills.write(spill('a1', 'x'));
    const raw = await open(factory);
    await new Promise((resolve) => {
      const transaction = raw.transaction('spill-texts', 'readwrite');
      transaction.objectStore('spill-texts').delete('a1');
      transaction.oncomplete = resolve;
    });
    expect(await refused(spills.read('a1' as SpillRef))).toEqual({
      code: 'storage-failed',
      message: 'The stored result "a1" is damaged and cannot be read. Run the tool again. Sessions and files are not affected.',
    });
  });

  it('of a spill that cannot be stored at all is a failed write, not a rejection', async () => {
    const { spills } = await openIndexedStores({ factory: new IDBFactory() });
    const uncloneable = { ...spill('a1', 'x'), text: (() => 'x') as unknown as string } as SpillRecord;
    expect(await spills.write(uncloneable)).toMatchObject({ saved: false, reason: 'failed' });
    expect(await spills.list()).toEqual([]);
  });
});

describe('the connection', () => {
  it('makes way for a newer version in another tab, and then says what to do', async () => {
    const factory = new IDBFactory();
    const { sessions } = await openIndexedStores({ factory });
    await sessions.append('a' as SessionId, [event('a', 0)]);
    await open(factory, 'gatehouse', 99);
    const { code, message } = await refused(sessions.append('a' as SessionId, [event('a', 1)]));
    expect([code, message]).toEqual([
      'storage-held',
      'Gatehouse could not save what happened: a newer version of Gatehouse has opened the stored data in another tab. Reload this page. What was stored before is unchanged.',
    ]);
  });

  it('that was closed under it is opened again', async () => {
    const factory = new IDBFactory();
    const { sessions } = await openIndexedStores({ factory });
    await sessions.append('a' as SessionId, [event('a', 0)]);
    await new Promise((resolve) => {
      factory.deleteDatabase('gatehouse').onsuccess = resolve;
    });
    await sessions.append('a' as SessionId, [event('a', 0)]);
    expect((await sessions.events('a' as SessionId)).events).toEqual([event('a', 0)]);
  });

  it('does not wait without a word for a tab that holds an older version', async () => {
    const factory = new IDBFactory();
    // A database of version 0 is never older than ours, so the older one is made under a number of its own.
    const older = await new Promise<IDBDatabase>((resolve) => {
      const request = factory.open('held', 1);
      request.onsuccess = () => resolve(request.result);
    });
    const blockedFactory = { open: (name: string) => factory.open(name, 2) } as unknown as globalThis.IDBFactory;
    const { code, message } = await refused(openIndexedStores({ name: 'held', factory: blockedFactory }));
    older.close();
    expect([code, message]).toEqual([
      'storage-held',
      'Another tab holds an older version of the stored data open. Close the other Gatehouse tabs and reload; what is stored is untouched.',
    ]);
  });

  it('that is closed for good refuses further use', async () => {
    const stores = await openIndexedStores({ factory: new IDBFactory() });
    stores.close();
    expect((await refused(stores.sessions.list())).code).toBe('storage-failed');
    expect(await stores.spills.write(spill('a1', 'x'))).toMatchObject({ saved: false, reason: 'failed' });
    expect(await stores.spills.cleanUp(0)).toEqual([]);
  });

  it('that cannot be had is refused in words', async () => {
    const broken = {
      open() {
        throw new Error('access denied');
      },
    } as unknown as globalThis.IDBFactory;
    expect(await refused(openIndexedStores({ factory: broken }))).toEqual({
      code: 'storage-failed',
      message: 'Gatehouse could not open its storage: access denied. What is stored is untouched.',
    });
  });

  it('that cannot be had leaves a page that works and says that it forgets', async () => {
    const broken = {
      open() {
        throw new Error('access denied');
      },
    } as unknown as globalThis.IDBFactory;
    const { stores, forgetful } = await openStores({ factory: broken });
    await stores.sessions.append('a' as SessionId, [event('a', 0)]);
    expect((await stores.sessions.events('a' as SessionId)).events).toEqual([event('a', 0)]);
    expect(forgetful).toBe(
      "Gatehouse could not open its storage: access denied. What is stored is untouched. You can work here, but a reload forgets it: allow this site to store data, or repair the browser's profile, and reload.",
    );
  });

  it('that another tab keeps in a newer version is no reason to work beside it', async () => {
    const factory = new IDBFactory();
    (await open(factory, 'gatehouse', 99)).close();
    expect(await refused(openStores({ factory }))).toEqual({
      code: 'storage-held',
      message:
        'Gatehouse could not open its storage: a newer version of Gatehouse has opened the stored data in another tab. Reload this page. What is stored is untouched.',
    });
  });
});

it('two openings of one origin see the same data', async () => {
  const factory = new IDBFactory();
  const first = await openIndexedStores({ factory });
  await first.sessions.append('a' as SessionId, [event('a', 0)]);
  const second = await openIndexedStores({ factory });
  expect((await second.sessions.events('a' as SessionId)).events).toEqual([event('a', 0)]);
  expect((await refused(second.sessions.append('a' as SessionId, [event('a', 0)]))).code).toBe('already-exists');
});
