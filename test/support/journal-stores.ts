import type { Stores } from '@/lib/contracts/store';
import { createMemoryStores } from '@/lib/storage/memory-stores';

type Write = (stores: Stores) => Promise<unknown>;

/** Memory stores that remember every write, so that the state after any number of them can be made again. */
export interface JournalStores {
  readonly stores: Stores;
  /** Writes that have landed so far. */
  landed(): number;
  /** Fresh stores that hold what the first `count` writes left: a tab that died right after them. */
  stateAfter(count: number): Promise<Stores>;
}

export function createJournalStores(): JournalStores {
  const inner = createMemoryStores();
  const journal: Write[] = [];
  const landing = async <Value>(write: (stores: Stores) => Promise<Value>): Promise<Value> => {
    const value = await write(inner);
    journal.push(write);
    return value;
  };
  const stores: Stores = {
    spills: {
      ...inner.spills,
      write: (record) => landing((to) => to.spills.write(record)),
      remove: (ref) => landing((to) => to.spills.remove(ref)),
    },
    sessions: {
      ...inner.sessions,
      put: (record) => landing((to) => to.sessions.put(record)),
      append: (sessionId, events) => {
        const group = [...events];
        return landing((to) => to.sessions.append(sessionId, group));
      },
    },
    workspaces: {
      ...inner.workspaces,
      put: (record) => landing((to) => to.workspaces.put(record)),
      update: (workspaceId, change) => landing((to) => to.workspaces.update(workspaceId, change)),
      writeFiles: (workspaceId, writes) => {
        const group = structuredClone([...writes]);
        return landing((to) => to.workspaces.writeFiles(workspaceId, group));
      },
    },
    snapshots: {
      ...inner.snapshots,
      write: (record) => landing((to) => to.snapshots.write(record)),
      remove: (workspaceId) => landing((to) => to.snapshots.remove(workspaceId)),
    },
  };
  return {
    stores,
    landed: () => journal.length,
    async stateAfter(count) {
      const fresh = createMemoryStores();
      for (const write of journal.slice(0, count)) await write(fresh);
      return fresh;
    },
  };
}
