import type { CallId, QuestionId, TurnId } from './ids';

export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}

/** One question to the person; they may always answer in words of their own. */
export interface PersonQuestion {
  readonly question: string;
  readonly options: readonly QuestionOption[];
  /** More than one option may be chosen. */
  readonly several: boolean;
}

/** A form that waits for the person. */
export interface QuestionRequest {
  readonly questionId: QuestionId;
  readonly callId: CallId;
  readonly turnId: TurnId;
  readonly questions: readonly PersonQuestion[];
  readonly openedAt: number;
}

/** The answer to one question: labels that were chosen, words, or both; never neither. */
export interface PersonAnswer {
  readonly choices: readonly string[];
  readonly words?: string;
}

/** `answers[i]` belongs to `questions[i]`; without answers the person does not want to say. */
export interface QuestionAnswer {
  readonly questionId: QuestionId;
  readonly answers?: readonly PersonAnswer[];
}

/** How a form ended. `cancelled`: the turn stopped. */
export type QuestionOutcome =
  | { readonly kind: 'answered'; readonly answers: readonly PersonAnswer[] }
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'cancelled' };
