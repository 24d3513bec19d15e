import type { JsonObject } from '@/lib/shared/json';
import type { CallId } from './ids';

/** The neutral history. Providers encode it; nobody else knows a wire's shape. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly blocks: readonly AssistantBlock[];
}

export type AssistantBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly signature?: string }
  | { readonly kind: 'call'; readonly callId: CallId; readonly wireId: string; readonly name: string; readonly input: JsonObject };

/** The results of the assistant message before it, one a call, in call order. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResultBlock[];
}

export interface ToolResultBlock {
  readonly callId: CallId;
  readonly wireId: string;
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
}
