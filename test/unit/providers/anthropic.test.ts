import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest, SseEvent } from '@/lib/contracts/model';
import type { Connection } from '@/lib/contracts/provider';
import { anthropic } from '@/lib/providers/anthropic';

const connection: Connection = { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', apiKey: 'sk-ant-secret', model: 'm' };
const request = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  system: '',
  messages,
  tools: [],
  maxOutputTokens: 100,
  ...more,
});
const messagesOf = (messages: readonly Message[]): unknown =>
  (JSON.parse(anthropic.encode(connection, request(messages)).body) as { messages: unknown }).messages;
const callId = (id: string): CallId => id as CallId;

function decode(data: readonly unknown[], closedCleanly = true): readonly ModelEvent[] {
  const decoder = anthropic.createDecoder(new Set());
  return [...data.flatMap((each) => decoder.push({ data: JSON.stringify(each) })), ...decoder.end(closedCleanly)];
}

describe('the anthropic wire, sending', () => {
  it('makes one request with the headers that a page needs', () => {
    const tool = { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: {} } };
    expect(anthropic.encode(connection, request([{ role: 'user', text: 'hi' }], { system: 'Be brief.', tools: [tool] }))).toEqual({
      url: 'https://api.anthropic.com/v1/messages',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
        'x-api-key': 'sk-ant-secret',
      },
      body: JSON.stringify({
        model: 'm',
        max_tokens: 100,
        stream: true,
        system: 'Be brief.',
        tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      }),
    });
  });

  it('takes an address with or without its usual ending', () => {
    const urlFor = (baseUrl: string): string => anthropic.encode({ ...connection, baseUrl }, request([])).url;
    expect(['http://a:1', 'http://a:1/', 'http://a:1/v1', 'http://a:1/v1/messages', 'http://a:1/x/v1/'].map(urlFor)).toEqual([
      'http://a:1/v1/messages',
      'http://a:1/v1/messages',
      'http://a:1/v1/messages',
      'http://a:1/v1/messages',
      'http://a:1/x/v1/messages',
    ]);
  });

  it('sends no key header without a key', () => {
    expect(anthropic.encode({ ...connection, apiKey: '' }, request([])).headers).not.toHaveProperty('x-api-key');
  });

  it('puts results first in the message of the user that follows them', () => {
    const call = { callId: callId('c1'), wireId: 'toolu_1', name: 'grep' };
    expect(
      messagesOf([
        { role: 'user', text: 'go' },
        {
          role: 'assistant',
          blocks: [
            { kind: 'text', text: 'look' },
            { kind: 'call', ...call, input: { a: 1 } },
          ],
        },
        { role: 'tool', results: [{ ...call, content: 'boom', isError: true }] },
        { role: 'user', text: 'and?' },
      ]),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'look' },
          { type: 'tool_use', id: 'toolu_1', name: 'grep', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'boom', is_error: true },
          { type: 'text', text: 'and?' },
        ],
      },
    ]);
  });

  it('sends its own thinking back, with the signature, and no other wire’s', () => {
    const thinking = decode([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'SIG' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'DATA' } },
      { type: 'content_block_stop', index: 1 },
    ]).flatMap((event) => (event.type === 'reasoning-end' ? [event.signature] : []));
    expect(
      messagesOf([
        {
          role: 'assistant',
          blocks: [
            { kind: 'reasoning', text: 'foreign', signature: 'openai-chat:reasoning' },
            { kind: 'reasoning', text: 'unsigned' },
            { kind: 'reasoning', text: 'hm', signature: thinking[0] },
            { kind: 'reasoning', text: '', signature: thinking[1] },
            { kind: 'text', text: 'so' },
          ],
        },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'SIG' },
          { type: 'redacted_thinking', data: 'DATA' },
          { type: 'text', text: 'so' },
        ],
      },
    ]);
  });

  it('leaves out what the API refuses: blank texts, thinking at the end, messages without content', () => {
    expect(
      messagesOf([
        { role: 'user', text: ' ' },
        {
          role: 'assistant',
          blocks: [
            { kind: 'text', text: '\n' },
            { kind: 'reasoning', text: 'hm', signature: 'anthropic:signature:S' },
          ],
        },
        { role: 'user', text: 'b' },
      ]),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '(empty message)' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });
});

describe('the anthropic wire, receiving', () => {
  const start = (index: number, more: object) => ({ type: 'content_block_start', index, content_block: more });
  const args = (index: number, text: string) => ({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text } });

  it('does not take the provider’s own tools for calls', () => {
    expect(
      decode([
        start(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
        args(0, '{"query":"x"}'),
        { type: 'content_block_stop', index: 0 },
        start(1, { type: 'web_search_tool_result', content: [] }),
        start(2, { type: 'mcp_tool_use', id: 'm', name: 'echo', input: { a: 1 } }),
        start(3, { type: 'something_new' }),
        { type: 'a_new_event' },
      ]),
    ).toEqual([]);
  });

  it('counts cached tokens as input', () => {
    expect(
      decode([
        { type: 'message_start', message: { usage: { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 20, output_tokens: 1 } } },
      ]),
    ).toEqual([{ type: 'usage', usage: { inputTokens: 33, outputTokens: 1, cachedInputTokens: 20 } }]);
  });

  it('maps each stop reason', () => {
    const stopOf = (raw: string): unknown => decode([{ type: 'message_delta', delta: { stop_reason: raw } }])[0];
    expect(['end_turn', 'stop_sequence', 'pause_turn', 'tool_use', 'max_tokens', 'model_context_window_exceeded', 'refusal'].map(stopOf)).toEqual([
      { type: 'stop', reason: 'end', raw: 'end_turn' },
      { type: 'stop', reason: 'end', raw: 'stop_sequence' },
      { type: 'stop', reason: 'end', raw: 'pause_turn' },
      { type: 'stop', reason: 'calls', raw: 'tool_use' },
      { type: 'stop', reason: 'length', raw: 'max_tokens' },
      { type: 'stop', reason: 'length', raw: 'model_context_window_exceeded' },
      { type: 'stop', reason: 'refusal', raw: 'refusal' },
    ]);
  });

  it('ends an open call at a clean end and leaves it open at a broken one', () => {
    const data = [start(0, { type: 'tool_use', id: 't', name: 'grep', input: {} }), args(0, '{"a":1}')];
    const begun = [
      { type: 'call-start', key: 'block-0', wireId: 't', name: 'grep' },
      { type: 'call-args', key: 'block-0', text: '{"a":1}' },
    ];
    expect(decode(data)).toEqual([...begun, { type: 'call-end', key: 'block-0' }]);
    expect(decode(data, false)).toEqual(begun);
  });

  it('marks arguments as damaged by their own bad bytes, not by a replacement character that was sent', () => {
    const decoder = anthropic.createDecoder(new Set());
    const push = (data: unknown, damaged: boolean): readonly ModelEvent[] => decoder.push({ data: JSON.stringify(data), damaged } as SseEvent);
    push(start(0, { type: 'tool_use', id: 't', name: 'grep', input: {} }), false);
    expect(push(args(0, 'a\uFFFD'), false)).toEqual([{ type: 'call-args', key: 'block-0', text: 'a\uFFFD' }]);
    expect(push(args(0, 'b\uFFFD'), true)).toEqual([{ type: 'call-args', key: 'block-0', text: 'b\uFFFD', damaged: true }]);
  });

  it('lets no open call run when an event could not be read, since it may have been a fragment', () => {
    const decoder = anthropic.createDecoder(new Set());
    decoder.push({ data: JSON.stringify(start(0, { type: 'tool_use', id: 't', name: 'grep', input: {} })) });
    expect(decoder.push({ data: '{"type":"content_block_del' })).toEqual([
      { type: 'warning', code: 'event-unreadable' },
      { type: 'call-args', key: 'block-0', text: '', damaged: true },
    ]);
  });

  it('reports an error inside the stream and whether it passes', () => {
    const errorOf = (type: string): unknown => decode([{ type: 'error', error: { type, message: 'Overloaded' } }])[0];
    expect([errorOf('overloaded_error'), errorOf('invalid_request_error')]).toEqual([
      { type: 'provider-error', message: 'Overloaded', retryable: true },
      { type: 'provider-error', message: 'Overloaded', retryable: false },
    ]);
  });

  it('finds the sentence in an error body', () => {
    expect([
      anthropic.errorMessage('{"type":"error","error":{"type":"x","message":" No credit. "}}'),
      anthropic.errorMessage('<html>'),
      anthropic.errorMessage('{}'),
    ]).toEqual(['No credit.', undefined, undefined]);
  });
});
