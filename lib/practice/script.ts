import type { StopReason } from '@/lib/contracts/model';
import type { JsonObject } from '@/lib/shared/json';
import type { Conversation } from './read-conversation';

export interface PracticeCall {
  readonly name: string;
  readonly input: JsonObject;
  /** Sent as the argument text instead of `input`, byte for byte: for tasks about damaged arguments. */
  readonly rawArguments?: string;
}

/** One response of the practice model, before a wire's dialect is put on it. */
export interface PracticeStep {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly PracticeCall[];
  /** Default: `calls` when there is a call, else `end`. */
  readonly stop?: StopReason;
}

/**
 * What the practice model does in one task. It is no tape: `next` looks at everything that came back so far, and nothing
 * else, so the same conversation always gets the same step.
 */
export interface PracticeScript {
  readonly taskId: string;
  readonly title: string;
  /** Tools it cannot do without; a request that does not offer them gets an answer in words. */
  readonly needs: readonly string[];
  /** This conversation is about this task. */
  isFor(conversation: Conversation): boolean;
  next(conversation: Conversation): PracticeStep;
}
