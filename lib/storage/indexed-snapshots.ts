import type { WorkspaceId } from '@/lib/contracts/ids';
import type { Database } from './database';
import { inOneTransaction } from './one-transaction';
import type { SnapshotShelf } from './snapshot-store';
import { isStoredSnapshot } from './stored-shapes';

const SAFE = 'The files of the workspace are not affected.';

/** Snapshots in IndexedDB: steps and the contents they name in two stores, always written and removed together. */
export function createIndexedSnapshotShelf(database: Database): SnapshotShelf {
  return {
    list(workspaceId) {
      return database.run('read what undo keeps', SAFE, async (connection) => (await connection.getAll('snapshots', of(workspaceId))).filter(isStoredSnapshot));
    },
    contents(workspaceId, ids) {
      return database.run('read what undo keeps', SAFE, async (connection) => {
        const transaction = connection.transaction('snapshot-contents', 'readonly');
        const [found] = await Promise.all([Promise.all(ids.map((id) => transaction.store.get([workspaceId, id]))), transaction.done]);
        return new Map(ids.flatMap((id, index) => (found[index] instanceof Uint8Array ? [[id, found[index]] as const] : [])));
      });
    },
    change(workspaceId, { put, drop, contents, dropContents }) {
      return database.run('keep what undo brings back', SAFE, async (connection) => {
        const transaction = connection.transaction(['snapshots', 'snapshot-contents'], 'readwrite', { durability: 'strict' });
        const steps = transaction.objectStore('snapshots');
        const bytes = transaction.objectStore('snapshot-contents');
        await inOneTransaction(transaction, [
          ...drop.map((key) => () => steps.delete([workspaceId, key])),
          ...put.map((step) => () => steps.put(step, [workspaceId, step.key])),
          ...dropContents.map((id) => () => bytes.delete([workspaceId, id])),
          ...[...contents].map(
            ([id, content]) =>
              () =>
                bytes.put(content, [workspaceId, id]),
          ),
        ]);
      });
    },
    remove(workspaceId) {
      return database.run('remove what undo keeps', SAFE, async (connection) => {
        const transaction = connection.transaction(['snapshots', 'snapshot-contents'], 'readwrite');
        await inOneTransaction(transaction, [
          () => transaction.objectStore('snapshots').delete(of(workspaceId)),
          () => transaction.objectStore('snapshot-contents').delete(of(workspaceId)),
        ]);
      });
    },
  };
}

function of(workspaceId: WorkspaceId): IDBKeyRange {
  return IDBKeyRange.bound([workspaceId], [workspaceId, []]);
}
