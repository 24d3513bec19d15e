import type { JsonObject } from '@/lib/shared/json';
import type { ApprovalLevel } from './approval';
import type { BatchId, CallId } from './ids';
import type { SlotOutcome, ToolErrorKind } from './outcome';
import type { DecisionFacts, TraceEntry, Verdict } from './policy';

declare const minted: unique symbol;

/**
 * A structured request by the model. Only `pipeline/1-stream/assemble-blocks.ts` makes one, from the provider's
 * structured channel; an architecture test forbids the cast anywhere else.
 */
export interface ToolCall {
  readonly [minted]: true;
  readonly callId: CallId;
  /** The provider's id; generated where the provider gave none. Goes back with the result. */
  readonly wireId: string;
  /** The name as the model sent it. */
  readonly name: string;
  /** Argument text as received, joined once; never shown as chat text. */
  readonly argumentsText: string;
  /** Bytes were damaged in transit (invalid UTF-8 inside the arguments). */
  readonly damaged: boolean;
  /** Warnings of the wire, e.g. `index-missing`. */
  readonly warnings: readonly string[];
}

/** A mending inside the protocol, always shown. `argument`: a rung of the ladder. */
export interface Repair {
  readonly kind: 'name' | 'argument' | 'coercion';
  /** Machine name: `trailing_commas`, `camel`, `decode:lines`, … */
  readonly rung: string;
  /** For a person: what was changed. */
  readonly note: string;
}

/** A call as planned. `stopped` = it never runs and this fills its slot. */
export interface PlannedCall {
  readonly call: ToolCall;
  /** Its slot: 0-based position in the step. */
  readonly index: number;
  /** Registered name, after name repair; the requested name where none was found. */
  readonly tool: string;
  readonly input: JsonObject;
  /** What the loop guard counts it under. */
  readonly loopKey: string;
  readonly repairs: readonly Repair[];
  readonly verdict: Verdict;
  /** What the verdict rests on; absent where the call was stopped before the policy was asked. */
  readonly facts?: DecisionFacts;
  readonly parallelSafe: boolean;
  readonly timeoutMs: number;
  readonly summary: string;
  readonly stopped?: Stopped;
  /** It was started before a closed tab, the log says so, and it goes on: a question that is asked again. */
  readonly begun?: true;
}

export interface Stopped {
  readonly stage:
    | 'truncation-gate'
    | 'damaged'
    | 'name'
    | 'arguments'
    | 'deferred'
    | 'validation'
    | 'loop-guard'
    | 'policy'
    | 'read-before-write'
    | 'recovered';
  readonly outcome: SlotOutcome;
  readonly error?: ToolErrorKind;
}

export interface Batch {
  readonly batchId: BatchId;
  readonly kind: 'parallel' | 'serial';
  readonly calls: readonly PlannedCall[];
}

/** What the page sees of a planned call. */
export interface PlannedCallView {
  readonly callId: CallId;
  readonly index: number;
  readonly requestedName: string;
  readonly tool: string;
  readonly summary: string;
  readonly input: JsonObject;
  readonly level: ApprovalLevel;
  readonly decision: 'run' | 'ask' | 'stopped';
  readonly repairs: readonly Repair[];
  readonly trace: readonly TraceEntry[];
  /** What the decision rests on; absent where the call was stopped before the policy was asked. */
  readonly facts?: DecisionFacts;
  /** What the loop guard was asked; `key` absent = the canonical JSON of the input. Absent in logs of older versions. */
  readonly loop?: { readonly key?: string; readonly polling: boolean };
}
