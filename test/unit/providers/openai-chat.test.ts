import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest } from '@/lib/contracts/model';
import type { Connection } from '@/lib/contracts/provider';
import { openaiChat } from '@/lib/providers/openai-chat';

const connection: Connection = { provider: 'openai-chat', baseUrl: 'http://localhost:11434/v1', apiKey: '', model: 'm' };
const request = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  system: '',
  messages,
  tools: [],
  maxOutputTokens: 100,
  ...more,
});
const bodyOf = (messages: readonly Message[]): { messages: readonly unknown[] } => JSON.parse(openaiChat.encode(connection, request(messages)).body) as never;
const call = (id: string, wireId: string, name = 'grep') => ({ callId: id as CallId, wireId, name });

function decode(data: readonly unknown[], registered: readonly string[] = [], closedCleanly = true): readonly ModelEvent[] {
  const decoder = openaiChat.createDecoder(new Set(registered));
  return [...data.flatMap((each) => decoder.push({ data: JSON.stringify(each) })), ...decoder.end(closedCleanly)];
}
const chunk = (delta: unknown, finish: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
const calls = (...deltas: readonly unknown[]) => chunk({ tool_calls: deltas });

describe('the openai-chat wire, sending', () => {
  it('makes one request, with a key only when there is one', () => {
    const tool = { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: {} } };
    const made = openaiChat.encode(connection, request([{ role: 'user', text: 'hi' }], { system: 'Be brief.', tools: [tool] }));
    expect(made).toEqual({
      url: 'http://localhost:11434/v1/chat/completions',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        model: 'm',
        max_tokens: 100,
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
        ],
        tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } } }],
      }),
    });
    expect(openaiChat.encode({ ...connection, apiKey: 'k' }, request([])).headers).toMatchObject({ authorization: 'Bearer k' });
  });

  it('names the limit as the server wants it', () => {
    const limitOf = (baseUrl: string): string | undefined => /"(max_\w+)":100/.exec(openaiChat.encode({ ...connection, baseUrl }, request([])).body)?.[1];
    expect(
      ['https://api.openai.com/v1', 'https://x.openai.azure.com/openai/v1/', 'https://openai.com.evil.example/v1', 'https://api.deepseek.com'].map(limitOf),
    ).toEqual(['max_completion_tokens', 'max_completion_tokens', 'max_tokens', 'max_tokens']);
  });

  it('gives every call its result, with legal and unique ids on both sides', () => {
    expect(
      bodyOf([
        { role: 'user', text: 'go' },
        {
          role: 'assistant',
          blocks: [
            { kind: 'call', ...call('c1', 'functions.grep:0', '$grep'), input: { a: 1 } },
            { kind: 'call', ...call('c2', 'x'), input: {} },
          ],
        },
        { role: 'tool', results: [{ ...call('c2', 'x'), content: 'two', isError: false }] },
        { role: 'assistant', blocks: [{ kind: 'call', ...call('c3', 'x'), input: {} }] },
        { role: 'tool', results: [{ ...call('c3', 'x'), content: '', isError: false }] },
      ]).messages,
    ).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'functions_grep_0', type: 'function', function: { name: '_grep', arguments: '{"a":1}' } },
          { id: 'x', type: 'function', function: { name: 'grep', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'functions_grep_0', content: 'Cancelled (no result was recorded)' },
      { role: 'tool', tool_call_id: 'x', content: 'two' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'x_2', type: 'function', function: { name: 'grep', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'x_2', content: '(no output)' },
    ]);
  });

  it('sends the thoughts of this turn back under the field they came in, older ones not', () => {
    const thought = decode([chunk({ reasoning_content: 'hm' })]).flatMap((event) => (event.type === 'reasoning-end' ? [event.signature] : []))[0];
    const step = (id: string): readonly Message[] => [
      {
        role: 'assistant',
        blocks: [
          { kind: 'reasoning', text: 'hm', signature: thought },
          { kind: 'reasoning', text: 'foreign', signature: 'anthropic:signature:S' },
          { kind: 'call', ...call(id, id), input: {} },
        ],
      },
      { role: 'tool', results: [{ ...call(id, id), content: 'ok', isError: false }] },
    ];
    const sent = bodyOf([{ role: 'user', text: 'a' }, ...step('c1'), { role: 'user', text: 'b' }, ...step('c2')]).messages as readonly {
      reasoning_content?: string;
    }[];
    expect(sent.map((message) => message.reasoning_content)).toEqual([undefined, undefined, undefined, undefined, 'hm', undefined]);
  });
});

describe('the openai-chat wire, receiving', () => {
  it('keeps one text over calls and thoughts between its deltas', () => {
    expect(
      decode([
        chunk({ content: 'a' }),
        calls({ index: 0, id: 'c', function: { name: 'grep', arguments: '{}' } }),
        chunk({ content: 'b' }),
        chunk({}, 'tool_calls'),
      ]),
    ).toEqual([
      { type: 'text-start' },
      { type: 'text-delta', text: 'a' },
      { type: 'call-start', key: 'call-0', wireId: 'c', name: 'grep' },
      { type: 'call-args', key: 'call-0', text: '{}' },
      { type: 'text-delta', text: 'b' },
      { type: 'text-end' },
      { type: 'call-end', key: 'call-0' },
      { type: 'stop', reason: 'calls', raw: 'tool_calls' },
    ]);
  });

  it('opens a new call at the same index when the text of a known tool is complete and another name comes', () => {
    const events = decode(
      [calls({ index: 0, function: { name: 'grep', arguments: '{"a":"}"}' } }), calls({ index: 0, function: { name: 'list_dir', arguments: '{}' } })],
      ['grep', 'list_dir'],
    );
    expect(events.filter((event) => event.type === 'call-start').map((event) => event.name)).toEqual(['grep', 'list_dir']);
  });

  it('does not open one while the text is incomplete, or has ended without being JSON', () => {
    for (const text of ['{"a":"}', '{a}', '{"a":1}}']) {
      const events = decode(
        [calls({ index: 0, function: { name: 'grep', arguments: text } }), calls({ index: 0, function: { name: 'list_dir' } })],
        ['grep', 'list_dir'],
      );
      expect(events.filter((event) => event.type === 'call-start')).toHaveLength(1);
    }
  });

  it('knows an id that was glued to itself, and only that', () => {
    const warnings = (id: string): readonly string[] =>
      decode([calls({ index: 0, id: 'ab', function: { name: 'grep' } }), calls({ index: 0, id })]).flatMap((event) =>
        event.type === 'warning' ? [event.code] : [],
      );
    expect([warnings('abab'), warnings('ababab'), warnings('aba')]).toEqual([['id-glued'], ['id-glued'], ['index-reused']]);
  });

  it('ends open calls at a finish reason, and leaves them open when the stream breaks before it', () => {
    const begun = calls({ index: 0, id: 'c', function: { name: 'grep', arguments: '{' } });
    const ends = (events: readonly ModelEvent[]): readonly string[] => events.filter((event) => event.type === 'call-end').map((event) => event.key);
    expect([ends(decode([begun], [], false)), ends(decode([begun])), ends(decode([begun, chunk({}, 'length')], [], false))]).toEqual([
      [],
      ['call-0'],
      ['call-0'],
    ]);
  });

  it('maps each finish reason, and "stop" after calls to calls', () => {
    const stopOf = (raw: string, before: unknown = chunk({ content: 'a' })): unknown => decode([before, chunk({}, raw)]).find((event) => event.type === 'stop');
    const called = calls({ index: 0, id: 'c', function: { name: 'grep', arguments: '{}' } });
    expect([
      stopOf('stop'),
      stopOf('stop', called),
      stopOf('tool_calls'),
      stopOf('length', called),
      stopOf('content_filter'),
      stopOf('stop', chunk({ refusal: 'No.' })),
      stopOf('eos'),
    ]).toEqual([
      { type: 'stop', reason: 'end', raw: 'stop' },
      { type: 'stop', reason: 'calls', raw: 'stop' },
      { type: 'stop', reason: 'calls', raw: 'tool_calls' },
      { type: 'stop', reason: 'length', raw: 'length' },
      { type: 'stop', reason: 'refusal', raw: 'content_filter' },
      { type: 'stop', reason: 'refusal', raw: 'stop' },
      { type: 'stop', reason: 'end', raw: 'eos' },
    ]);
  });

  it('counts tokens however the relatives spell them', () => {
    expect(decode([{ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 4 } }])).toEqual([
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 2, cachedInputTokens: 4 } },
    ]);
  });

  it('reports an error inside the stream in every known shape', () => {
    expect([
      decode([{ error: { code: 429, message: 'Slow down' }, choices: [{ finish_reason: 'error', delta: {} }] }])[0],
      decode([{ error: { type: 'invalid_request_error', message: 'Bad' } }])[0],
      decode([{ object: 'error', message: 'Broken', code: 500 }])[0],
      decode([{ error: 'plain words' }])[0],
      decode([{ error: null, choices: [] }])[0],
    ]).toEqual([
      { type: 'provider-error', message: 'Slow down', retryable: true },
      { type: 'provider-error', message: 'Bad', retryable: false },
      { type: 'provider-error', message: 'Broken', retryable: true },
      { type: 'provider-error', message: 'plain words', retryable: false },
      undefined,
    ]);
  });

  it('lets no open call run when an event could not be read', () => {
    const decoder = openaiChat.createDecoder(new Set());
    decoder.push({ data: JSON.stringify(calls({ index: 0, id: 'c', function: { name: 'grep', arguments: '{"a' } })) });
    expect(decoder.push({ data: '{"choices":[{' })).toEqual([
      { type: 'warning', code: 'event-unreadable' },
      { type: 'call-args', key: 'call-0', text: '', damaged: true },
    ]);
  });
});
