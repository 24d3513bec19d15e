import type { Brand, CallId, SessionId, TurnId, WorkspaceId } from './ids';
import type { FileChange } from './outcome';
import type { PlannedCall } from './plan';

/** One undo; redo takes it back. */
export type UndoId = Brand<'undo'>;

/** What is at a path; null = nothing. The bytes are never changed. */
export type PathState = null | { readonly directory: true } | { readonly bytes: Uint8Array };

export interface PathChange {
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
}

/**
 * What undo cannot bring back of a call.
 * commands: this runtime cannot tell what a command changed. packages: `node_modules`, which is not kept and can be installed again.
 * outside: what it did outside the workspace.
 */
export type UndoLimit = 'commands' | 'packages' | 'outside';

/** One path as the log names it; a folder ends with `/`. */
export interface ChangedPath {
  readonly path: string;
  readonly kind: 'made' | 'changed' | 'removed';
}

/** A file that is not as the call left it, so that undoing would lose what was done to it since. */
export interface DifferingPath {
  readonly path: string;
  /** in-the-way: something else stands where it has to go. */
  readonly why: 'changed' | 'in-the-way';
  /** A later call changed it; absent = the person, or a program of theirs. */
  readonly by?: CallId;
  /** Both changes fit into one file: their lines are apart. */
  readonly merges: boolean;
}

/** What becomes of files that differ. refuse: nothing is undone. leave: the others are. merge: lines that are apart are brought together, the rest is left. */
export type WhenDiffering = 'refuse' | 'leave' | 'merge';

export type UndoAnswer =
  | { readonly done: true; readonly undoId: UndoId; readonly count: number; readonly left: readonly DifferingPath[] }
  /** Nothing was changed. `others`: files that could be undone without those. */
  | { readonly done: false; readonly differs: readonly DifferingPath[]; readonly others: number };

/** done: it can be undone. lost: what it changed is not kept, or not kept any more. */
export type StepState = 'done' | 'undone' | 'lost';

/** One call that changed files, as a list shows it. */
export interface UndoStep {
  readonly callId: CallId;
  readonly turnId: TurnId;
  readonly at: number;
  readonly state: StepState;
  /** The first of what it changed. */
  readonly paths: readonly ChangedPath[];
  /** Paths that it changed in all. */
  readonly count: number;
  readonly limits: readonly UndoLimit[];
  /** Set while it is undone. */
  readonly undoId?: UndoId;
}

/** What a tool may do with undo. `turnsBack` 0 = the turn that runs, 1 = that and the one before, … Unknown targets reject `not-available`. */
export type UndoTarget = { readonly turnsBack: number } | { readonly callId: string };

export interface UndoPort {
  /** Calls of this session that changed files, oldest first, with the words of their turns. */
  list(): readonly (UndoStep & { readonly tool: string; readonly summary: string; readonly turnsBack: number })[];
  /** Needs `writes-files`. Brings back what was there before; refuses where a file changed since. */
  revert(target: UndoTarget): Promise<UndoAnswer>;
  /** What `revert` would change. */
  preview(target: UndoTarget): Promise<readonly FileChange[]>;
}

/** What was there before a step, and what it left; under the id of its call, or of an undo. */
export interface SnapshotRecord {
  readonly key: CallId | UndoId;
  readonly workspaceId: WorkspaceId;
  readonly sessionId: SessionId;
  readonly createdAt: number;
  readonly changes: readonly PathChange[];
  /** The step had not ended when this was written: `after` is not known. */
  readonly open?: true;
}

export type SnapshotWrite =
  | { readonly saved: true; readonly removedForRoom: readonly (CallId | UndoId)[] }
  | { readonly saved: false; readonly reason: 'too-large' | 'quota' | 'failed'; readonly detail: string };

/** What undo brings back, a few hundred steps a workspace; equal files are kept once. `read`, `keys` and `remove` reject CodedError `storage-failed`. */
export interface SnapshotStore {
  /** One transaction; replaces a record of the same key. Makes room by removing the oldest. */
  write(record: SnapshotRecord): Promise<SnapshotWrite>;
  /** undefined = unknown, removed, or damaged. */
  read(workspaceId: WorkspaceId, key: CallId | UndoId): Promise<SnapshotRecord | undefined>;
  /** Oldest first. */
  keys(workspaceId: WorkspaceId): Promise<readonly { readonly key: CallId | UndoId; readonly open: boolean }[]>;
  /** Everything of a workspace. */
  remove(workspaceId: WorkspaceId): Promise<void>;
}

/** Watches what a body changes. */
export interface OpenStep {
  /** The body is over: keeps what was there before. */
  close(): Promise<void>;
}

/** The slot's hold on undo: a step is open while a body that can change something runs. */
export interface UndoSteps {
  open(planned: PlannedCall): Promise<OpenStep>;
}
