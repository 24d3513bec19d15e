import type { ApprovalOutcome, ApprovalRequest, Mode } from '@/lib/contracts/approval';
import type { Diagnostic } from '@/lib/contracts/diagnostics';
import type { TurnEnd } from '@/lib/contracts/events';
import type { BatchId, CallId, SessionId, SpillRef, StepId, TurnId } from '@/lib/contracts/ids';
import type { JobStatus } from '@/lib/contracts/job';
import type { ModelError, StopReason } from '@/lib/contracts/model';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { Repair } from '@/lib/contracts/plan';
import type { PolicyStatus, TraceEntry } from '@/lib/contracts/policy';
import type { QuestionRequest } from '@/lib/contracts/question';
import type { PlanStep } from '@/lib/contracts/tool-context';
import type { ChangedPath, StepState, UndoId, UndoLimit } from '@/lib/contracts/undo';
import type { JsonObject } from '@/lib/shared/json';

/** What the page knows of one session: the fold of its events and nothing else. */
export interface SessionView {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly mode: Mode;
  /** After so long a prompt denies by itself; absent = prompts wait for ever. */
  readonly promptTimeoutMs?: number;
  /** What decides here; empty = the starter policy. */
  readonly policy: PolicyStatus;
  readonly taskId?: string;
  /** The newest event seen; -1 = none. */
  readonly lastSeq: number;
  readonly items: readonly SessionItem[];
  /** Prompts that wait for the person, oldest first. */
  readonly approvals: readonly ApprovalRequest[];
  /** Forms that wait for the person, oldest first. */
  readonly questions: readonly QuestionRequest[];
  readonly tokens: { readonly input: number; readonly output: number };
  /** Every file that a call changed, in order. */
  readonly edits: readonly AgentEdit[];
}

export type SessionItem = { readonly kind: 'turn'; readonly turn: TurnView } | NoticeItem;

export interface NoticeItem {
  readonly kind: 'notice';
  readonly seq: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** The agent sent it as a notification; this is its first line. */
  readonly notification?: string;
}

export interface AgentEdit {
  readonly callId: CallId;
  readonly path: string;
  /** null = the file did not exist; undefined = binary or too large to keep. */
  readonly before?: string | null;
  readonly after?: string | null;
}

export interface TurnView {
  readonly turnId: TurnId;
  readonly text: string;
  readonly model: string;
  readonly startedAt: number;
  readonly items: readonly TurnItem[];
  readonly end?: { readonly kind: TurnEnd; readonly at: number; readonly reason?: string; readonly error?: ModelError };
}

export type TurnItem =
  | { readonly kind: 'step'; readonly step: StepView }
  | { readonly kind: 'plan'; readonly steps: readonly PlanStep[]; readonly explanation?: string }
  | NoticeItem;

export interface StepView {
  readonly stepId: StepId;
  readonly index: number;
  /** What the model said, in the order it came. */
  readonly blocks: readonly BlockView[];
  readonly calls: readonly CallView[];
  /** Empty until the step is planned. */
  readonly batches: readonly BatchView[];
  readonly stop?: StopReason | 'error' | 'aborted';
}

export type BlockView =
  | { readonly kind: 'text'; readonly block: number; readonly text: string; readonly open: boolean; readonly forgeries: readonly ForgeryView[] }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'retry'; readonly attempt: number; readonly waitMs: number; readonly error: ModelError };

export interface ForgeryView {
  /** UTF-16 position in the block's visible text. */
  readonly offset: number;
  readonly text: string;
}

export interface BatchView {
  readonly batchId: BatchId;
  readonly kind: 'parallel' | 'serial';
  readonly callIds: readonly CallId[];
  /** 1-based place among the turn's batches. */
  readonly number: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** writing: arguments stream in. written: complete, not yet judged. waiting: planned, its turn has not come. dropped: its turn ended before it was judged. */
export type CallPhase = 'writing' | 'written' | 'waiting' | 'asking' | 'running' | 'settled' | 'dropped';

export interface CallView {
  readonly callId: CallId;
  readonly phase: CallPhase;
  /** Registered name once planned; until then the name the model sent. */
  readonly tool: string;
  readonly requestedName: string;
  readonly argumentsText: string;
  readonly summary: string;
  readonly input?: JsonObject;
  readonly repairs: readonly Repair[];
  readonly trace: readonly TraceEntry[];
  /** Oddities of the wire, e.g. `index-missing`. */
  readonly warnings: readonly string[];
  readonly early?: { readonly startedAt: number; readonly aborted?: string; readonly used: boolean };
  readonly startedAt?: number;
  readonly settledAt?: number;
  readonly durationMs?: number;
  /** Live output; only its newest part is kept. */
  readonly output: string;
  /** UTF-16 units of live output that came in all. */
  readonly outputLength: number;
  readonly approval?: { readonly request: ApprovalRequest; readonly outcome?: ApprovalOutcome; readonly endedAt?: number };
  readonly outcome?: SlotOutcome;
  readonly cut?: { readonly totalBytes: number; readonly keptBytes: number; readonly ref?: SpillRef; readonly problem?: string };
  /** The background command that it started. */
  readonly job?: { readonly taskId: string; readonly status: JobStatus; readonly exitCode?: number };
  /** What is wrong with the files of its step, or of an earlier one. */
  readonly diagnostics?: { readonly checked: readonly string[]; readonly found: readonly Diagnostic[]; readonly count: number };
  /** What it changed, where it changed something, and whether that can be undone. */
  readonly undo?: UndoView;
  /** What went back to the model. */
  readonly pushed?: { readonly content: string; readonly isError: boolean };
  /** A result came after the call had been given up. */
  readonly late?: boolean;
}

export interface UndoView {
  readonly state: StepState;
  /** The first of what it changed. */
  readonly paths: readonly ChangedPath[];
  readonly count: number;
  readonly limits: readonly UndoLimit[];
  /** Why what was there before is not kept. */
  readonly problem?: string;
  /** The tab closed while it ran. */
  readonly recovered?: true;
  /** While it is undone: takes it back. */
  readonly undone?: { readonly undoId: UndoId; readonly by: 'person' | 'model'; readonly left: readonly string[] };
}
