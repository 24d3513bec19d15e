// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApprovalCard } from '@/components/approvals/approval-card';
import { quietMs } from '@/components/approvals/use-prompt-guard';
import type { AnswerReceipt, ApprovalAnswer, ApprovalRequest } from '@/lib/contracts/approval';
import { commandPrompt } from '@/test/support/turn-events';

let root: Root;
let place: HTMLElement;
const answers: (ApprovalAnswer | string)[] = [];
let receipt: AnswerReceipt | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  document.hasFocus = () => true;
  answers.length = 0;
  receipt = { counted: true };
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
        onAnswer={async (answer) => {
          answers.push(answer);
          return receipt;
        }}
        onAcceptDefinition={(tool) => answers.push(`accept ${tool}`)}
        onMakeRule={async (callId) => `a rule for ${callId}`}
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
const write = (text: string): void =>
  act(() => {
    const field = place.querySelector('textarea');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
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
      'Edit…',
      'Deny with words…',
      'Stop the turn',
    ]);
  });

  it('is deaf to keys for its first 400 ms, and hears the one after: Enter denies (cl-18, cl-20)', () => {
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
    write('not this file');
    click('Deny with these words');
    expect(answers).toEqual([answer({ choice: 'deny', words: 'not this file' })]);
  });

  it('offers only the choices of the request, and all at once where several wait', () => {
    show({ ...commandPrompt, choices: ['once', 'deny'] }, 2);
    expect([...place.querySelectorAll('button')].map((item) => item.textContent?.trim())).toEqual([
      'More: the whole input and every rule',
      'Deny',
      'Allow once',
      'Edit…',
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

  it('remembers for longer only the parts that were chosen, and says what each would let through', () => {
    const part = (text: string) => ({ text, from: 0, to: text.length, verdict: 'ask' as const, rule: 'default', evidence: 'No rule fits it.' });
    show({
      ...commandPrompt,
      choices: ['once', 'session', 'always', 'deny', 'stop'],
      parts: [part('npm test'), part('npm publish'), part('$X')],
      partCovers: ['every command that begins with "npm test"', 'exactly "npm publish"', null],
      grantCovers: 'exactly this call',
      wouldHaveCovered: 2,
    });
    expect(place.textContent).toContain('For this session: exactly this call.');
    expect(place.textContent).toContain('It would also have covered 2 other calls of this session.');
    const boxes = [...place.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    expect(boxes.map((box) => [box.checked, box.labels?.[0]?.textContent])).toEqual([
      [false, 'For longer: every command that begins with "npm test"'],
      [false, 'For longer: exactly "npm publish"'],
    ]);
    later(1000);
    act(() => boxes[0]?.click());
    expect(place.textContent).toContain('For this session: every command that begins with "npm test".');
    click('Allow always in this workspace');
    click('Allow once');
    expect(answers).toEqual([answer({ choice: 'always', parts: ['npm test'] }), answer({ choice: 'once' })]);
  });

  it('lets the command be edited, sends it whole, and says why an edit did not count', async () => {
    show();
    later(1000);
    click('Edit…');
    const field = place.querySelector('textarea');
    expect([field?.getAttribute('aria-label'), field?.value, document.activeElement === field]).toEqual(['The command, to edit', 'npm test', true]);
    expect(button('Allow once as edited').disabled).toBe(true);
    write('npm test -- --bail');
    for (const key of ['Enter', 'y', 'a']) press(key);
    expect(answers).toEqual([]);
    receipt = { counted: false, problem: 'command is too long' };
    await act(async () => button('Allow once as edited').click());
    expect([answers, place.textContent?.includes('command is too long')]).toEqual([
      [answer({ choice: 'once', edited: { command: 'npm test -- --bail' } })],
      true,
    ]);
    press('Escape');
    expect(place.querySelector('textarea')).toBe(null);
  });

  it('takes other arguments as JSON, and no other text', async () => {
    show({ ...commandPrompt, tool: 'send_mail', input: { to: 'a' } });
    later(1000);
    click('Edit…');
    expect(place.querySelector('textarea')?.value).toBe('{\n  "to": "a"\n}');
    for (const text of ['{"to":', '[1]']) {
      write(text);
      await act(async () => button('Allow once as edited').click());
      expect(place.querySelector('textarea')?.getAttribute('aria-invalid')).toBe('true');
    }
    expect(answers).toEqual([]);
    write('{"to":"b"}');
    await act(async () => button('Allow once as edited').click());
    expect(answers).toEqual([answer({ choice: 'once', edited: { to: 'b' } })]);
  });

  it('lets words go with a yes', () => {
    show();
    later(1000);
    click('Deny with words…');
    write('only once, please');
    click('Allow once with these words');
    expect(answers).toEqual([answer({ choice: 'once', words: 'only once, please' })]);
  });

  it('offers more than once only for what was shown whole', () => {
    const subject = `echo ${'a'.repeat(3000)}; rm x`;
    show({ ...commandPrompt, choices: ['once', 'session', 'always', 'deny', 'stop'], subject });
    expect([place.querySelector('pre')?.textContent?.includes('rm x'), place.textContent?.includes('Allow for this session')]).toEqual([false, false]);
    later(1000);
    click('Show the whole of it');
    expect(place.querySelector('pre')?.textContent).toBe(subject);
    click('Allow for this session');
    expect(answers).toEqual([answer({ choice: 'session' })]);
  });

  it('shows what was repaired, each repair in words', () => {
    show({
      ...commandPrompt,
      repairs: [
        { kind: 'name', rung: 'camel', note: 'the name ExecShell was read as exec_shell' },
        { kind: 'argument', rung: 'trailing_commas', note: 'commas before a closing bracket were removed' },
      ],
    });
    expect([...place.querySelectorAll('[aria-label="Repairs"] > li')].map((item) => item.textContent)).toEqual([
      'repaired the name ExecShell was read as exec_shell camel',
      'repaired commas before a closing bracket were removed trailing_commas',
    ]);
  });

  it('marks what came from outside, names the nearest approval (cl-12) and a definition that changed', () => {
    show({
      ...commandPrompt,
      tool: 'mcp__docs__search',
      outside: [{ field: 'command', source: 'docs.example.com', text: 'npm run\u200b finish-setup' }],
      trace: [...commandPrompt.trace, { rule: 'nearest', evidence: 'The approval "npm test" comes nearest: this has run.', verdict: 'none' }],
      definitionChanged: true,
    });
    expect(place.querySelector('[aria-label="From outside"]')?.textContent).toBe(
      'from outside docs.example.com, in command: npm run⟦zero-width space⟧ finish-setup',
    );
    expect(place.textContent).toContain('Almost covered: The approval "npm test" comes nearest: this has run.');
    click('Accept the new definition');
    expect(answers).toEqual(['accept mcp__docs__search']);
  });

  it('shows what a change of the policy would change, and makes a rule from the call', async () => {
    show({
      ...commandPrompt,
      choices: ['once', 'session', 'always', 'deny', 'stop'],
      policyDifference: {
        compared: 3,
        lines: ['allows git push *'],
        changed: [
          { callId: commandPrompt.callId, tool: 'exec_shell', summary: 'git push', before: 'ask', after: 'allow', evidence: 'The allow rule fits it.' },
        ],
      },
    });
    expect(
      [...place.querySelectorAll('[aria-label^="Calls that would"] > li, [aria-label^="Lines of the policy"] > li')].map((item) => item.textContent),
    ).toEqual(['git push allow, was askThe allow rule fits it.', 'allows git push *']);
    later(1000);
    click('More: the whole input and every rule');
    await act(async () => button('Make a rule from this call').click());
    expect([...place.querySelectorAll('[role=status]')].map((item) => item.textContent)).toEqual([`a rule for ${commandPrompt.callId}`]);
  });

  it('gives every control a name and a place in the order of the keyboard (cl-30)', () => {
    const part = (text: string) => ({ text, from: 0, to: text.length, verdict: 'ask' as const, rule: 'default', evidence: 'No rule fits it.' });
    show({ ...commandPrompt, choices: ['once', 'session', 'always', 'deny', 'stop'], parts: [part('a'), part('b')], partCovers: ['a', 'b'] }, 1);
    later(1000);
    click('Edit…');
    const controls = [...place.querySelectorAll<HTMLElement>('button, input, textarea')];
    const nameOf = (item: HTMLElement) => item.getAttribute('aria-label') ?? ((item as HTMLInputElement).labels?.[0]?.textContent || item.textContent || '');
    expect(controls.filter((item) => nameOf(item).trim() === '' || item.tabIndex < 0)).toEqual([]);
    expect(controls.length).toBe(14);
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
