// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApprovalCard } from '@/components/approvals/approval-card';
import { quietMs } from '@/components/approvals/use-prompt-guard';
import type { ApprovalAnswer, ApprovalRequest } from '@/lib/contracts/approval';
import { commandPrompt } from '@/test/support/turn-events';

let root: Root;
let place: HTMLElement;
const answers: (ApprovalAnswer | string)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  document.hasFocus = () => true;
  answers.length = 0;
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
});

const show = (request: ApprovalRequest = commandPrompt, behind = 0): void =>
  act(() =>
    root.render(
      <ApprovalCard
        key={request.approvalId}
        request={request}
        behind={behind}
        onAnswer={(answer) => answers.push(answer)}
        onAnswerAll={(choice) => answers.push(choice)}
      />,
    ),
  );
const button = (name: string): HTMLButtonElement => {
  const found = [...place.querySelectorAll('button')].find((item) => item.textContent?.trim() === name);
  if (!found) throw new Error(`no button ${name}`);
  return found;
};
const later = (ms: number): void => void vi.advanceTimersByTime(ms);
/** A key as a browser sends it: a button that sees Enter or Space is clicked by it unless the key was prevented. */
const press = (key: string, options: KeyboardEventInit = {}): void =>
  act(() => {
    const target = document.activeElement ?? document.body;
    const passed = target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options }));
    if (passed && target instanceof HTMLButtonElement && (key === 'Enter' || key === ' '))
      target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 0 }));
  });
const click = (name: string, detail = 1): void =>
  act(() => {
    const target = button(name);
    target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  });
const answer = (over: Partial<ApprovalAnswer>): ApprovalAnswer => ({ approvalId: commandPrompt.approvalId, choice: 'deny', ...over });

describe('the approval card', () => {
  it('is a named region whose focus opens on Deny (cl-20, cl-30)', () => {
    show();
    expect(place.querySelector('section')?.getAttribute('aria-label')).toBe('Approval: Run a command in the shell');
    expect(document.activeElement).toBe(button('Deny'));
    expect([...place.querySelectorAll('button')].map((item) => item.textContent?.trim())).toEqual([
      'More: the whole input and every rule',
      'Deny',
      'Allow once',
      'Allow for this session',
      'Deny with words…',
      'Stop the turn',
    ]);
  });

  it('is deaf to keys for its first 400 ms, and hears the one after (cl-18)', () => {
    show();
    for (const key of ['Enter', ' ', 'a', 'y', 'Escape']) press(key);
    later(quietMs - 1);
    press('Enter');
    expect(answers).toEqual([]);
    later(1);
    press('Enter');
    expect(answers).toEqual([answer({ choice: 'deny' })]);
  });

  it('does not take a key that has been held down since before', () => {
    show();
    later(1000);
    press('Enter', { repeat: true });
    expect(answers).toEqual([]);
  });

  it('does nothing but what the focused button says when Enter is pressed (cl-31)', () => {
    show();
    later(1000);
    act(() => button('Allow once').focus());
    press('Enter');
    act(() => button('More: the whole input and every rule').focus());
    press('Enter');
    expect(answers).toEqual([answer({ choice: 'once' })]);
    expect(button('More: the whole input and every rule').getAttribute('aria-expanded')).toBe('true');
  });

  it('does not take the click that brings the window forward; the next one answers (cl-21)', () => {
    show();
    later(5000);
    act(() => void window.dispatchEvent(new Event('blur')));
    later(5000);
    act(() => void window.dispatchEvent(new Event('focus')));
    click('Allow once');
    expect(answers).toEqual([]);
    click('Allow once');
    expect(answers).toEqual([answer({ choice: 'once' })]);
  });

  it('takes a click at once when the window was brought forward long before', () => {
    show();
    act(() => void window.dispatchEvent(new Event('blur')));
    act(() => void window.dispatchEvent(new Event('focus')));
    later(2000);
    click('Allow for this session');
    expect(answers).toEqual([answer({ choice: 'session' })]);
  });

  it('does not take the second half of a double click on the prompt before it', () => {
    show();
    click('Allow once', 2);
    expect(answers).toEqual([]);
    click('Allow once', 1);
    expect(answers).toEqual([answer({ choice: 'once' })]);
  });

  it('grants nothing from the field for words, whatever is pressed there (cl-23)', () => {
    show();
    later(1000);
    click('Deny with words…');
    const field = place.querySelector('textarea');
    expect(document.activeElement).toBe(field);
    for (const key of ['Enter', 'Tab', 'a', 's', 'y', '1']) press(key);
    press('Tab', { shiftKey: true });
    expect(answers).toEqual([]);
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'not this file');
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    click('Deny with these words');
    expect(answers).toEqual([answer({ choice: 'deny', words: 'not this file' })]);
  });

  it('offers only the choices of the request, and all at once where several wait', () => {
    show({ ...commandPrompt, choices: ['once', 'deny'] }, 2);
    expect([...place.querySelectorAll('button')].map((item) => item.textContent?.trim())).toEqual([
      'More: the whole input and every rule',
      'Deny',
      'Allow once',
      'Deny with words…',
      'Deny all 3',
      'Allow all 3 once',
    ]);
    click('Deny all 3');
    expect(answers).toEqual(['deny']);
  });

  it('lists the parts of a command with shape, word and rule, nothing hidden in them (cl-13)', () => {
    const part = (text: string, verdict: 'allow' | 'ask' | 'deny', rule: string, evidence: string) => ({
      text,
      from: 0,
      to: text.length,
      verdict,
      rule,
      evidence,
    });
    show({
      ...commandPrompt,
      subject: `ls\u200b${'\t'.repeat(40)}; rm x`,
      parts: [part('ls\u200b', 'ask', 'invisible-text', 'It hides something.'), part('rm x', 'deny', 'rm *', 'The deny rule "rm *" fits it.')],
    });
    expect(place.querySelector('pre')?.textContent).toBe('ls⟦zero-width space⟧⟦40 tabs⟧; rm x');
    const items = [...place.querySelectorAll('ol[aria-label="Parts of the command"] > li')];
    expect([
      place.textContent?.includes('Its 2 parts, each judged on its own'),
      items.map((item) => [item.textContent, item.querySelector('svg') !== null]),
    ]).toEqual([
      true,
      [
        ['ls⟦zero-width space⟧ asksIt hides something. (invisible-text)', true],
        ['rm x deniesThe deny rule "rm *" fits it. (rm *)', true],
      ],
    ]);
  });

  it('gives the focus back to where it was', () => {
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    show();
    expect(document.activeElement).toBe(button('Deny'));
    act(() => root.render(null));
    expect(document.activeElement).toBe(field);
    field.remove();
  });
});
