import { isEngineEvent } from '@/lib/contracts/event-shapes';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionRecord, SpillRecord, WorkspaceRecord } from '@/lib/contracts/store';
import { z } from '@/lib/contracts/zod';
import type { StoredFile } from './database';
import type { StoredSnapshot } from './snapshot-store';
import type { SpillEntry } from './spill-store';

// Stored records are foreign data: an older version, a crash or a person's tools may have left them. Only what readers rely on is checked.
const session = z.looseObject({
  sessionId: z.string().min(1),
  workspaceId: z.string().min(1),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  mode: z.enum(['plan', 'ask', 'auto-edit', 'auto']),
  promptTimeoutMs: z.number().positive().optional(),
  taskId: z.string().optional(),
});
const grant = z.looseObject({ key: z.string().min(1), tool: z.string(), covers: z.string(), definition: z.string().optional(), grantedAt: z.number() });
const workspace = z.looseObject({ workspaceId: z.string().min(1), name: z.string(), createdAt: z.number(), grants: z.array(grant) });
const spillEntry = z.looseObject({
  ref: z.string().min(1),
  sessionId: z.string(),
  callId: z.string(),
  tool: z.string(),
  createdAt: z.number(),
  bytes: z.int().min(0),
  origin: z.string().optional(),
  holds: z.literal('data').optional(),
});
const spillText = z.string();
const state = z.union([z.null(), z.object({ directory: z.literal(true) }), z.object({ content: z.string().min(1) })]);
const snapshot = z.looseObject({
  key: z.string().min(1),
  sessionId: z.string().min(1),
  createdAt: z.number(),
  bytes: z.int().min(0),
  open: z.boolean(),
  changes: z.array(z.object({ path: z.string(), before: state, after: state })),
});

/** True when `value` can be read as an event stored under `seq` of `sessionId`. */
export function isStoredEvent(value: unknown, sessionId: string, seq: number): value is EngineEvent {
  return isEngineEvent(value) && value.sessionId === sessionId && value.seq === seq;
}

export function isStoredSession(value: unknown): value is SessionRecord {
  return session.safeParse(value).success;
}

export function isStoredWorkspace(value: unknown): value is WorkspaceRecord {
  return workspace.safeParse(value).success;
}

export function isStoredSpillEntry(value: unknown): value is SpillEntry {
  return spillEntry.safeParse(value).success;
}

export function isStoredSnapshot(value: unknown): value is StoredSnapshot {
  return snapshot.safeParse(value).success;
}

/** The whole spill; undefined when either half is damaged. */
export function joinSpill(entry: unknown, text: unknown): SpillRecord | undefined {
  return isStoredSpillEntry(entry) && spillText.safeParse(text).success ? { ...entry, text: text as string } : undefined;
}

/** A view that is large would take a whole pass of zod over its bytes, so it is looked at by hand. */
export function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== 'object' || value === null) return false;
  return ('bytes' in value && value.bytes instanceof Uint8Array) || ('directory' in value && value.directory === true);
}
