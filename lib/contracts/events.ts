import type { Json } from '@/lib/shared/json';
import type { ApprovalOutcome, ApprovalRequest, Mode } from './approval';
import type { Diagnostic } from './diagnostics';
import type { AgentId, ApprovalId, BatchId, CallId, QuestionId, SessionId, SpillRef, StepId, TurnId } from './ids';
import type { JobStatus } from './job';
import type { Message } from './message';
import type { ModelError, StopReason, Usage } from './model';
import type { SlotOutcome } from './outcome';
import type { PlannedCallView } from './plan';
import type { PartVerdict, PolicyStatus, TraceEntry } from './policy';
import type { QuestionOutcome, QuestionRequest } from './question';
import type { PlanStep } from './tool-context';
import type { ChangedPath, UndoId, UndoLimit } from './undo';

/** Numbered from 0 without gaps in its session; `at` in ms since the epoch. */
export interface EventStamp {
  readonly sessionId: SessionId;
  readonly seq: number;
  readonly at: number;
}

/** How a turn ended. yielded: the model is done. halted: too many failures in a row. paused: the step limit. */
export type TurnEnd = 'yielded' | 'stopped' | 'failed' | 'halted' | 'paused';

/** What happened, without its stamp. The page and every panel are built from these alone. */
export type EngineEventBody =
  | { readonly type: 'session-start'; readonly title: string; readonly mode: Mode; readonly taskId?: string }
  | { readonly type: 'session-resume' }
  | { readonly type: 'mode-change'; readonly mode: Mode }
  /** null = prompts wait for ever. */
  | { readonly type: 'prompt-timeout-change'; readonly timeoutMs: number | null }
  /** The keys of the remembered approvals that are in force from here on; `workspaceKeys`: those of them that the workspace remembers, absent = none. */
  | { readonly type: 'grants-change'; readonly keys: readonly string[]; readonly workspaceKeys?: readonly string[] }
  /** The person took back a remembered approval. */
  | { readonly type: 'grant-revoke'; readonly key: string }
  /** Its server sends another definition of a tool than the one that the model was shown; approvals bound to another one stop applying. */
  | { readonly type: 'definition-change'; readonly tool: string; readonly definition: string }
  /** The person accepted it: approvals given before apply again. */
  | { readonly type: 'definition-accept'; readonly tool: string; readonly definition: string }
  /** What decides from here on; before the first of them the starter policy does. */
  | { readonly type: 'policy-change'; readonly status: PolicyStatus }
  | { readonly type: 'turn-start'; readonly turnId: TurnId; readonly text: string; readonly model: string }
  | { readonly type: 'turn-end'; readonly turnId: TurnId; readonly end: TurnEnd; readonly reason?: string; readonly error?: ModelError }
  | { readonly type: 'step-start'; readonly turnId: TurnId; readonly stepId: StepId; readonly index: number; readonly agent?: AgentId }
  | { readonly type: 'step-end'; readonly turnId: TurnId; readonly stepId: StepId; readonly stop: StopReason | 'error' | 'aborted'; readonly usage: Usage }
  | { readonly type: 'model-retry'; readonly stepId: StepId; readonly attempt: number; readonly waitMs: number; readonly error: ModelError }
  | { readonly type: 'text-start'; readonly stepId: StepId; readonly block: number }
  | { readonly type: 'text-delta'; readonly stepId: StepId; readonly block: number; readonly text: string }
  | { readonly type: 'text-end'; readonly stepId: StepId; readonly block: number }
  | { readonly type: 'reasoning-delta'; readonly stepId: StepId; readonly text: string }
  /** A call written in text was stripped; `text` is for people only, inert. `offset`: UTF-16 position in the block's visible text. */
  | { readonly type: 'forgery-strip'; readonly stepId: StepId; readonly block: number; readonly offset: number; readonly text: string }
  | { readonly type: 'call-stream-start'; readonly stepId: StepId; readonly callId: CallId; readonly name: string }
  | {
      readonly type: 'call-stream-end';
      readonly stepId: StepId;
      readonly callId: CallId;
      readonly name: string;
      readonly argumentsText: string;
      readonly warnings: readonly string[];
    }
  | { readonly type: 'early-start'; readonly stepId: StepId; readonly callId: CallId; readonly tool: string }
  | { readonly type: 'early-abort'; readonly stepId: StepId; readonly callId: CallId; readonly reason: string }
  | {
      readonly type: 'plan-end';
      readonly stepId: StepId;
      readonly calls: readonly PlannedCallView[];
      readonly batches: readonly { readonly batchId: BatchId; readonly kind: 'parallel' | 'serial'; readonly callIds: readonly CallId[] }[];
    }
  | { readonly type: 'approval-start'; readonly request: ApprovalRequest }
  /** The prompt stays open for other reasons than its card told: a mode, a policy, a grant or a denial came meanwhile. */
  | {
      readonly type: 'approval-revise';
      readonly approvalId: ApprovalId;
      readonly callId: CallId;
      readonly trace: readonly TraceEntry[];
      readonly parts?: readonly PartVerdict[];
    }
  | { readonly type: 'approval-end'; readonly approvalId: ApprovalId; readonly callId: CallId; readonly outcome: ApprovalOutcome }
  | { readonly type: 'batch-start'; readonly stepId: StepId; readonly batchId: BatchId }
  | { readonly type: 'batch-end'; readonly stepId: StepId; readonly batchId: BatchId }
  /** The body is about to run (for an early start: its result is taken). */
  | { readonly type: 'call-start'; readonly callId: CallId; readonly batchId: BatchId; readonly early: boolean }
  | { readonly type: 'call-output'; readonly callId: CallId; readonly text: string }
  /** A call that the tool of this call made while it ran; it skips the lock and passes every other gate. */
  | {
      readonly type: 'inner-call';
      readonly callId: CallId;
      readonly tool: string;
      readonly input: Json;
      readonly trace: readonly TraceEntry[];
      readonly outcome: SlotOutcome;
    }
  /** The slot is filled, live, in completion order. */
  | { readonly type: 'call-settled'; readonly callId: CallId; readonly outcome: SlotOutcome; readonly durationMs: number }
  /** Pairs LIFO with call-start in a parallel batch, after it has drained. */
  | { readonly type: 'call-end'; readonly callId: CallId; readonly batchId: BatchId }
  /** A result that arrived after its call was given up; it starts nothing. */
  | { readonly type: 'call-late-result'; readonly callId: CallId; readonly ok: boolean }
  | {
      readonly type: 'result-cut';
      readonly callId: CallId;
      readonly totalBytes: number;
      readonly keptBytes: number;
      readonly ref?: SpillRef;
      readonly problem?: string;
    }
  /** What goes back to the model for this call, in call order. `origin`: host or server, when it is from outside and wrapped. */
  | { readonly type: 'result-push'; readonly callId: CallId; readonly content: string; readonly isError: boolean; readonly origin?: string }
  /** A result's structured data was large and is kept under `ref`; the result names it. */
  | { readonly type: 'data-kept'; readonly callId: CallId; readonly bytes: number; readonly ref?: SpillRef; readonly problem?: string }
  /** A long text from outside went to the model in short; the whole is kept under `ref`. */
  | { readonly type: 'result-summary'; readonly callId: CallId; readonly by: 'model' | 'head-and-signal'; readonly totalBytes: number; readonly ref: SpillRef }
  /** A history grew; the transcript of an agent is the fold of its own. */
  | { readonly type: 'message-push'; readonly message: Message; readonly agent?: AgentId }
  /** The model has seen these files as they are now; `print` tells whether they change. null = the file is gone. */
  | { readonly type: 'file-observe'; readonly path: string; readonly print: string | null }
  /** A call changed files and is over, or its background command is; what was there before is kept unless `problem` says why not. `paths`: the first of `count`. */
  | {
      readonly type: 'snapshot';
      readonly callId: CallId;
      readonly turnId: TurnId;
      readonly paths: readonly ChangedPath[];
      readonly count: number;
      readonly limits: readonly UndoLimit[];
      readonly problem?: string;
      /** The tab closed while it ran; this is what it had changed by then. */
      readonly recovered?: true;
    }
  /** Problems of files that a step edited, shown behind this call's result; `late`: of an earlier step. `found`: the first of `count`. */
  | {
      readonly type: 'diagnostics';
      readonly callId: CallId;
      readonly checked: readonly string[];
      readonly found: readonly Diagnostic[];
      readonly count: number;
      readonly late?: true;
    }
  /** Older steps cannot be undone any more: they made room. */
  | { readonly type: 'snapshot-drop'; readonly callIds: readonly CallId[] }
  /** What these calls changed was brought back; `left`: paths that stayed, since they had changed since. */
  | {
      readonly type: 'undo';
      readonly undoId: UndoId;
      readonly by: 'person' | 'model';
      readonly callIds: readonly CallId[];
      readonly turnId?: TurnId;
      readonly paths: readonly ChangedPath[];
      readonly count: number;
      readonly left: readonly string[];
    }
  /** An undo was taken back. */
  | {
      readonly type: 'redo';
      readonly undoId: UndoId;
      readonly callIds: readonly CallId[];
      readonly paths: readonly ChangedPath[];
      readonly count: number;
      readonly left: readonly string[];
    }
  | { readonly type: 'question-start'; readonly request: QuestionRequest }
  | { readonly type: 'question-end'; readonly questionId: QuestionId; readonly callId: CallId; readonly outcome: QuestionOutcome }
  /** A command goes on in the background; what it writes comes as `call-output` of the call that started it. */
  | { readonly type: 'job-start'; readonly callId: CallId; readonly taskId: string; readonly command: string }
  | { readonly type: 'job-end'; readonly callId: CallId; readonly taskId: string; readonly status: Exclude<JobStatus, 'running'>; readonly exitCode?: number }
  /** A tool's own note for the session; the notes are the fold of these. */
  | { readonly type: 'tool-note'; readonly key: string; readonly value: Json }
  /** The agent wants the person to know something now. */
  | { readonly type: 'notify'; readonly title: string; readonly body: string }
  | { readonly type: 'plan-show'; readonly steps: readonly PlanStep[]; readonly explanation?: string }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly code: string; readonly text: string };

export type EngineEvent = EngineEventBody & EventStamp;
export type EngineEventType = EngineEventBody['type'];
