import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, NewId, Now, SessionId, TurnId, WorkspaceId } from '@/lib/contracts/ids';
import type { FileChange } from '@/lib/contracts/outcome';
import type {
  DifferingPath,
  OpenStep,
  PathChange,
  SnapshotRecord,
  SnapshotStore,
  UndoAnswer,
  UndoId,
  UndoPort,
  UndoStep,
  UndoSteps,
  UndoTarget,
  WhenDiffering,
} from '@/lib/contracts/undo';
import type { Gate } from '@/lib/pipeline/4-execute/gate';
import { CodedError } from '@/lib/shared/coded-error';
import { createStop } from '@/lib/shared/stop';
import { treeChanges } from '@/lib/shared/tree-changes';
import type { OpenWorkspace } from './ports';
import type { Recorder } from './recorder';
import { readAround, writePaths } from './undo-files';
import { createUndoLog } from './undo-log';
import { isFile, isFolder, isSameState, namePaths, planUndo, type UndoPlan } from './undo-plan';
import { keepSnapshot, openCallStep, openJobStep, recoverSteps, type UndoStepPorts } from './undo-steps';

export interface UndoPorts {
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  /** Every event of the session, as they grow. */
  readonly events: readonly EngineEvent[];
  readonly workspace: OpenWorkspace;
  readonly gate: Gate;
  readonly recorder: Pick<Recorder, 'emit' | 'commit'>;
  readonly snapshots: SnapshotStore;
  readonly dispatcher: ToolDispatcher;
  readonly now: Now;
  readonly newId: NewId;
}

/** The way back, of one session. */
export interface Undo {
  /** The steps of the calls of a turn. */
  stepsOf(turnId: TurnId): UndoSteps;
  openJob(callId: CallId): Promise<OpenStep>;
  /** Tells the log what a closed tab had no time for. Never rejects. */
  recover(): Promise<void>;
  /** The three reject CodedError `not-available` when there is nothing to bring back, `storage-failed` when the way forth could not be kept. */
  undoCall(callId: CallId, differing: WhenDiffering): Promise<UndoAnswer>;
  undoTurn(turnId: TurnId, differing: WhenDiffering): Promise<UndoAnswer>;
  redo(undoId: UndoId, differing: WhenDiffering): Promise<UndoAnswer>;
  /** The port of one call, which holds the lock already. */
  forCall(callId: CallId): UndoPort;
  /** Another tab goes on: nothing that waits is begun any more. */
  close(): void;
}

/** A person who goes on writing while files are compared is waited for so often. */
const attempts = 5;

/**
 * Makes the undo of a session.
 *
 * Order  whoever undoes holds the workspace's write lock; what is there now is durable, so that redo finds it, before anything is written;
 *        files are compared once more then, and written without a pause.
 * Source governance 13.
 */
export function createUndo(ports: UndoPorts): Undo {
  const { recorder, snapshots, workspace, workspaceId } = ports;
  const log = createUndoLog(ports.events);
  const closing = createStop();
  const undoing = new Set<CallId>();
  const stepPorts: UndoStepPorts = {
    runtime: workspace.runtime,
    beforeStored: workspace.beforeStored,
    snapshots,
    dispatcher: ports.dispatcher,
    workspaceId,
    sessionId: ports.sessionId,
    now: ports.now,
    emit: recorder.emit,
    hasUndone: (callId) => undoing.has(callId),
  };
  const fs = () => (workspace.runtime.journal?.as('undo') ?? workspace.runtime).fs;

  const recordsOf = async (callIds: readonly CallId[]): Promise<readonly SnapshotRecord[]> => {
    const records = await Promise.all(callIds.map((callId) => snapshots.read(workspaceId, callId)));
    if (records.some((record) => record === undefined))
      throw new CodedError('not-available', 'What was there before is not kept here any more, so this cannot be undone. The files are as they are.');
    return records as readonly SnapshotRecord[];
  };
  const planFor = async (steps: readonly (readonly PathChange[])[], differing: WhenDiffering, since: readonly UndoStep[]): Promise<UndoPlan> => {
    const now = await readAround(fs(), steps.flat());
    const plan = planUndo(steps, now, differing);
    if (plan.left.length === 0 || since.length === 0) return plan;
    const changers = new Map<string, CallId>();
    for (const { callId } of since) for (const { path } of (await snapshots.read(workspaceId, callId))?.changes ?? []) changers.set(path, callId);
    const named = plan.left.map((one): DifferingPath => {
      const by = changers.get(one.path);
      return by === undefined ? one : { ...one, by };
    });
    return { ...plan, left: named };
  };
  /** Calls that changed something after these did, and are not undone. */
  const changedSince = (callIds: readonly CallId[]): readonly UndoStep[] => {
    const steps = log.steps();
    const last = steps.findLastIndex(({ callId }) => callIds.includes(callId));
    return steps.slice(last + 1).filter(({ state }) => state === 'done');
  };
  /** Writes a plan; `keep` makes the way forth durable. */
  const carryOut = async (
    steps: readonly (readonly PathChange[])[],
    differing: WhenDiffering,
    since: readonly UndoStep[],
    keep: (writes: readonly PathChange[]) => Promise<void>,
  ): Promise<{ readonly plan: UndoPlan; readonly refused: boolean }> => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const plan = await planFor(steps, differing, since);
      if (plan.left.length > 0 && (differing === 'refuse' || plan.writes.length === 0)) return { plan, refused: true };
      await keep(plan.writes);
      const now = await readAround(fs(), steps.flat());
      const again = planUndo(steps, now, differing);
      if (!isSamePlan(plan, again)) continue;
      await writePaths(fs(), plan.writes);
      return { plan, refused: false };
    }
    throw new CodedError('not-available', 'The files keep changing while they are compared, so nothing was changed. Stop what writes them, then try again.');
  };
  const locked = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const release = await ports.gate.write(closing.signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
  const bringBack = async (callIds: readonly CallId[], differing: WhenDiffering, by: 'person' | 'model', turnId?: TurnId): Promise<UndoAnswer> => {
    const newestFirst = [...callIds].reverse();
    const steps = (await recordsOf(newestFirst)).map(({ changes }) => changes);
    const undoId = ports.newId<UndoId>('undo');
    const { plan, refused } = await carryOut(steps, differing, changedSince(callIds), async (changes) => {
      const problem = await keepSnapshot({ key: undoId, workspaceId, sessionId: ports.sessionId, createdAt: ports.now(), changes }, { ...stepPorts });
      if (problem !== undefined)
        throw new CodedError(
          'storage-failed',
          `Nothing was undone: what is there now could not be kept, so there would be no way forth (${problem}). Remove old sessions, then try again.`,
        );
    });
    if (refused) return { done: false, differs: plan.left, others: plan.writes.length };
    recorder.emit({
      type: 'undo',
      undoId,
      by,
      callIds,
      ...(turnId === undefined ? {} : { turnId }),
      paths: namePaths(plan.writes),
      count: plan.writes.length,
      left: plan.left.map(({ path }) => path),
    });
    await recorder.commit();
    return { done: true, undoId, count: plan.writes.length, left: plan.left };
  };
  const callsOf = (turnIds: readonly TurnId[]): readonly CallId[] =>
    log
      .steps()
      .filter(({ turnId, state }) => state === 'done' && turnIds.includes(turnId))
      .map(({ callId }) => callId);
  const aimedAt = (target: UndoTarget): readonly CallId[] => {
    if ('callId' in target) return [undoable(log.step(target.callId), target.callId).callId];
    const turns = log.turns();
    const found = callsOf(turns.slice(Math.max(0, turns.length - 1 - target.turnsBack)));
    if (found.length === 0)
      throw new CodedError('not-available', 'No call of these turns changed files that could be brought back. Call list_snapshots to see what can.');
    return found;
  };

  return {
    stepsOf: (turnId) => ({ open: (planned) => openCallStep(planned, turnId, stepPorts) }),
    openJob: (callId) => openJobStep(callId, log.call(callId)?.turnId ?? (log.turns().at(-1) as TurnId), stepPorts),
    async recover() {
      const known = new Set<string>(log.steps().map(({ callId }) => callId));
      try {
        await recoverSteps(known, (key) => log.call(key)?.turnId, stepPorts);
      } catch {
        recorder.emit({
          type: 'notice',
          level: 'warning',
          code: 'undo-not-read',
          text: 'What undo keeps could not be read, so earlier changes may not be undoable. The files are as they are.',
        });
      }
    },
    undoCall: (callId, differing) => locked(async () => bringBack([undoable(log.step(callId), callId).callId], differing, 'person')),
    undoTurn: (turnId, differing) =>
      locked(async () => {
        const calls = callsOf([turnId]);
        if (calls.length === 0) throw new CodedError('not-available', 'There is nothing of this turn left to undo. The files are as they are.');
        return bringBack(calls, differing, 'person', turnId);
      }),
    redo: (undoId, differing) =>
      locked(async () => {
        const callIds = log.undone(undoId);
        const record = callIds === undefined ? undefined : await snapshots.read(workspaceId, undoId);
        if (callIds === undefined || record === undefined)
          throw new CodedError('not-available', 'This undo was taken back already, or what it replaced is not kept any more. The files are as they are.');
        const { plan, refused } = await carryOut([record.changes], differing, changedSince(callIds), async () => undefined);
        if (refused) return { done: false, differs: plan.left, others: plan.writes.length };
        recorder.emit({
          type: 'redo',
          undoId,
          callIds,
          paths: namePaths(plan.writes),
          count: plan.writes.length,
          left: plan.left.map(({ path }) => path),
        });
        await recorder.commit();
        return { done: true, undoId, count: plan.writes.length, left: plan.left };
      }),
    forCall: (callId) => ({
      list() {
        const turns = log.turns();
        return log.steps().map((step) => {
          const { tool, summary } = log.call(step.callId) ?? { tool: '', summary: '' };
          return { ...step, tool, summary, turnsBack: turns.length - 1 - turns.indexOf(step.turnId) };
        });
      },
      async revert(target) {
        undoing.add(callId);
        return bringBack(aimedAt(target), 'refuse', 'model');
      },
      async preview(target): Promise<readonly FileChange[]> {
        const records = await recordsOf([...aimedAt(target)].reverse());
        const plan = await planFor(
          records.map(({ changes }) => changes),
          'refuse',
          [],
        );
        const files = plan.writes.filter(({ before, after }) => !isFolder(before) && !isFolder(after));
        return treeChanges(
          files.map(({ path, before, after }) => ({ path, before: isFile(before) ? before.bytes : null, after: isFile(after) ? after.bytes : null })),
        );
      },
    }),
    close: () => closing.pull(takenOver),
  };
}

/** Made once: every session that is closed gives it as its reason. */
const takenOver = new CodedError('cancelled', 'another tab took this session over');

function undoable(step: UndoStep | undefined, callId: string): UndoStep {
  if (step?.state === 'done') return step;
  const why =
    step === undefined
      ? `Call ${callId} changed no files that are known here.`
      : step.state === 'undone'
        ? 'This call is undone already.'
        : 'What was there before this call is not kept any more.';
  throw new CodedError('not-available', `${why} The files are as they are.`);
}

function isSamePlan(a: UndoPlan, b: UndoPlan): boolean {
  return (
    a.left.length === b.left.length &&
    a.writes.length === b.writes.length &&
    a.writes.every((write, index) => {
      const other = b.writes[index] as PathChange;
      return write.path === other.path && isSameState(write.before, other.before) && isSameState(write.after, other.after);
    })
  );
}
