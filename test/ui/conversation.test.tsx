// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Conversation } from '@/components/session/conversation';
import { createEngineClient, type EngineClient } from '@/lib/client/engine-client';
import { EngineProvider } from '@/lib/client/use-engine';
import { eventList } from '@/test/support/event-list';
import { scriptedHost, snapshot } from '@/test/support/scripted-host';
import { readsThenCommand } from '@/test/support/turn-events';

const task = { taskId: 'fix-the-test', title: 'Fix the failing test', description: 'One test fails.', prompt: 'Fix it' };
const events = eventList(readsThenCommand);
let root: Root;
let place: HTMLElement;
let client: EngineClient;

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  client.dispose();
});

async function show(host: ReturnType<typeof scriptedHost>): Promise<void> {
  client = createEngineClient({ connect: async () => host.host, schedule: (run) => run(), lastSession: { get: () => undefined, set: () => undefined } });
  await act(() => client.start());
  act(() =>
    root.render(
      <EngineProvider value={client}>
        <Conversation />
      </EngineProvider>,
    ),
  );
}
const named = (selector: string, name: string): HTMLElement => {
  const found = [...place.querySelectorAll<HTMLElement>(selector)].find((item) =>
    (item.getAttribute('aria-label') ?? item.textContent ?? '').trim().startsWith(name),
  );
  if (!found) throw new Error(`no ${selector} named ${name}`);
  return found;
};
const click = (item: HTMLElement): Promise<void> =>
  act(async () => void item.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 })));

describe('the conversation', () => {
  it('offers the practice task while it is empty, and one button starts it with its own words', async () => {
    const host = scriptedHost(
      { 'session-create': () => ({ ...snapshot('session-1'), record: { ...snapshot('session-1').record, taskId: 'fix-the-test' } }) },
      { tasks: [task] },
    );
    await show(host);
    expect(named('section', 'Practice task: Fix the failing test').textContent).toContain('scripted, no AI');
    await click(named('button', 'Start this task'));
    expect(host.commands.filter((command) => command.type === 'turn-send')).toEqual([{ type: 'turn-send', sessionId: 'session-1', text: 'Fix it' }]);
    expect(host.commands.filter((command) => command.type === 'session-create')).toHaveLength(1);
  });

  it('shows a turn: words, a chip, the batch with its overlap, calls with state and time, how it ended', async () => {
    await show(scriptedHost({ 'session-create': () => snapshot('session-1', events) }));
    const list = named('ol', 'Conversation');
    expect(list.textContent).toContain('I read');
    expect(list.textContent).not.toContain('rm -rf');
    const batch = named('section', 'Batch 1, concurrent, 2 reads');
    expect(batch.querySelector('h3')?.textContent).toBe('Batch 1· concurrent · 2 reads· 62 ms');
    expect([...batch.querySelectorAll('ul li')].map((bar) => bar.getAttribute('title'))).toEqual([
      'read_file read_file of call-1: 0 to 50 ms',
      'read_file read_file of call-2: 31 to 61 ms',
    ]);
    expect(named('button', 'exec_shell').textContent).toBe('exec_shellnpm testdone900 ms');
    expect(list.textContent).toContain('ran early');
    expect(list.textContent).toContain('cut to 30 KB');
    expect(list.textContent).toContain('The model is done');
  });

  it('opens a chip to the removed text as plain text, and a call to its input, output, changes and rules', async () => {
    await show(scriptedHost({ 'session-create': () => snapshot('session-1', events) }));
    await click(named('button', 'a call written as text was removed'));
    expect(named('pre', 'Removed text').textContent).toBe('[TOOL_CALL]rm -rf[/TOOL_CALL]');
    await click(named('button', 'exec_shell'));
    expect(named('pre', 'Output of exec_shell').textContent).toBe('ok 1\nok 2\n');
    expect(named('pre', 'Input of exec_shell').textContent).toBe('{\n  "command": "npm test"\n}');
    expect(named('[role=group]', 'Changes in out.txt').textContent).toContain('x');
  });

  it('shows the prompt above the composer, announces it once, and sends the answer', async () => {
    const asked = events.slice(0, events.findIndex((event) => event.type === 'approval-start') + 1);
    const host = scriptedHost({ 'session-create': () => snapshot('session-1', asked, { running: true }) });
    await show(host);
    expect(place.querySelector('[aria-live=assertive]')?.textContent).toBe('Approval needed. Run a command in the shell: npm test');
    await click(named('button', 'Allow once'));
    expect(host.commands.at(-1)).toEqual({ type: 'approval-answer', sessionId: 'session-1', answer: { approvalId: 'approval-1', choice: 'once' } });
    await act(async () => host.emit(events.slice(asked.length)));
    expect(place.querySelector('section[aria-label^="Approval"]')).toBe(null);
    expect(place.querySelector('[aria-live=assertive]')?.textContent).toBe('');
  });

  it('offers Stop while a turn runs and Send when it rests', async () => {
    const host = scriptedHost({ 'session-create': () => snapshot('session-1', events.slice(0, 6), { running: true }) });
    await show(host);
    await click(named('button', 'Stop'));
    expect(host.commands.at(-1)).toEqual({ type: 'turn-stop', sessionId: 'session-1' });
    await act(async () => host.emit(events.slice(6)));
    expect(named('button', 'Send').hasAttribute('disabled')).toBe(true);
  });

  it('sends with Enter, begins a line with Shift+Enter, and gives back words that were not sent', async () => {
    let refuse = true;
    const host = scriptedHost({ 'session-create': () => snapshot('session-1'), 'turn-send': () => (refuse ? { refused: 'Not now.' } : {}) });
    await show(host);
    const field = named('textarea', 'Message') as HTMLTextAreaElement;
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'hello');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const enter = (shiftKey: boolean) =>
      act(async () => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey, bubbles: true, cancelable: true })));
    await enter(true);
    expect(host.commands.some((command) => command.type === 'turn-send')).toBe(false);
    await enter(false);
    expect([field.value, place.querySelector('[role=alert]')?.textContent]).toEqual(['hello', 'Not now.']);
    refuse = false;
    await enter(false);
    expect([field.value, host.commands.filter((command) => command.type === 'turn-send').length]).toEqual(['', 2]);
  });
});
