import type { Mode, RememberedGrant } from './approval';
import type { EngineEvent } from './events';
import type { CallId, SessionId, SpillRef, WorkspaceId } from './ids';
import type { RuntimeFile } from './runtime';
import type { SnapshotStore } from './undo';

export interface SpillRecord {
  readonly ref: SpillRef;
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly tool: string;
  readonly createdAt: number;
  readonly text: string;
  /** UTF-8 bytes of `text`. */
  readonly bytes: number;
  /** Where the bytes came from, when from outside the workspace. */
  readonly origin?: string;
  /** `text` is the JSON of a result's structured data; absent = it is a result's text. */
  readonly holds?: 'data';
}

/** `saved` only once the bytes are durable. */
export type SpillWrite =
  | { readonly saved: true; readonly removedForRoom: readonly SpillRef[] }
  | { readonly saved: false; readonly reason: 'quota' | 'failed' | 'bad-ref'; readonly detail: string };

/** Full outputs, kept 7 days. No method but `read` and `list` rejects; those reject with CodedError `storage-failed`. */
export interface SpillStore {
  /** One transaction: a reader sees all or nothing. Makes room by removing the oldest when the quota is reached. */
  write(record: SpillRecord): Promise<SpillWrite>;
  read(ref: SpillRef): Promise<SpillRecord | undefined>;
  list(): Promise<readonly Omit<SpillRecord, 'text'>[]>;
  remove(ref: SpillRef): Promise<void>;
  /** Removes what is older than 7 days at `now` (ms); answers what it removed. */
  cleanUp(now: number): Promise<readonly SpillRef[]>;
}

export interface SessionRecord {
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly mode: Mode;
  /** After so long a prompt that nobody answered denies its call; absent = prompts wait for ever. */
  readonly promptTimeoutMs?: number;
  /** Set when the session practises a task. */
  readonly taskId?: string;
}

/** Sessions and their events. Reads and writes reject with CodedError `storage-failed` (message says what is safe). */
export interface SessionStore {
  put(record: SessionRecord): Promise<void>;
  get(sessionId: SessionId): Promise<SessionRecord | undefined>;
  /** Newest first. */
  list(): Promise<readonly SessionRecord[]>;
  remove(sessionId: SessionId): Promise<void>;
  /** One transaction, in order; keyed by session and `seq`. An event whose `seq` is there already is not replaced: rejects `already-exists`. */
  append(sessionId: SessionId, events: readonly EngineEvent[]): Promise<void>;
  /** In `seq` order. A record that cannot be read is left out and counted in `damaged`. */
  events(sessionId: SessionId): Promise<{ readonly events: readonly EngineEvent[]; readonly damaged: number }>;
}

export interface WorkspaceRecord {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly createdAt: number;
  /** What was allowed "always" here; each key once. */
  readonly grants: readonly RememberedGrant[];
  /** The text of the policy file that a person accepted last; null = that there is none. Absent = none was ever accepted. */
  readonly acceptedPolicy?: string | null;
}

export type FileWrite =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly bytes: null }
  | { readonly path: string; readonly directory: true };

/** Workspaces: a record, and one entry per path. Rejects with CodedError `storage-failed`. */
export interface WorkspaceStore {
  put(record: WorkspaceRecord): Promise<void>;
  get(workspaceId: WorkspaceId): Promise<WorkspaceRecord | undefined>;
  /** Changes the record in one transaction, so that nobody else's change is lost; answers what is stored then, undefined = there is no such workspace. */
  update(workspaceId: WorkspaceId, change: (record: WorkspaceRecord) => WorkspaceRecord): Promise<WorkspaceRecord | undefined>;
  list(): Promise<readonly WorkspaceRecord[]>;
  remove(workspaceId: WorkspaceId): Promise<void>;
  /** Files sorted by path; `directories` holds every folder that was made, so that empty ones come back too. */
  loadFiles(workspaceId: WorkspaceId): Promise<{ readonly files: readonly RuntimeFile[]; readonly directories: readonly string[] }>;
  /** One transaction; `bytes: null` removes the path. */
  writeFiles(workspaceId: WorkspaceId, writes: readonly FileWrite[]): Promise<void>;
}

export interface Stores {
  readonly spills: SpillStore;
  readonly sessions: SessionStore;
  readonly workspaces: WorkspaceStore;
  readonly snapshots: SnapshotStore;
}
