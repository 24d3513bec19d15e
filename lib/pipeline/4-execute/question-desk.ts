import type { EngineEventBody } from '@/lib/contracts/events';
import type { CallId, QuestionId, TurnId } from '@/lib/contracts/ids';
import type { PersonAnswer, PersonQuestion, QuestionAnswer, QuestionOutcome, QuestionRequest } from '@/lib/contracts/question';

export interface QuestionPorts {
  readonly emit: (event: EngineEventBody) => void;
  readonly newId: (kind: string) => QuestionId;
  readonly now: () => number;
  /** Makes what was emitted durable: a form may wait for hours. */
  readonly commit: () => Promise<void>;
}

/** Where questions of the model wait for a person. One per session; holds no lock. */
export interface QuestionDesk {
  /** Opens a form; settles when it has ended. Never rejects. An abort of `signal` ends it as cancelled. */
  ask(by: { readonly callId: CallId; readonly turnId: TurnId; readonly signal: AbortSignal }, questions: readonly PersonQuestion[]): Promise<QuestionOutcome>;
  /** True when the answer counted: its form was open, and each answer fits its question. A form is answered once. */
  answer(answer: QuestionAnswer): boolean;
  /** Ends every form of the turn without an answer. */
  cancelTurn(turnId: TurnId): void;
  pending(): readonly QuestionRequest[];
}

interface Form {
  readonly request: QuestionRequest;
  readonly settle: (outcome: QuestionOutcome) => void;
}

/**
 * Makes a desk without forms.
 *
 * In     `answered`: answers of calls that a closed tab cut off after the person had answered; they count, and are not asked for again.
 */
export function createQuestionDesk(ports: QuestionPorts, answered: ReadonlyMap<CallId, QuestionOutcome> = new Map()): QuestionDesk {
  const open = new Map<QuestionId, Form>();
  const close = ({ request, settle }: Form, outcome: QuestionOutcome) => {
    if (!open.delete(request.questionId)) return;
    ports.emit({ type: 'question-end', questionId: request.questionId, callId: request.callId, outcome });
    settle(outcome);
  };
  return {
    ask({ callId, turnId, signal }, questions) {
      if (signal.aborted) return Promise.resolve({ kind: 'cancelled' });
      const known = answered.get(callId);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((settle) => {
        const request: QuestionRequest = { questionId: ports.newId('question'), callId, turnId, questions, openedAt: ports.now() };
        const form: Form = { request, settle };
        open.set(request.questionId, form);
        ports.emit({ type: 'question-start', request });
        void ports.commit();
        signal.addEventListener('abort', () => close(form, { kind: 'cancelled' }), { once: true });
      });
    },
    answer({ questionId, answers }) {
      const form = open.get(questionId);
      if (form === undefined) return false;
      if (answers === undefined) {
        close(form, { kind: 'dismissed' });
        return true;
      }
      const { questions } = form.request;
      if (answers.length !== questions.length || !answers.every((given, index) => fits(given, questions[index] as PersonQuestion))) return false;
      close(form, { kind: 'answered', answers: answers.map(tidy) });
      return true;
    },
    cancelTurn(turnId) {
      for (const form of [...open.values()]) if (form.request.turnId === turnId) close(form, { kind: 'cancelled' });
    },
    pending: () => [...open.values()].map((form) => form.request),
  };
}

function fits({ choices, words }: PersonAnswer, { options, several }: PersonQuestion): boolean {
  if (choices.length === 0 && (words ?? '').trim() === '') return false;
  if (choices.length > 1 && !several) return false;
  return new Set(choices).size === choices.length && choices.every((choice) => options.some((option) => option.label === choice));
}

function tidy({ choices, words }: PersonAnswer): PersonAnswer {
  const said = (words ?? '').trim();
  return said === '' ? { choices } : { choices, words: said };
}
