// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { quietMs } from '@/components/approvals/use-prompt-guard';
import { QuestionForm } from '@/components/session/question-form';
import { emptySession, foldEvents } from '@/lib/client/view-state';
import type { QuestionAnswer, QuestionRequest } from '@/lib/contracts/question';
import { eventList, id } from '@/test/support/event-list';
import { readsThenCommand } from '@/test/support/turn-events';

const request: QuestionRequest = {
  questionId: id('question-1'),
  callId: id('call-3'),
  turnId: id('turn-1'),
  questions: [
    { question: 'Which colour?', options: [{ label: 'Red', description: 'as before' }, { label: 'Blue' }], several: false },
    { question: 'Which parts?', options: [{ label: 'Head' }, { label: 'Tail' }], several: true },
  ],
  openedAt: 1000,
};

let root: Root;
let place: HTMLElement;
const answers: QuestionAnswer[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  document.hasFocus = () => true;
  answers.length = 0;
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
  act(() => root.render(<QuestionForm request={request} onAnswer={(answer) => answers.push(answer)} />));
  // Before, keys and the clicks they make were meant for something else.
  vi.advanceTimersByTime(quietMs);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
});

const option = (label: string): HTMLInputElement => {
  const found = [...place.querySelectorAll('label')].find((item) => item.textContent?.startsWith(label))?.querySelector('input');
  if (!found) throw new Error(`no option ${label}`);
  return found;
};
const choose = (label: string): void => act(() => option(label).click());
const button = (name: string): HTMLButtonElement =>
  [...place.querySelectorAll('button')].find((item) => item.textContent?.trim() === name) as HTMLButtonElement;
const write = (name: string, text: string): void =>
  act(() => {
    const field = place.querySelector(`input[aria-label="${name}"]`) as HTMLInputElement;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
const send = (): void => act(() => void place.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));

describe('the form of questions', () => {
  it('has nothing chosen, and sends nothing before every question is answered', () => {
    expect([...place.querySelectorAll('input')].some((input) => input.checked)).toBe(false);
    choose('Blue');
    send();
    expect([answers, button('Send the answers').disabled]).toEqual([[], true]);
  });

  it('sends one choice or several, as each question has it', () => {
    choose('Red');
    choose('Blue');
    choose('Head');
    choose('Tail');
    choose('Head');
    send();
    expect(answers).toEqual([{ questionId: 'question-1', answers: [{ choices: ['Blue'] }, { choices: ['Tail'] }] }]);
  });

  it('takes words instead of an option', () => {
    write('In your own words: Which colour?', 'green');
    choose('Head');
    send();
    expect(answers).toEqual([{ questionId: 'question-1', answers: [{ choices: [], words: 'green' }, { choices: ['Head'] }] }]);
  });

  it('lets a person decline', () => {
    act(() => button('I do not want to say').click());
    expect(answers).toEqual([{ questionId: 'question-1' }]);
  });

  it('is there while it waits, and its call says so', () => {
    const until = readsThenCommand.findIndex((event) => event.type === 'call-output');
    const open = foldEvents(emptySession(id('session-1')), eventList([...readsThenCommand.slice(0, until), { type: 'question-start', request }]));
    const phase = (view: typeof open) =>
      view.items
        .flatMap((item) => (item.kind === 'turn' ? item.turn.items.flatMap((inner) => (inner.kind === 'step' ? inner.step.calls : [])) : []))
        .find((call) => call.callId === 'call-3')?.phase;
    expect([open.questions, phase(open)]).toEqual([[request], 'asking']);
    const closed = foldEvents(
      emptySession(id('session-1')),
      eventList([
        ...readsThenCommand.slice(0, until),
        { type: 'question-start', request },
        { type: 'question-end', questionId: request.questionId, callId: request.callId, outcome: { kind: 'dismissed' } },
      ]),
    );
    expect([closed.questions, phase(closed)]).toEqual([[], 'running']);
  });

  it('takes the focus where nobody has it, and not from who writes', () => {
    expect(place.contains(document.activeElement) && document.activeElement?.tagName).toBe('INPUT');
    act(() => root.render(null));
    const field = document.body.appendChild(document.createElement('textarea'));
    field.focus();
    act(() => root.render(<QuestionForm request={request} onAnswer={(answer) => answers.push(answer)} />));
    expect(document.activeElement).toBe(field);
    act(() => root.render(null));
    expect(document.activeElement).toBe(field);
    field.remove();
  });
});
