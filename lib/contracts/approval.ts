import type { Json } from '@/lib/shared/json';
import type { ApprovalId, CallId, StepId, TurnId } from './ids';
import type { FileChange } from './outcome';
import type { Repair } from './plan';
import type { PartVerdict, TraceEntry } from './policy';

/** auto: passes. suggest: prompts unless granted or in auto-edit. required: prompts unless granted. */
export type ApprovalLevel = 'auto' | 'suggest' | 'required';
export type Mode = 'plan' | 'ask' | 'auto-edit' | 'auto';
/** once: this call. session: calls of the same grant fingerprint in this session. always: in this workspace. stop: ends the turn, is not a no. */
export type ApprovalChoice = 'once' | 'session' | 'always' | 'deny' | 'stop';

/** Everything a card shows; made once when the prompt opens. */
export interface ApprovalRequest {
  readonly approvalId: ApprovalId;
  readonly callId: CallId;
  readonly turnId: TurnId;
  readonly stepId: StepId;
  readonly tool: string;
  /** First line of the card, a sentence: "Run a command in the shell". */
  readonly title: string;
  /** The thing itself in monospace: the command, the path, or the input as JSON. */
  readonly subject: string;
  readonly input: Json;
  readonly changes: readonly FileChange[];
  readonly repairs: readonly Repair[];
  /** Why it asks: the rules in the order they looked; the deciding one has `decided`. */
  readonly trace: readonly TraceEntry[];
  /** Of a shell command: everything that it would run, each with its verdict and the rule behind it. */
  readonly parts?: readonly PartVerdict[];
  /** Choices this request may be answered with; `session` and `always` only where a grant can be remembered. */
  readonly choices: readonly ApprovalChoice[];
  /** What "session" would let through, in words. */
  readonly grantCovers: string;
  readonly openedAt: number;
}

export interface ApprovalAnswer {
  readonly approvalId: ApprovalId;
  readonly choice: ApprovalChoice;
  /** With deny: what the person wants the model to know. */
  readonly words?: string;
}

/** How a prompt ended. `covered`: a grant, mode or policy change decided it. `cancelled`: the turn stopped. */
export type ApprovalOutcome =
  | { readonly kind: 'answered'; readonly choice: ApprovalChoice; readonly words?: string }
  | { readonly kind: 'covered'; readonly decision: 'allow' | 'deny' }
  | { readonly kind: 'cancelled' };
