import type { JsonObject } from '@/lib/shared/json';
import type { ApprovalLevel, Mode } from './approval';
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
  /** Workspace-relative paths the call would write. */
  readonly writes: readonly string[];
  /** Bytes in the arguments that came from outside results of this session; absent = none. */
  readonly outside?: readonly OutsideBytes[];
  /** Of an external tool: `sha256:…` of the definition that the model was shown. */
  readonly definition?: string;
}

/** The command rules of a policy; rule strings are words separated by blanks, `*` stands for any. Deny beats ask, ask beats allow. */
export interface ShellPolicy {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** What holds where no rule fits. */
  readonly default: Decision;
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

/** What people and files said before: the other half of a decision. */
export interface Standing {
  readonly mode: Mode;
  /** Command rules in force; absent = the starter policy. */
  readonly policy?: ShellPolicy;
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
