import type { WorkspaceId } from '@/lib/contracts/ids';
import type { RuntimeFile } from '@/lib/contracts/runtime';
import type { FileWrite, WorkspaceStore } from '@/lib/contracts/store';
import type { Database, StoredFile } from './database';
import { inOneTransaction } from './one-transaction';
import { isStoredFile, isStoredWorkspace } from './stored-shapes';

const SAFE = 'What was stored before is unchanged.';

/** Workspaces in IndexedDB: one record each, and one per path. */
export function createWorkspaceStore(database: Database): WorkspaceStore {
  return {
    put(record) {
      return database.run('save the workspace', SAFE, async (connection) => {
        await connection.put('workspaces', record, record.workspaceId);
      });
    },
    get(workspaceId) {
      return database.run('read the workspace', SAFE, async (connection) => {
        const record = await connection.get('workspaces', workspaceId);
        return isStoredWorkspace(record) ? record : undefined;
      });
    },
    update(workspaceId, change) {
      return database.run('save the workspace', SAFE, async (connection) => {
        const transaction = connection.transaction('workspaces', 'readwrite', { durability: 'strict' });
        const stored = await transaction.store.get(workspaceId);
        const record = isStoredWorkspace(stored) ? change(stored) : undefined;
        await inOneTransaction(transaction, record === undefined ? [] : [() => transaction.store.put(record, workspaceId)]);
        return record;
      });
    },
    list() {
      return database.run('list the workspaces', SAFE, async (connection) => (await connection.getAll('workspaces')).filter(isStoredWorkspace));
    },
    remove(workspaceId) {
      return database.run('remove the workspace', SAFE, async (connection) => {
        const transaction = connection.transaction(['workspaces', 'files'], 'readwrite');
        await inOneTransaction(transaction, [
          () => transaction.objectStore('workspaces').delete(workspaceId),
          () => transaction.objectStore('files').delete(filesOf(workspaceId)),
        ]);
      });
    },
    loadFiles(workspaceId) {
      return database.run('read the files of the workspace', SAFE, async (connection) => {
        const transaction = connection.transaction('files', 'readonly');
        const [keys, values] = await Promise.all([
          transaction.store.getAllKeys(filesOf(workspaceId)),
          transaction.store.getAll(filesOf(workspaceId)),
          transaction.done,
        ]);
        return sortFiles(keys.map(([, path], index) => [path, values[index] as StoredFile] as const).filter(([, stored]) => isStoredFile(stored)));
      });
    },
    writeFiles(workspaceId, writes) {
      if (writes.length === 0) return Promise.resolve();
      const tight = writes.map(tighten);
      return database.run('save the files of the workspace', SAFE, async (connection) => {
        const transaction = connection.transaction('files', 'readwrite', { durability: 'strict' });
        await inOneTransaction(
          transaction,
          tight.flatMap((write): (() => Promise<unknown>)[] => {
            const key: [string, string] = [workspaceId, write.path];
            if ('directory' in write) return [() => transaction.store.put({ directory: true }, key)];
            const { bytes } = write;
            if (bytes !== null) return [() => transaction.store.put({ bytes }, key)];
            return [() => transaction.store.delete(key), () => transaction.store.delete(below(workspaceId, write.path))];
          }),
        );
      });
    },
  };
}

/** The two lists of a workspace, each sorted by path. */
export function sortFiles(entries: readonly (readonly [path: string, stored: StoredFile])[]): {
  readonly files: readonly RuntimeFile[];
  readonly directories: readonly string[];
} {
  const files: RuntimeFile[] = [];
  const directories: string[] = [];
  for (const [path, stored] of [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    if ('directory' in stored) directories.push(path);
    else files.push({ path, bytes: stored.bytes });
  }
  return { files, directories };
}

/**
 * The write with bytes of its own: storing a view would store the whole buffer under it, shared memory cannot be stored
 * at all, and the caller may go on writing.
 */
export function tighten(write: FileWrite): FileWrite {
  if ('directory' in write || write.bytes === null) return write;
  return { path: write.path, bytes: new Uint8Array(write.bytes) };
}

function filesOf(workspaceId: WorkspaceId): IDBKeyRange {
  return IDBKeyRange.bound([workspaceId], [workspaceId, []]);
}

/** Everything inside the folder `path`: `0` is the character after `/`. */
function below(workspaceId: WorkspaceId, path: string): IDBKeyRange {
  return IDBKeyRange.bound([workspaceId, `${path}/`], [workspaceId, `${path}0`], false, true);
}
