import type { Json, JsonObject } from '@/lib/shared/json';

/** Every way in which a tool can fail; each has one wording for the model in `registry/error-wording.ts`. */
export type ToolErrorKind =
  | 'invalid-input'
  | 'missing-field'
  | 'path-escape'
  | 'execution-failed'
  | 'timeout'
  | 'not-available'
  | 'permission-denied'
  | 'cancelled';

export interface ToolError {
  readonly kind: ToolErrorKind;
  /** Model-facing: what is wrong and what to send next. */
  readonly message: string;
}

/** One file before and after a call, for diffs; `null` = the file did not exist. Binary or large (> 256 KiB) text is left out as `undefined`. */
export interface FileChange {
  readonly path: string;
  readonly before?: string | null;
  readonly after?: string | null;
}

/** What a tool's body returns. `content` goes to the model (cut and wrapped by the slot), the rest to people and later stages. */
export interface ToolResult {
  readonly ok: boolean;
  readonly content: string;
  readonly error?: ToolErrorKind;
  readonly data?: Json;
  readonly metadata?: Readonly<Record<string, Json>>;
  readonly changes?: readonly FileChange[];
  /** `content` is what the host said to the tool, not what the tool brought. Set by the dispatcher alone. */
  readonly ownWords?: true;
}

/**
 * How a slot was filled.
 * ok, failed: the body ran. denied: a person or the policy said no. refused: the engine declined and teaches.
 * blocked: the loop guard. cancelled: stopped before or while it ran. timed-out: the body took too long.
 */
export type SlotStatus = 'ok' | 'failed' | 'denied' | 'refused' | 'blocked' | 'cancelled' | 'timed-out';

/** The one thing that fills a slot; also for a call that never ran. */
export interface SlotOutcome {
  readonly status: SlotStatus;
  readonly content: string;
  readonly error?: ToolErrorKind;
  readonly data?: Json;
  readonly metadata?: Readonly<Record<string, Json>>;
  readonly changes?: readonly FileChange[];
  /** The person edited the arguments: the body ran with these. */
  readonly editedInput?: JsonObject;
  /** What the person said or changed when they allowed it; stands behind the result, outside whatever wraps it. */
  readonly note?: string;
  /** See ToolResult. */
  readonly ownWords?: true;
  /** The body was started (a cancelled call's effect is then unknown). */
  readonly started: boolean;
}

export type Capability = 'read-only' | 'writes-files' | 'executes-code' | 'network' | 'sandboxable' | 'requires-approval';
