import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, Now, SessionId, TurnId, WorkspaceId } from '@/lib/contracts/ids';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { Runtime } from '@/lib/contracts/runtime';
import type { OpenStep, PathChange, PathState, SnapshotRecord, SnapshotStore, SnapshotWrite, UndoId, UndoLimit } from '@/lib/contracts/undo';
import { readPaths } from './undo-files';
import { isSameState, namePaths } from './undo-plan';

export interface UndoStepPorts {
  readonly runtime: Runtime;
  /** Told before changed files are stored, which waits for it: what was there before must be durable first. Returns the unsubscribe. */
  readonly beforeStored?: ((listener: () => Promise<void>) => () => void) | undefined;
  readonly snapshots: SnapshotStore;
  readonly dispatcher: ToolDispatcher;
  readonly workspaceId: WorkspaceId;
  readonly sessionId: SessionId;
  readonly now: Now;
  readonly emit: (event: EngineEventBody) => void;
  /** This call undid others, which is no step of its own. */
  readonly hasUndone: (callId: CallId) => boolean;
}

/** The name under which the changes of a background command of this call are told. */
export function jobActor(callId: CallId): string {
  return `job:${callId}`;
}

/**
 * Opens the step of a call: from now on what it changes is held.
 *
 * Out    a step whose end stores what was there before and says so in the log. A call that changed nothing leaves no trace.
 * Order  the first copy of a path is made before the path changes; it is durable before the change is.
 */
export async function openCallStep(planned: PlannedCall, turnId: TurnId, ports: UndoStepPorts): Promise<OpenStep> {
  const { callId } = planned.call;
  const metadata = ports.dispatcher.metadata(planned.tool);
  const limits: UndoLimit[] = metadata?.destructive === true || metadata?.network === true ? ['outside'] : [];
  const { journal } = ports.runtime;
  if (journal === undefined) {
    const paths = ports.dispatcher.pathsFor(planned.tool, planned.input);
    const executes = metadata?.capabilities.includes('executes-code') === true;
    return openKnownPaths(callId, turnId, [...paths.writes, ...(paths.places ?? [])], executes ? [...limits, 'commands'] : limits, ports);
  }
  const executes = metadata?.capabilities.includes('executes-code') === true;
  return openWatched(callId, turnId, undefined, executes && journal.leavesOut.length > 0 ? [...limits, 'packages'] : limits, ports);
}

/** Opens the step of a background command: it ends when the command does. */
export async function openJobStep(callId: CallId, turnId: TurnId, ports: UndoStepPorts): Promise<OpenStep> {
  const { journal } = ports.runtime;
  if (journal === undefined) return openKnownPaths(callId, turnId, [], ['commands'], ports);
  return openWatched(callId, turnId, jobActor(callId), journal.leavesOut.length > 0 ? ['packages'] : [], ports);
}

interface Watched {
  before: PathState;
  /** Set once somebody else changed it: what this step had left. */
  left?: PathState;
}

/** `actor`: whose changes count; undefined = those that nobody else is named for. */
function openWatched(callId: CallId, turnId: TurnId, actor: string | undefined, limits: readonly UndoLimit[], ports: UndoStepPorts): OpenStep {
  const journal = ports.runtime.journal as NonNullable<Runtime['journal']>;
  const seen = new Map<string, Watched>();
  let fresh = false;
  let saving: Promise<unknown> = Promise.resolve();
  const stopListening = journal.listen((change) => {
    const known = seen.get(change.path);
    if (change.actor === actor) {
      // After somebody else's change only what comes now is this step's: undoing must not take theirs away.
      if (known === undefined || known.left !== undefined) seen.set(change.path, { before: change.before });
      fresh ||= known === undefined;
    } else if (known !== undefined && known.left === undefined) known.left = change.before;
  });
  const record = (changes: readonly PathChange[]) => recordOf(callId, changes, ports);
  const stopHolding =
    ports.beforeStored?.(() => {
      if (fresh) {
        fresh = false;
        const changes = [...seen].map(([path, { before }]): PathChange => ({ path, before, after: null }));
        saving = saving.then(() => ports.snapshots.write({ ...record(changes), open: true }));
      }
      return saving.then(() => undefined);
    }) ?? (() => undefined);
  return {
    async close() {
      await journal.settle();
      stopListening();
      const now = await readPaths(ports.runtime.fs, [...seen.keys()]);
      const changes = [...seen].flatMap(([path, { before, left }]): PathChange[] => {
        const after = left === undefined ? (now.get(path) ?? null) : left;
        return isSameState(before, after) ? [] : [{ path, before, after }];
      });
      fresh = false;
      saving = saving.then(() => keepStep(callId, turnId, changes, limits, ports));
      await saving;
      stopHolding();
    },
  };
}

/** Where changes are not told: what the call said it would touch. */
async function openKnownPaths(callId: CallId, turnId: TurnId, paths: readonly string[], limits: readonly UndoLimit[], ports: UndoStepPorts): Promise<OpenStep> {
  const { fs } = ports.runtime;
  const before = await readPaths(fs, paths, true);
  return {
    async close() {
      const after = await readPaths(fs, paths, true);
      const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((path): PathChange[] => {
        const [was, is] = [before.get(path) ?? null, after.get(path) ?? null];
        return isSameState(was, is) ? [] : [{ path, before: was, after: is }];
      });
      await keepStep(callId, turnId, changes, limits, ports);
    },
  };
}

function recordOf(key: CallId | UndoId, changes: readonly PathChange[], ports: UndoStepPorts): SnapshotRecord {
  return { key, workspaceId: ports.workspaceId, sessionId: ports.sessionId, createdAt: ports.now(), changes };
}

async function keepStep(callId: CallId, turnId: TurnId, changes: readonly PathChange[], limits: readonly UndoLimit[], ports: UndoStepPorts): Promise<void> {
  // What a command may have changed unseen is said also where nothing is known.
  if (ports.hasUndone(callId) || (changes.length === 0 && !limits.includes('commands'))) return;
  const problem = changes.length === 0 ? undefined : await keepSnapshot(recordOf(callId, changes, ports), ports);
  ports.emit({
    type: 'snapshot',
    callId,
    turnId,
    paths: namePaths(changes),
    count: changes.length,
    limits,
    ...(problem === undefined ? {} : { problem }),
  });
}

/** Stores a record; answers in words why it could not be kept. */
export async function keepSnapshot(record: SnapshotRecord, { snapshots, emit }: Pick<UndoStepPorts, 'snapshots' | 'emit'>): Promise<string | undefined> {
  const written: SnapshotWrite = await snapshots.write(record);
  if (!written.saved) return `It cannot be undone: ${written.detail}`;
  if (written.removedForRoom.length > 0) emit({ type: 'snapshot-drop', callIds: written.removedForRoom as readonly CallId[] });
  return undefined;
}

/**
 * Finishes the steps that a closed tab left open, and tells the log of those it had no time for.
 *
 * In     `turnOf`: the turn of a call that the log knows as started, undefined = none; `known`: ids that the log tells of.
 */
export async function recoverSteps(known: ReadonlySet<string>, turnOf: (key: string) => TurnId | undefined, ports: UndoStepPorts): Promise<void> {
  for (const { key, open } of await ports.snapshots.keys(ports.workspaceId)) {
    const turnId = turnOf(key);
    if (known.has(key) || turnId === undefined) continue;
    const record = await ports.snapshots.read(ports.workspaceId, key);
    if (record === undefined) continue;
    const now = open
      ? await readPaths(
          ports.runtime.fs,
          record.changes.map(({ path }) => path),
        )
      : undefined;
    const changes = record.changes
      .map((change) => (now === undefined ? change : { ...change, after: now.get(change.path) ?? null }))
      .filter(({ before, after }) => !isSameState(before, after));
    if (changes.length === 0) continue;
    const problem = open ? await keepSnapshot(recordOf(record.key, changes, ports), ports) : undefined;
    ports.emit({
      type: 'snapshot',
      callId: key as CallId,
      turnId,
      paths: namePaths(changes),
      count: changes.length,
      limits: [],
      recovered: true,
      ...(problem === undefined ? {} : { problem }),
    });
  }
}
