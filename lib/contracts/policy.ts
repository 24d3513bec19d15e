import type { JsonObject } from '@/lib/shared/json';
import type { ApprovalLevel, Mode } from './approval';
import type { CallId } from './ids';
import type { Capability } from './outcome';
import type { Repair } from './plan';

export type Decision = 'allow' | 'ask' | 'deny';

/** One rule that looked at a call: what it saw and what it said. The list of them is the trace of a decision. */
export interface TraceEntry {
  /** Stable kebab-case name of the rule, e.g. `capability-level`, `mode`, `grant`, `denial`, `loop-guard`. */
  readonly rule: string;
  /** Evidence quoted from the call, in words for a person. */
  readonly evidence: string;
  /** What the rule said; `none` = it had no opinion. */
  readonly verdict: Decision | 'refuse' | 'block' | 'repair' | 'none';
  /** This entry decided. */
  readonly decided?: boolean;
}

/** A stretch of an outside result, 16 bytes or more, found again in an argument. */
export interface OutsideBytes {
  /** Path of the argument with dots, e.g. `command`, `files.0.text`. */
  readonly field: string;
  /** Host or server that the bytes came from. */
  readonly source: string;
  /** The stretch as it stands in the argument. */
  readonly text: string;
}

/** The facts about one call that a decision rests on; nothing else may influence it. */
export interface CallFacts {
  readonly tool: string;
  readonly input: JsonObject;
  readonly capabilities: readonly Capability[];
  /** Level for this very input, before repairs, policy and mode. */
  readonly inputLevel: ApprovalLevel;
  readonly repairs: readonly Repair[];
  /** Workspace-relative paths the call would write; places that are made, moved or removed as wholes count. */
  readonly writes: readonly string[];
  /** Workspace-relative paths the call would read; absent = none. */
  readonly reads?: readonly string[];
  /** Folders whose content it would search or copy; absent = none. */
  readonly under?: readonly string[];
  /** Bytes in the arguments that came from outside results of this session; absent = none. */
  readonly outside?: readonly OutsideBytes[];
  /** Of an external tool: `sha256:…` of the definition that the model was shown. */
  readonly definition?: string;
}

/** What a decision rests on beside the tool, its input and the repairs; kept in the log, so that the log alone decides again. */
export type DecisionFacts = Omit<CallFacts, 'tool' | 'input' | 'repairs'>;

/** The command rules of a policy; rule strings are words separated by blanks, `*` stands for any. Deny beats ask, ask beats allow. */
export interface ShellPolicy {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** What holds where no rule fits. */
  readonly default: Decision;
}

/** The host entries of a policy; deny wins. `.example.com` stands for sub-domains. */
export interface HostPolicy {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** What holds where no entry fits. */
  readonly default: Decision;
}

/** What a rule may look at in a call. Every condition that is there has to be met. */
export interface RuleConditions {
  /** Name of the tool; a glob in a rule. */
  readonly tool?: string;
  /** A path that the call touches; a glob in a rule. `~/` is the home directory, anything else relative to the workspace. */
  readonly path?: string;
  /** Arguments that the call has, each exactly. */
  readonly args?: JsonObject;
  readonly capability?: Capability;
  /** Its arguments carry bytes from outside. */
  readonly origin?: 'outside';
  /** `sha256:…` of the definition of an external tool. */
  readonly definition?: string;
}

/** One rule of a policy. Deny beats ask, ask beats allow, wherever they stand. */
export interface PolicyRule extends RuleConditions {
  readonly effect: Decision;
  readonly reason?: string;
  /** Calls that the rule has to fit, and calls that it must not fit; checked when the file loads. */
  readonly match?: readonly RuleConditions[];
  readonly notMatch?: readonly RuleConditions[];
}

/** `gatehouse.policy.json`, read. Source governance 9. */
export interface Policy {
  readonly version: 1;
  /** What holds where no rule fits: `ask` leaves it to level and mode. */
  readonly default: Decision;
  readonly shell: Omit<ShellPolicy, 'default'>;
  readonly hosts: HostPolicy;
  readonly rules: readonly PolicyRule[];
}

/** What is wrong with a policy file, and where: 1-based, columns in UTF-16 units. */
export interface PolicyProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A policy file that does not load: every call that is not denied asks. */
export interface BrokenPolicy {
  readonly broken: PolicyProblem;
}

export type PolicyInForce = Policy | BrokenPolicy;

/** A policy file that no person has accepted: it decides nothing yet. */
export interface PendingPolicy {
  /** Of its text; what is accepted has to have it. `removed` = the file is gone. */
  readonly fingerprint: string;
  readonly problem?: PolicyProblem;
}

/** What decides in a session, as its log tells it. */
export interface PolicyStatus {
  /** Absent = the workspace has no policy file: the starter policy decides. */
  readonly inForce?: PolicyInForce;
  readonly pending?: PendingPolicy;
}

/** A call of the session that another policy would decide otherwise. */
export interface ChangedDecision {
  readonly callId: CallId;
  readonly tool: string;
  readonly summary: string;
  readonly before: Decision;
  readonly after: Decision;
  /** What decides then, in words. */
  readonly evidence: string;
}

/** What a change of the policy file would change, shown before it is made. */
export interface PolicyDifference {
  /** The new text does not load: everything would ask. */
  readonly problem?: PolicyProblem;
  /** Calls of this session that were decided again. */
  readonly compared: number;
  /** At most 50, newest first. */
  readonly changed: readonly ChangedDecision[];
  /** Rules, list entries and defaults that the new text adds or takes away, in words. */
  readonly lines: readonly string[];
}

/** The verdict on one part of a shell command. */
export interface PartVerdict {
  /** The part as written. */
  readonly text: string;
  /** UTF-16 range in the command; for a part of an inner script the word or here-document that carries it. */
  readonly from: number;
  readonly to: number;
  readonly verdict: Decision;
  /** The rule string of the policy that fits it, or the kebab-case name of a built-in rule. */
  readonly rule: string;
  /** What the rule saw, in words for a person. */
  readonly evidence: string;
}

/** What would happen to a call, and why; nothing was started. */
export interface Explanation {
  readonly tool: string;
  /** `refuse`: the call would not come so far; the trace says what is wrong with it. */
  readonly decision: Decision | 'refuse';
  readonly level: ApprovalLevel;
  readonly mode: Mode;
  readonly policy: 'starter' | 'file' | 'broken';
  readonly trace: readonly TraceEntry[];
  readonly parts?: readonly PartVerdict[];
}

/** What people and files said before: the other half of a decision. */
export interface Standing {
  readonly mode: Mode;
  /** Absent = the starter policy. */
  readonly policy?: PolicyInForce;
  /** Loose fingerprints of remembered approvals. */
  readonly grants: ReadonlySet<string>;
  /** Exact fingerprints of remembered denials. */
  readonly denials: ReadonlySet<string>;
}

export interface Verdict {
  readonly decision: Decision;
  /** Level after repairs and policy: batching asks whether it is `auto`. */
  readonly level: ApprovalLevel;
  readonly trace: readonly TraceEntry[];
  /** Of a shell command: its parts in the order of the text, wrappers before what they run. */
  readonly parts?: readonly PartVerdict[];
}
