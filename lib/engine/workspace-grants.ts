import type { RememberedGrant } from '@/lib/contracts/approval';
import type { WorkspaceId } from '@/lib/contracts/ids';
import type { WorkspaceStore } from '@/lib/contracts/store';

/** What was allowed "always" in one workspace; shared by every session of it that is open in this engine. */
export interface WorkspaceGrants {
  all(): readonly RememberedGrant[];
  /** In force at once; settles when stored. Rejects when storing failed: then they are not in force here. */
  add(grants: readonly RememberedGrant[]): Promise<void>;
  /** Answers whether there was one. Rejects when that could not be stored: it is not in force any more all the same. */
  remove(key: string): Promise<boolean>;
  /** Approvals of this tool hold for this definition now. */
  accept(tool: string, definition: string): Promise<void>;
  /** Reads what another tab stored meanwhile. */
  reload(): Promise<void>;
  /** Told after every change. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void;
}

/**
 * Makes the grants of a workspace over its stored record.
 *
 * Order  each change is one transaction on the record, so that two tabs that grant at once keep both.
 */
export function createWorkspaceGrants(workspaceId: WorkspaceId, store: WorkspaceStore): WorkspaceGrants {
  let known = new Map<string, RememberedGrant>();
  const listeners = new Set<() => void>();
  const show = (grants: Iterable<RememberedGrant>) => {
    known = new Map([...grants].map((grant) => [grant.key, grant]));
    for (const listener of [...listeners]) listener();
  };
  const change = async (apply: (grants: ReadonlyMap<string, RememberedGrant>) => Map<string, RememberedGrant>): Promise<void> => {
    show(apply(known).values());
    const stored = await store.update(workspaceId, (record) => ({
      ...record,
      grants: [...apply(new Map(record.grants.map((grant) => [grant.key, grant]))).values()],
    }));
    // What another tab stored meanwhile is seen here too.
    if (stored !== undefined) show(stored.grants);
  };
  return {
    all: () => [...known.values()],
    async add(grants) {
      const before = known;
      try {
        await change((stored) => new Map([...stored, ...grants.map((grant) => [grant.key, grant] as const)]));
      } catch (error) {
        show([...known.values()].filter((grant) => before.has(grant.key) || !grants.includes(grant)));
        throw error;
      }
    },
    async remove(key) {
      const had = known.has(key);
      await change((stored) => new Map([...stored].filter(([own]) => own !== key)));
      return had;
    },
    accept: (tool, definition) =>
      change(
        (stored) =>
          new Map([...stored].map(([key, grant]) => [key, grant.tool === tool && grant.definition !== undefined ? { ...grant, definition } : grant] as const)),
      ),
    async reload() {
      const record = await store.get(workspaceId);
      if (record !== undefined) show(record.grants);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
