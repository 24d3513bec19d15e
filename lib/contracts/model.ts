import type { ApiTool } from './dispatcher';
import type { Message } from './message';

/** One server-sent event; `event` only when the stream named one other than `message`. */
export interface SseEvent {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
  /** Some of this event's bytes were not UTF-8. */
  readonly damaged?: boolean;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ApiTool[];
  readonly maxOutputTokens: number;
}

/** end: it yielded. calls: it wants results. length: the output limit cut it. refusal: it declined. */
export type StopReason = 'end' | 'calls' | 'length' | 'refusal';

/** Tokens as the provider counts them; a missing number is not known. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/**
 * The one neutral form of every wire. `key` names an open call inside this response (not the provider's id, which may be
 * missing or reused). `call-args` carries text as received; `damaged` marks text whose bytes were not UTF-8.
 */
export type ModelEvent =
  | { readonly type: 'text-start' }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'text-end' }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** `signature`: opaque to all but the wire that made it; sent back with the block. */
  | { readonly type: 'reasoning-end'; readonly signature?: string }
  | { readonly type: 'call-start'; readonly key: string; readonly wireId: string; readonly name: string }
  /** Later news of an open call whose wire sends id or name late or in fragments. */
  | { readonly type: 'call-name'; readonly key: string; readonly wireId?: string; readonly name?: string }
  | { readonly type: 'call-args'; readonly key: string; readonly text: string; readonly damaged?: boolean }
  /** The text so far is void (e.g. a leading `{}` that real arguments follow). */
  | { readonly type: 'call-args-reset'; readonly key: string }
  | { readonly type: 'call-end'; readonly key: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'stop'; readonly reason: StopReason; readonly raw: string }
  | { readonly type: 'warning'; readonly code: string; readonly key?: string }
  /** The provider reported a failure inside the stream; the model client turns it into its last item. */
  | { readonly type: 'provider-error'; readonly message: string; readonly retryable: boolean };

/** Why a model could not be asked, or its stream could not be read to the end. */
export type ModelErrorCode =
  | 'wrong-key'
  | 'not-allowed'
  | 'not-found'
  | 'bad-request'
  | 'rate-limited'
  | 'server-error'
  | 'unreachable'
  | 'not-a-stream'
  | 'stream-cut'
  | 'stream-stalled'
  | 'provider-error'
  | 'aborted';

export interface ModelError {
  readonly code: ModelErrorCode;
  /** For a person: what happened, what is safe, what to do. */
  readonly message: string;
  readonly status?: number;
  /** Milliseconds the provider asked to wait. */
  readonly retryAfterMs?: number;
}

/** What a model client yields: the neutral events, then nothing, or one error as the last item. */
export type ModelStreamItem =
  | ModelEvent
  | { readonly type: 'error'; readonly error: ModelError }
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly error: ModelError };

/**
 * Streams one response, item by item, or those that came together as a list. Never rejects: a failure is the last item. Ends at once when
 * `signal` aborts (last item: code `aborted`).
 */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelStreamItem | readonly ModelStreamItem[]>;
