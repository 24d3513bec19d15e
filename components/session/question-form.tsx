'use client';
import { MessageCircleQuestion, Send } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { usePromptGuard } from '@/components/approvals/use-prompt-guard';
import { Button } from '@/components/ui/button';
import { useBorrowedFocus } from '@/components/ui/use-borrowed-focus';
import { useEngine, usePage } from '@/lib/client/use-engine';
import type { PersonAnswer, PersonQuestion, QuestionAnswer, QuestionRequest } from '@/lib/contracts/question';

/** The oldest open form, once no approval waits. It is announced, and takes no focus from who has it. */
export function QuestionDock() {
  const engine = useEngine();
  const questions = usePage((page) => page.session?.questions);
  const approvals = usePage((page) => page.session?.approvals.length ?? 0);
  const request = approvals === 0 ? questions?.[0] : undefined;
  const id = request?.questionId;
  const words = request === undefined ? '' : `The agent asks you: ${request.questions.map(({ question }) => question).join(' ')}`;
  useEffect(() => {
    if (id === undefined) return;
    document.title = 'Waiting for you · Gatehouse';
    return () => {
      document.title = 'Gatehouse';
    };
  }, [id]);
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {words}
      </p>
      {request === undefined ? null : <QuestionForm key={request.questionId} request={request} onAnswer={(answer) => engine.answerQuestion(answer)} />}
    </>
  );
}

interface Props {
  readonly request: QuestionRequest;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** Questions of the model with their options; each can be answered in words of one's own. Nothing is chosen beforehand. */
export function QuestionForm({ request, onAnswer }: Props) {
  const area = useRef<HTMLFormElement>(null);
  const [answers, setAnswers] = useState<readonly PersonAnswer[]>(() => request.questions.map(() => ({ choices: [] })));
  usePromptGuard(area);
  useBorrowedFocus(area, () => area.current?.querySelector<HTMLElement>('input, textarea'), 'lost');
  const { questionId, questions } = request;
  const isWhole = answers.every(({ choices, words }) => choices.length > 0 || (words ?? '').trim() !== '');
  return (
    <form
      ref={area}
      aria-label="Questions of the agent"
      className="flex max-h-[min(70vh,36rem)] min-h-0 shrink flex-col border-t-2 border-ask bg-surface-0"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onAnswer({ questionId, answers });
      }}
    >
      <div className="min-h-0 flex-1 space-y-3 overflow-y-auto px-3 pt-2.5">
        <div className="flex items-start gap-2">
          <MessageCircleQuestion aria-hidden size={18} className="mt-px shrink-0 text-ask" />
          <h2 className="min-w-0 flex-1 text-title font-semibold">
            {questions.length === 1 ? 'The agent asks you' : `The agent asks you ${questions.length} questions`}
          </h2>
        </div>
        {questions.map((question, index) => (
          <Question
            key={question.question}
            question={question}
            answer={answers[index] ?? { choices: [] }}
            onChange={(answer) => setAnswers(answers.map((known, at) => (at === index ? answer : known)))}
          />
        ))}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-1.5 px-3 pt-2 pb-2.5">
        <Button type="submit" look="primary" disabled={!isWhole}>
          <Send aria-hidden size={14} /> {questions.length === 1 ? 'Send the answer' : 'Send the answers'}
        </Button>
        <Button look="quiet" onClick={() => onAnswer({ questionId })}>
          I do not want to say
        </Button>
      </div>
    </form>
  );
}

function Question({
  question,
  answer,
  onChange,
}: {
  readonly question: PersonQuestion;
  readonly answer: PersonAnswer;
  readonly onChange: (answer: PersonAnswer) => void;
}) {
  const name = useId();
  const choose = (label: string, chosen: boolean): void => {
    const others = question.several ? answer.choices.filter((choice) => choice !== label) : [];
    onChange({ ...answer, choices: chosen ? [...others, label] : others });
  };
  return (
    <fieldset className="space-y-1.5">
      <legend className="pb-1 font-medium wrap-anywhere">
        {question.question}
        {question.several ? <span className="text-small font-normal text-ink-2"> (several may be chosen)</span> : null}
      </legend>
      {question.options.map(({ label, description }, index) => (
        <label key={label} className="flex items-start gap-2 rounded-md border border-line px-2.5 py-1.5 hover:bg-surface-2">
          <input
            type={question.several ? 'checkbox' : 'radio'}
            name={name}
            className="mt-1 accent-accent"
            checked={answer.choices.includes(label)}
            aria-describedby={description === undefined ? undefined : `${name}-${index}`}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span className="min-w-0 wrap-anywhere">
            {label}
            {description === undefined ? null : (
              <span id={`${name}-${index}`} className="block text-small text-ink-2">
                {description}
              </span>
            )}
          </span>
        </label>
      ))}
      <input
        type="text"
        aria-label={`In your own words: ${question.question}`}
        placeholder="Or in your own words"
        value={answer.words ?? ''}
        onChange={(event) => onChange({ choices: answer.choices, words: event.target.value })}
        className="block w-full rounded-md border border-line-strong bg-surface-0 px-2.5 py-1.5 placeholder:text-ink-3"
      />
    </fieldset>
  );
}
