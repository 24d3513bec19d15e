import type { Capability } from './outcome';
import type { ApprovalLevel, Mode } from './approval';
import type { Repair } from './plan';
import type { JsonObject } from '@/lib/shared/json';

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
}

/** What people and files said before: the other half of a decision. */
export interface Standing {
  readonly mode: Mode;
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
}
