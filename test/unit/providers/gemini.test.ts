import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest } from '@/lib/contracts/model';
import type { Connection } from '@/lib/contracts/provider';
import { gemini } from '@/lib/providers/gemini';

const connection: Connection = { provider: 'gemini', baseUrl: gemini.defaultBaseUrl, apiKey: '', model: 'm' };
const request = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  system: '',
  messages,
  tools: [],
  maxOutputTokens: 100,
  ...more,
});
const call = (id: string, wireId: string, name = 'grep') => ({ callId: id as CallId, wireId, name });

function decode(data: readonly unknown[]): readonly ModelEvent[] {
  const decoder = gemini.createDecoder(new Set());
  return [...data.flatMap((each) => decoder.push({ data: JSON.stringify(each) })), ...decoder.end()];
}
const chunk = (parts: readonly unknown[], finishReason?: string) => ({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }] });

describe('the gemini wire, sending', () => {
  it('makes one request, and declares no parameters where there are none', () => {
    const tools = [
      { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
      { name: 'git_status', description: 'Tells.', inputSchema: { type: 'object' } },
    ];
    const made = gemini.encode({ ...connection, apiKey: 'k' }, request([{ role: 'user', text: ' ' }], { system: 'Be brief.', tools }));
    expect({ ...made, body: JSON.parse(made.body) }).toEqual({
      url: 'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-goog-api-key': 'k' },
      body: {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: '(empty message)' }] }],
        tools: [
          {
            functionDeclarations: [
              { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
              { name: 'git_status', description: 'Tells.' },
            ],
          },
        ],
        generationConfig: { maxOutputTokens: 100 },
      },
    });
    expect('x-goog-api-key' in gemini.encode(connection, request([])).headers).toBe(false);
  });

  it('finds the way to the model from any base address', () => {
    const urlOf = (baseUrl: string, model: string): string => gemini.encode({ ...connection, baseUrl }, request([], { model })).url;
    expect([urlOf('http://localhost:1/', 'models/g-1'), urlOf('http://localhost:1/v1', 'a b'), urlOf('http://localhost:1/v1beta/models', 'g')]).toEqual([
      'http://localhost:1/v1beta/models/g-1:streamGenerateContent?alt=sse',
      'http://localhost:1/v1/models/a%20b:streamGenerateContent?alt=sse',
      'http://localhost:1/v1beta/models/g:streamGenerateContent?alt=sse',
    ]);
  });

  it('gives every call its result, and each seal to the call or text that it came with', () => {
    const messages: readonly Message[] = [
      { role: 'user', text: 'go' },
      {
        role: 'assistant',
        blocks: [
          { kind: 'text', text: 'Look.' },
          { kind: 'reasoning', text: '', signature: 'gemini:text:T' },
          { kind: 'reasoning', text: 'foreign', signature: 'anthropic:signature:S' },
          { kind: 'reasoning', text: '', signature: 'gemini:call:C' },
          { kind: 'call', ...call('c1', 'a:0'), input: { a: 1 } },
          { kind: 'call', ...call('c2', 'x'), input: {} },
        ],
      },
      { role: 'tool', results: [{ ...call('c2', 'x'), content: 'two', isError: false }] },
    ];
    expect(JSON.parse(gemini.encode(connection, request(messages)).body).contents).toEqual([
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [
          { text: 'Look.' },
          { text: '', thoughtSignature: 'T' },
          { functionCall: { id: 'a_0', name: 'grep', args: { a: 1 } }, thoughtSignature: 'C' },
          { functionCall: { id: 'x', name: 'grep', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a_0', name: 'grep', response: { error: 'Cancelled (no result was recorded)' } } },
          { functionResponse: { id: 'x', name: 'grep', response: { output: 'two' } } },
        ],
      },
    ]);
  });
});

describe('the gemini wire, receiving', () => {
  it('reads thoughts, text and whole calls, sealed or not', () => {
    expect(
      decode([
        chunk([{ text: 'hm', thought: true }]),
        chunk([{ text: 'Look' }]),
        chunk([{ text: '.' }, { functionCall: { name: 'grep', args: { a: 1 } }, thoughtSignature: 'C' }, { functionCall: { id: 'i', name: 'list' } }]),
        { ...chunk([{ text: '', thoughtSignature: 'T' }], 'STOP'), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 3 } },
      ]),
    ).toEqual([
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-end' },
      { type: 'text-start' },
      { type: 'text-delta', text: 'Look' },
      { type: 'text-delta', text: '.' },
      { type: 'text-end' },
      { type: 'reasoning-end', signature: 'gemini:call:C' },
      { type: 'call-start', key: 'call-0', wireId: '', name: 'grep' },
      { type: 'warning', code: 'id-missing', key: 'call-0' },
      { type: 'call-args', key: 'call-0', text: '{"a":1}' },
      { type: 'call-end', key: 'call-0' },
      { type: 'call-start', key: 'call-1', wireId: 'i', name: 'list' },
      { type: 'call-end', key: 'call-1' },
      { type: 'reasoning-end', signature: 'gemini:text:T' },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 5 } },
      { type: 'stop', reason: 'calls', raw: 'STOP' },
    ]);
  });

  it('keeps the text that stands beside a call in one part', () => {
    expect(decode([chunk([{ text: 'So: ', functionCall: { id: 'i', name: 'list' }, thoughtSignature: 'C' }], 'STOP')])).toEqual([
      { type: 'text-start' },
      { type: 'text-delta', text: 'So: ' },
      { type: 'text-end' },
      { type: 'reasoning-end', signature: 'gemini:call:C' },
      { type: 'call-start', key: 'call-0', wireId: 'i', name: 'list' },
      { type: 'call-end', key: 'call-0' },
      { type: 'stop', reason: 'calls', raw: 'STOP' },
    ]);
  });

  it('takes a thought beside a call in one part for no text', () => {
    expect(decode([chunk([{ text: 'hm', thought: true, functionCall: { id: 'i', name: 'list' } }], 'STOP')]).slice(0, 3)).toEqual([
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-end' },
      { type: 'call-start', key: 'call-0', wireId: 'i', name: 'list' },
    ]);
  });

  it('makes no call of what the provider runs itself, and ignores what it does not know', () => {
    const parts = [{ executableCode: { code: 'x' } }, { codeExecutionResult: { output: '1' } }, { toolCall: { name: 'a' } }, { inlineData: {} }, null, 'x'];
    expect(decode([chunk(parts), { somethingNew: 1 }, chunk([], 'STOP')])).toEqual([{ type: 'stop', reason: 'end', raw: 'STOP' }]);
  });

  it('takes back a reason to end when a call follows it', () => {
    const reasons = decode([chunk([{ text: 'a' }], 'STOP'), chunk([{ functionCall: { name: 'grep' } }], 'STOP'), chunk([], 'STOP')]);
    expect(reasons.flatMap((event) => (event.type === 'stop' ? [event.reason] : []))).toEqual(['end', 'calls']);
    expect(decode([chunk([{ functionCall: { name: 'grep' } }], 'MAX_TOKENS')]).at(-1)).toEqual({ type: 'stop', reason: 'length', raw: 'MAX_TOKENS' });
  });

  it('marks a call whose bytes were damaged', () => {
    const decoder = gemini.createDecoder(new Set());
    const events = decoder.push({ data: JSON.stringify(chunk([{ functionCall: { id: 'i', name: 'grep', args: { a: '\uFFFD' } } }])), damaged: true });
    expect(events.filter((event) => event.type === 'call-args')).toEqual([{ type: 'call-args', key: 'call-0', text: '{"a":"\uFFFD"}', damaged: true }]);
  });

  it('reports errors and blocked prompts, and goes on after an event that cannot be read', () => {
    expect([
      decode([{ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }])[0],
      decode([{ error: { code: 400, message: 'Bad' } }])[0],
      decode([{ promptFeedback: { blockReason: 'SAFETY' } }])[0],
      gemini.createDecoder(new Set()).push({ data: '{"cand' }),
    ]).toEqual([
      { type: 'provider-error', message: 'Overloaded', retryable: true },
      { type: 'provider-error', message: 'Bad', retryable: false },
      { type: 'provider-error', message: 'It blocked the prompt (SAFETY).', retryable: false },
      [{ type: 'warning', code: 'event-unreadable' }],
    ]);
  });
});
