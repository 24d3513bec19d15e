import { CodedError } from '@/lib/shared/coded-error';
import type { Database } from './database';
import { inOneTransaction } from './one-transaction';
import type { SpillShelf } from './spill-store';
import { isStoredSpillEntry, joinSpill } from './stored-shapes';

const SAFE = 'Sessions and files are not affected.';

/** Spills in IndexedDB: entry and text in two stores, always written and removed together. */
export function createIndexedShelf(database: Database): SpillShelf {
  return {
    put(records) {
      return database.run('keep a full result', SAFE, async (connection) => {
        const transaction = connection.transaction(['spill-entries', 'spill-texts'], 'readwrite', { durability: 'strict' });
        const entries = transaction.objectStore('spill-entries');
        const texts = transaction.objectStore('spill-texts');
        await inOneTransaction(
          transaction,
          records.flatMap(({ text, ...entry }) => [() => entries.put(entry, entry.ref), () => texts.put(text, entry.ref)]),
        );
      });
    },
    get(ref) {
      return database.run('read a stored result', SAFE, async (connection) => {
        const transaction = connection.transaction(['spill-entries', 'spill-texts'], 'readonly');
        const [entry, text] = await Promise.all([
          transaction.objectStore('spill-entries').get(ref),
          transaction.objectStore('spill-texts').get(ref),
          transaction.done,
        ]);
        if (entry === undefined && text === undefined) return undefined;
        const record = joinSpill(entry, text);
        if (record === undefined)
          throw new CodedError('storage-failed', `The stored result "${ref}" is damaged and cannot be read. Run the tool again. ${SAFE}`);
        return record;
      });
    },
    list() {
      return database.run('list the stored results', SAFE, async (connection) => (await connection.getAll('spill-entries')).filter(isStoredSpillEntry));
    },
    delete(ref) {
      return database.run('remove a stored result', SAFE, async (connection) => {
        const transaction = connection.transaction(['spill-entries', 'spill-texts'], 'readwrite');
        await inOneTransaction(transaction, [
          () => transaction.objectStore('spill-entries').delete(ref),
          () => transaction.objectStore('spill-texts').delete(ref),
        ]);
      });
    },
  };
}
