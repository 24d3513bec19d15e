import type { EngineEvent } from '@/lib/contracts/events';
import type { SpillRef } from '@/lib/contracts/ids';
import type { SessionRecord, SessionStore, SpillRecord, Stores, WorkspaceRecord, WorkspaceStore } from '@/lib/contracts/store';
import { CodedError } from '@/lib/shared/coded-error';
import type { StoredFile } from './database';
import { newestFirst } from './session-store';
import { createMemorySnapshotShelf, createSnapshotStore } from './snapshot-store';
import { createSpillStore, type SpillShelf } from './spill-store';
import { isStoredEvent } from './stored-shapes';
import { sortFiles, tighten } from './workspace-store';

export interface MemoryOptions {
  /** Bytes that the texts of all spills may take together; default no limit. */
  readonly spillRoomBytes?: number;
  /** Bytes that the contents of one workspace's snapshots may take; default no limit but their own. */
  readonly snapshotRoomBytes?: number;
}

/** Stores that live as long as the process: for headless runs and tests, under the contract of the stored ones. */
export function createMemoryStores(options: MemoryOptions = {}): Stores {
  return {
    spills: createSpillStore(createMemoryShelf(options.spillRoomBytes)),
    sessions: createMemorySessions(),
    workspaces: createMemoryWorkspaces(),
    snapshots: createSnapshotStore(createMemorySnapshotShelf(options.snapshotRoomBytes)),
  };
}

/** Spills in memory. `put` fails with a quota error when the texts would take more than `roomBytes`. */
export function createMemoryShelf(roomBytes = Number.POSITIVE_INFINITY): SpillShelf {
  const records = new Map<SpillRef, SpillRecord>();
  return {
    async put(incoming) {
      const after = new Map(records);
      for (const record of incoming) after.set(record.ref, structuredClone(record));
      const bytes = [...after.values()].reduce((sum, record) => sum + record.bytes, 0);
      if (bytes > roomBytes) throw Object.assign(new Error('there is no room for more'), { name: 'QuotaExceededError' });
      for (const record of incoming) records.set(record.ref, after.get(record.ref) as SpillRecord);
    },
    async get(ref) {
      return structuredClone(records.get(ref));
    },
    async list() {
      return [...records.values()].map(({ text: _text, ...entry }) => structuredClone(entry));
    },
    async delete(ref) {
      records.delete(ref);
    },
  };
}

function createMemorySessions(): SessionStore {
  /** Flat, so a copy of its fields is a copy of it. */
  const records = new Map<string, SessionRecord>();
  /** Each by number. */
  const logs = new Map<string, EngineEvent[]>();
  return {
    async put(record) {
      records.set(record.sessionId, { ...record });
    },
    async get(sessionId) {
      const record = records.get(sessionId);
      return record === undefined ? undefined : { ...record };
    },
    async list() {
      return newestFirst([...records.values()]).map((record) => ({ ...record }));
    },
    async remove(sessionId) {
      records.delete(sessionId);
      logs.delete(sessionId);
    },
    async append(sessionId, events) {
      const log = logs.get(sessionId) ?? [];
      const isNext = goesOn(log, events);
      if (!isNext && repeatsNumbers([...log, ...events])) {
        throw new CodedError(
          'already-exists',
          `An event between ${events[0]?.seq} and ${events[events.length - 1]?.seq} of this session is stored already. Nothing was replaced.`,
        );
      }
      // An event is never changed once it was emitted, and readers get copies.
      for (const event of events) log.push(event);
      if (!isNext) log.sort((a, b) => a.seq - b.seq);
      logs.set(sessionId, log);
    },
    async events(sessionId) {
      const stored = logs.get(sessionId) ?? [];
      const events = stored.filter((event) => isStoredEvent(event, sessionId, event.seq)).map((event) => structuredClone(event));
      return { events, damaged: stored.length - events.length };
    },
  };
}

/** A writer numbers its events upwards, so one look at each as a rule shows that none repeats a number. */
function goesOn(log: readonly EngineEvent[], events: readonly EngineEvent[]): boolean {
  let last = log.at(-1)?.seq ?? Number.NEGATIVE_INFINITY;
  for (const { seq } of events) {
    if (!(seq > last)) return false;
    last = seq;
  }
  return true;
}

function repeatsNumbers(events: readonly EngineEvent[]): boolean {
  return new Set(events.map(({ seq }) => seq)).size < events.length;
}

function createMemoryWorkspaces(): WorkspaceStore {
  const records = new Map<string, WorkspaceRecord>();
  const folders = new Map<string, Map<string, StoredFile>>();
  return {
    async put(record) {
      records.set(record.workspaceId, structuredClone(record));
    },
    async get(workspaceId) {
      return structuredClone(records.get(workspaceId));
    },
    async update(workspaceId, change) {
      const stored = records.get(workspaceId);
      if (stored === undefined) return undefined;
      const record = change(structuredClone(stored));
      records.set(workspaceId, structuredClone(record));
      return record;
    },
    async list() {
      return [...records.values()].sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1)).map((record) => structuredClone(record));
    },
    async remove(workspaceId) {
      records.delete(workspaceId);
      folders.delete(workspaceId);
    },
    async loadFiles(workspaceId) {
      return structuredClone(sortFiles([...(folders.get(workspaceId) ?? [])]));
    },
    async writeFiles(workspaceId, writes) {
      const files = folders.get(workspaceId) ?? new Map<string, StoredFile>();
      for (const write of writes.map(tighten)) {
        if ('directory' in write) files.set(write.path, { directory: true });
        else if (write.bytes !== null) files.set(write.path, { bytes: write.bytes });
        else for (const path of [...files.keys()]) if (path === write.path || path.startsWith(`${write.path}/`)) files.delete(path);
      }
      folders.set(workspaceId, files);
    },
  };
}
