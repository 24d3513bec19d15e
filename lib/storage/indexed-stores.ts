import type { Stores } from '@/lib/contracts/store';
import { createDatabase, type DatabaseOptions } from './database';
import { createIndexedSnapshotShelf } from './indexed-snapshots';
import { createIndexedShelf } from './indexed-spills';
import { createSessionStore } from './session-store';
import { createSnapshotStore } from './snapshot-store';
import { createSpillStore } from './spill-store';
import { createWorkspaceStore } from './workspace-store';

/**
 * The stores of this origin, in IndexedDB.
 *
 * Out    the stores; `close` lets go of the database.
 * Fails  CodedError `storage-failed` when the browser gives no storage, `storage-held` when another tab keeps it in another version.
 */
export async function openIndexedStores(options: DatabaseOptions = {}): Promise<Stores & { close(): void }> {
  const database = createDatabase(options);
  await database.run('open its storage', 'What is stored is untouched.', async () => undefined);
  return {
    spills: createSpillStore(createIndexedShelf(database)),
    sessions: createSessionStore(database),
    workspaces: createWorkspaceStore(database),
    snapshots: createSnapshotStore(createIndexedSnapshotShelf(database)),
    close: () => database.close(),
  };
}
