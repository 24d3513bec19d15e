import type { ApprovalLevel } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { JsonObject } from '@/lib/shared/json';

/** What is known of a call while its response still streams. */
export interface EarlyFacts {
  readonly capabilities: readonly Capability[];
  readonly supportsParallel: boolean;
  readonly interactive: boolean;
  /** Level for this very input, after policy and mode. */
  readonly approval: ApprovalLevel;
  readonly validates: boolean;
  /** The argument text needed no mending. */
  readonly strict: boolean;
  /** The wire said so, or the root value of the arguments is complete. */
  readonly blockEnded: boolean;
}

const NEVER_EARLY: readonly Capability[] = ['writes-files', 'executes-code', 'network', 'requires-approval'];

/** May a call start although its response goes on? Only what reads here, asks nobody and needed no repair. Source governance 4. */
export function mayStartEarly(facts: EarlyFacts): boolean {
  return (
    facts.blockEnded &&
    facts.strict &&
    facts.validates &&
    facts.approval === 'auto' &&
    facts.supportsParallel &&
    !facts.interactive &&
    facts.capabilities.includes('read-only') &&
    !NEVER_EARLY.some((capability) => facts.capabilities.includes(capability))
  );
}

export interface NamedInput {
  readonly name: string;
  readonly input: JsonObject;
}

/** True when the result of the call that was started early answers the call as it was finally planned. */
export function isSameCall(started: NamedInput, final: NamedInput | null): boolean {
  return final !== null && started.name === final.name && (started.input === final.input || canonicalJson(started.input) === canonicalJson(final.input));
}
