import type { Json, JsonObject } from '@/lib/shared/json';
import type { AgentId, ApprovalId, CallId, StepId, TurnId } from './ids';
import type { FileChange } from './outcome';
import type { Repair } from './plan';
import type { DecisionFacts, OutsideBytes, PartVerdict, PolicyDifference, TraceEntry } from './policy';

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
  /** The subagent that asks; absent = the agent of the turn. */
  readonly agent?: AgentId;
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
  /** Where the call writes the policy file: what that would change. */
  readonly policyDifference?: PolicyDifference;
  /** Choices this request may be answered with; `session` and `always` only where a grant can be remembered. */
  readonly choices: readonly ApprovalChoice[];
  /** What "session" and "always" would let through, in words. */
  readonly grantCovers: string;
  /** Of a compound command, one entry a part: what an approval of that part alone would let through; null = it cannot be remembered. */
  readonly partCovers?: readonly (string | null)[];
  /** How many other calls of this session such an approval would have covered. */
  readonly wouldHaveCovered?: number;
  /** Bytes in the arguments that came from outside; absent = none. */
  readonly outside?: readonly OutsideBytes[];
  /** Of an external tool: the definition that an approval is bound to. */
  readonly definition?: string;
  /** Remembered approvals of this call stopped applying, since its server sends another definition than the one they were given for. */
  readonly definitionChanged?: true;
  readonly openedAt: number;
}

export interface ApprovalAnswer {
  readonly approvalId: ApprovalId;
  readonly choice: ApprovalChoice;
  /** What the person wants the model to know; with a yes or a no. */
  readonly words?: string;
  /** With session and always, of a compound command: the parts, as written, that it is given for; the others are allowed once. Absent: the whole, as one. */
  readonly parts?: readonly string[];
  /** With once: the arguments as the person edited them; checked and decided anew before the call runs. */
  readonly edited?: JsonObject;
}

/** `problem`: why an answer did not count although its prompt is still open, in words for the person. */
export interface AnswerReceipt {
  readonly counted: boolean;
  readonly problem?: string;
}

/** What became of arguments that a person edited. */
export interface EditedCall {
  readonly input: JsonObject;
  /** What the call does now, in one line; absent in older logs. */
  readonly summary?: string;
  /** What the new decision rests on. */
  readonly facts?: DecisionFacts;
  /** deny: the edited call is denied by this rule; else it runs. */
  readonly deniedBy?: TraceEntry;
}

/**
 * How a prompt ended. `covered`: a grant, mode or policy change decided it. `expired`: nobody answered in the time that the
 * person set; denied, not remembered. `cancelled`: the turn stopped.
 */
export type ApprovalOutcome =
  | {
      readonly kind: 'answered';
      readonly choice: ApprovalChoice;
      readonly words?: string;
      readonly parts?: readonly string[];
      readonly edited?: EditedCall;
    }
  | { readonly kind: 'covered'; readonly decision: 'allow' | 'deny'; readonly deniedBy?: TraceEntry }
  | { readonly kind: 'expired'; readonly afterMs: number }
  | { readonly kind: 'cancelled' };

/** A remembered approval. */
export interface RememberedGrant {
  /** The approval key; one key is one grant. */
  readonly key: string;
  readonly tool: string;
  /** What it lets through, in words. */
  readonly covers: string;
  /** Of an external tool: it holds for this definition only. */
  readonly definition?: string;
  readonly grantedAt: number;
}
