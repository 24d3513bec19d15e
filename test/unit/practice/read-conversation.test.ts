import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Message } from '@/lib/contracts/message';
import { readConversation } from '@/lib/practice/read-conversation';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { requestOf } from '@/test/support/practice-world';

const call = (id: string, name: string) => ({ callId: id as CallId, wireId: `wire-${id}`, name });
const history: readonly Message[] = [
  { role: 'user', text: 'Fix it.' },
  {
    role: 'assistant',
    blocks: [
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'Reading.' },
      { kind: 'call', ...call('a', 'read_file'), input: { path: 'a.ts' } },
      { kind: 'call', ...call('b', 'edit_file'), input: { path: 'a.ts' } },
      { kind: 'call', ...call('c', 'exec_shell'), input: { command: 'npm test' } },
      { kind: 'call', ...call('d', 'exec_shell'), input: { command: 'npm run x' } },
      { kind: 'call', ...call('e', 'edit_file'), input: {} },
    ],
  },
  {
    role: 'tool',
    results: [
      { ...call('a', 'read_file'), content: 'a.ts, lines 1-1 of 1 (9 bytes)\n1\tDenied by the person: no', isError: false },
      {
        ...call('b', 'edit_file'),
        content:
          'Denied by the person: edit_file was not executed. They said: ask first. Thanks! Only this call is denied, not the tool. Do not send the same call again; go on another way, or ask.',
        isError: true,
      },
      { ...call('c', 'exec_shell'), content: 'not ok 1\n[exit code 1]\n\n[exec_shell failed 3 times in a row. Look at the errors.]', isError: true },
      { ...call('d', 'exec_shell'), content: 'Cancelled (the turn was stopped): it was not started', isError: true },
      { ...call('e', 'edit_file'), content: 'edit_file was not executed: a.ts changed since it was read.', isError: true },
    ],
  },
  { role: 'assistant', blocks: [{ kind: 'text', text: 'You said no.' }] },
  { role: 'user', text: 'continue' },
];

describe.each([anthropic, openaiChat])('a request of $id', (provider) => {
  const read = (messages: readonly Message[], tools?: readonly string[]) =>
    readConversation(
      provider.id,
      JSON.parse(provider.encode({ provider: provider.id, baseUrl: 'https://x.invalid', apiKey: '', model: 'm' }, requestOf(messages, tools)).body),
    );

  it('reads as turns, steps and calls with what became of them', () => {
    expect(read(history, ['read_file', 'edit_file'])).toEqual({
      model: 'practice',
      toolNames: new Set(['read_file', 'edit_file']),
      turns: [
        {
          userText: 'Fix it.',
          steps: [
            {
              text: 'Reading.',
              calls: [
                { wireId: 'wire-a', name: 'read_file', input: { path: 'a.ts' }, result: { status: 'ok', text: expect.stringContaining('1\tDenied') } },
                {
                  wireId: 'wire-b',
                  name: 'edit_file',
                  input: { path: 'a.ts' },
                  result: { status: 'denied', words: 'ask first. Thanks!', text: expect.stringContaining('Denied by') },
                },
                { wireId: 'wire-c', name: 'exec_shell', input: { command: 'npm test' }, result: { status: 'failed', text: expect.stringContaining('not ok') } },
                {
                  wireId: 'wire-d',
                  name: 'exec_shell',
                  input: { command: 'npm run x' },
                  result: { status: 'cancelled', text: expect.stringContaining('Cancelled') },
                },
                { wireId: 'wire-e', name: 'edit_file', input: {}, result: { status: 'refused', text: expect.stringContaining('changed since') } },
              ],
            },
            { text: 'You said no.', calls: [] },
          ],
        },
        { userText: 'continue', steps: [] },
      ],
    });
  });

  it('reads a turn that was stopped right after its results', () => {
    const { turns } = read([...history.slice(0, 3), { role: 'user', text: 'go on' }]);
    expect(turns.map((turn) => [turn.userText, turn.steps.length])).toEqual([
      ['Fix it.', 1],
      ['go on', 0],
    ]);
  });

  it('names the field of a body that it cannot read', () => {
    expect(() => readConversation(provider.id, { model: 'm', stream: true, messages: 'x' })).toThrow(
      expect.objectContaining({ code: 'bad-request', message: expect.stringMatching(/^messages: /) }),
    );
    expect(() => readConversation(provider.id, null)).toThrow(expect.objectContaining({ code: 'bad-request' }));
  });
});
