import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest } from '@/lib/contracts/model';
import type { Connection } from '@/lib/contracts/provider';
import { openaiResponses } from '@/lib/providers/openai-responses';

const connection: Connection = { provider: 'openai-responses', baseUrl: 'http://localhost:1234/v1', apiKey: '', model: 'm' };
const request = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  system: '',
  messages,
  tools: [],
  maxOutputTokens: 100,
  ...more,
});
const call = (id: string, wireId: string, name = 'grep') => ({ callId: id as CallId, wireId, name });

function decode(data: readonly unknown[], closedCleanly = true): readonly ModelEvent[] {
  const decoder = openaiResponses.createDecoder(new Set());
  return [...data.flatMap((each) => decoder.push({ data: JSON.stringify(each) })), ...decoder.end(closedCleanly)];
}
const added = (item: unknown, at = 0) => ({ type: 'response.output_item.added', output_index: at, item });
const done = (item: unknown, at = 0) => ({ type: 'response.output_item.done', output_index: at, item });
const fn = (args: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'function_call',
  id: 'fc',
  call_id: 'c',
  name: 'grep',
  arguments: args,
  ...more,
});
const completed = { type: 'response.completed', response: { status: 'completed' } };

describe('the openai-responses wire, sending', () => {
  it('makes one request that keeps nothing at the provider, with a key only when there is one', () => {
    const tool = { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: {} } };
    const made = openaiResponses.encode(connection, request([{ role: 'user', text: 'hi' }], { system: 'Be brief.', tools: [tool] }));
    expect({ ...made, body: JSON.parse(made.body) }).toEqual({
      url: 'http://localhost:1234/v1/responses',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: {
        model: 'm',
        instructions: 'Be brief.',
        input: [{ role: 'user', content: 'hi' }],
        tools: [{ type: 'function', name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} }, strict: false }],
        max_output_tokens: 100,
        stream: true,
        store: false,
      },
    });
    const keyed = openaiResponses.encode({ ...connection, baseUrl: 'https://x/v1/responses/', apiKey: 'k' }, request([]));
    expect([keyed.url, keyed.headers.authorization]).toEqual(['https://x/v1/responses', 'Bearer k']);
  });

  it('asks only thinking models for their sealed thoughts', () => {
    const asks = (model: string): boolean => openaiResponses.encode(connection, request([], { model })).body.includes('encrypted_content');
    expect(['o3', 'o4-mini', 'gpt-5.1-codex', 'gpt-4.1', 'gpt-5-chat-latest', 'qwen3'].map(asks)).toEqual([true, true, true, false, false, false]);
  });

  it('gives every call its result, and its own thoughts back where something follows them', () => {
    const sealed = 'openai-responses:{"id":"rs","encrypted_content":"E"}';
    const messages: readonly Message[] = [
      { role: 'user', text: 'go' },
      {
        role: 'assistant',
        blocks: [
          { kind: 'reasoning', text: 'hm', signature: sealed },
          { kind: 'reasoning', text: 'foreign', signature: 'anthropic:signature:S' },
          { kind: 'text', text: 'Look.' },
          { kind: 'call', ...call('c1', 'functions.grep:0', '$grep'), input: { a: 1 } },
          { kind: 'call', ...call('c2', 'x'), input: {} },
          { kind: 'reasoning', text: 'last', signature: sealed },
        ],
      },
      { role: 'tool', results: [{ ...call('c2', 'x'), content: 'two', isError: false }] },
    ];
    expect(JSON.parse(openaiResponses.encode(connection, request(messages)).body).input).toEqual([
      { role: 'user', content: 'go' },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' },
      { role: 'assistant', content: 'Look.' },
      { type: 'function_call', call_id: 'functions_grep_0', name: '_grep', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'x', name: 'grep', arguments: '{}' },
      { type: 'function_call_output', call_id: 'functions_grep_0', output: 'Cancelled (no result was recorded)' },
      { type: 'function_call_output', call_id: 'x', output: 'two' },
    ]);
  });
});

describe('the openai-responses wire, receiving', () => {
  it('reads thoughts, text and a call whose arguments come in pieces', () => {
    expect(
      decode([
        { type: 'response.created', response: {} },
        added({ type: 'reasoning', id: 'rs', summary: [] }),
        { type: 'response.reasoning_summary_text.delta', item_id: 'rs', summary_index: 0, delta: 'one' },
        { type: 'response.reasoning_summary_text.delta', item_id: 'rs', summary_index: 1, delta: 'two' },
        done({ type: 'reasoning', id: 'rs', encrypted_content: 'E', summary: [{ type: 'summary_text', text: 'one' }] }),
        { type: 'response.output_text.delta', item_id: 'msg', content_index: 0, delta: 'Look.' },
        { type: 'response.output_text.done', item_id: 'msg', content_index: 0, text: 'Look.' },
        done({ type: 'message', id: 'msg', content: [{ type: 'output_text', text: 'Look.' }] }, 1),
        added(fn(''), 2),
        { type: 'response.function_call_arguments.delta', item_id: 'fc', delta: '{"a":' },
        { type: 'response.function_call_arguments.delta', item_id: 'fc', delta: '1}' },
        { type: 'response.function_call_arguments.done', item_id: 'fc', arguments: '{"a":1}' },
        done(fn('{"a":1}'), 2),
        {
          type: 'response.completed',
          response: { status: 'completed', usage: { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } } },
        },
      ]),
    ).toEqual([
      { type: 'reasoning-delta', text: 'one' },
      { type: 'reasoning-delta', text: '\n\ntwo' },
      { type: 'reasoning-end', signature: 'openai-responses:{"id":"rs","encrypted_content":"E"}' },
      { type: 'text-start' },
      { type: 'text-delta', text: 'Look.' },
      { type: 'text-end' },
      { type: 'call-start', key: 'call-0', wireId: 'c', name: 'grep' },
      { type: 'call-args', key: 'call-0', text: '{"a":' },
      { type: 'call-args', key: 'call-0', text: '1}' },
      { type: 'call-end', key: 'call-0' },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 2, cachedInputTokens: 4 } },
      { type: 'stop', reason: 'calls', raw: 'completed' },
    ]);
  });

  it('takes from a closing event what no delta told, and only that', () => {
    expect(decode([done({ type: 'message', id: 'm', content: [{ type: 'output_text', text: 'All.' }] }), done(fn('{}'), 1), completed])).toEqual([
      { type: 'text-start' },
      { type: 'text-delta', text: 'All.' },
      { type: 'text-end' },
      { type: 'call-start', key: 'call-0', wireId: 'c', name: 'grep' },
      { type: 'call-args', key: 'call-0', text: '{}' },
      { type: 'call-end', key: 'call-0' },
      { type: 'stop', reason: 'calls', raw: 'completed' },
    ]);
  });

  it('makes no call of what the provider runs itself, and ignores what it does not know', () => {
    const own = ['mcp_call', 'shell_call', 'web_search_call', 'code_interpreter_call', 'tool_search_call', 'something_new'];
    expect(decode([...own.flatMap((type) => [added({ ...fn('{}'), type }), done({ ...fn('{}'), type })]), { type: 'response.new_thing' }, completed])).toEqual([
      { type: 'stop', reason: 'end', raw: 'completed' },
    ]);
  });

  it('tells the output limit from every other reason to be incomplete', () => {
    const stopOf = (reason: string) =>
      decode([{ type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason } } }]).find((event) => event.type === 'stop');
    expect([stopOf('max_output_tokens'), stopOf('content_filter')]).toEqual([
      { type: 'stop', reason: 'length', raw: 'max_output_tokens' },
      { type: 'stop', reason: 'end', raw: 'content_filter' },
    ]);
  });

  it('says which ids were missing or empty', () => {
    const codes = (item: unknown) => decode([added(item)]).flatMap((event) => (event.type === 'warning' ? [event.code] : []));
    expect([codes(fn('', { call_id: undefined })), codes(fn('', { call_id: '' })), codes(fn(''))]).toEqual([['id-missing'], ['id-empty'], []]);
  });

  it('leaves a call open when the stream breaks inside it', () => {
    const begun = [added(fn('')), { type: 'response.function_call_arguments.delta', item_id: 'fc', delta: '{"a' }];
    expect([decode(begun, false).at(-1), decode(begun).at(-1)]).toEqual([
      { type: 'call-args', key: 'call-0', text: '{"a' },
      { type: 'call-end', key: 'call-0' },
    ]);
  });

  it('reports a failure in every known shape', () => {
    expect([
      decode([{ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down' }])[0],
      decode([{ type: 'error', error: { type: 'invalid_request_error', message: 'Bad' } }])[0],
      decode([{ type: 'response.failed', response: { error: { code: 'server_error', message: 'Broken' } } }])[0],
    ]).toEqual([
      { type: 'provider-error', message: 'Slow down', retryable: true },
      { type: 'provider-error', message: 'Bad', retryable: false },
      { type: 'provider-error', message: 'Broken', retryable: true },
    ]);
  });

  it('lets no open call run when an event could not be read', () => {
    const decoder = openaiResponses.createDecoder(new Set());
    decoder.push({ data: JSON.stringify(added(fn(''))) });
    expect(decoder.push({ data: '{"type":"response.function_call_arguments.delta","del' })).toEqual([
      { type: 'warning', code: 'event-unreadable' },
      { type: 'call-args', key: 'call-0', text: '', damaged: true },
    ]);
  });

  it('knows an item by its place where an event names none', () => {
    const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a":1}' };
    const text = (more: object) => ({ type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'hi', ...more });
    const message = { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'hi' }] };
    const events = [
      { type: 'call-start', key: 'call-0', wireId: 'c', name: 'grep' },
      { type: 'call-args', key: 'call-0', text: '{"a":1}' },
      { type: 'call-end', key: 'call-0' },
      { type: 'text-start' },
      { type: 'text-delta', text: 'hi' },
      { type: 'text-end' },
    ];
    expect(decode([added(fn('')), delta, done(fn('{"a":1}')), text({}), done(message, 1)])).toEqual(events);
    expect(decode([added(fn('', { id: '' })), delta, done(fn('{"a":1}')), text({ item_id: 'm' }), done(message, 1)])).toEqual(events);
  });

  it('ends a call once, also under another item id, and keeps two calls of one id apart', () => {
    const starts = (data: readonly unknown[]) => decode(data).filter(({ type }) => type === 'call-start' || type === 'call-end');
    const once = ['call-start', 'call-end'];
    expect(starts([added(fn('')), done(fn('{}')), done(fn('{}'))]).map(({ type }) => type)).toEqual(once);
    expect(starts([added(fn('')), done(fn('{}', { id: 'other' }))]).map(({ type }) => type)).toEqual(once);
    expect(starts([done(fn('{}')), done(fn('{}', { call_id: 'd' }), 1)]).map(({ type }) => type)).toEqual([...once, ...once]);
  });
});
