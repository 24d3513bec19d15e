import type { ProviderId } from '@/lib/contracts/provider';

export interface OwnStream {
  readonly name: string;
  readonly wire: ProviderId;
  readonly text: string;
  /** A character that stands for a byte which is not UTF-8. */
  readonly damage?: string;
}

type Data = Readonly<Record<string, unknown>> & { readonly type: string };

const named = (events: readonly Data[]): string => events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
const plain = (chunks: readonly unknown[], lineEnd = '\n'): string => chunks.map((data) => `data: ${JSON.stringify(data)}${lineEnd}${lineEnd}`).join('');
const delta = (given: unknown, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: given, finish_reason: finish }],
});
const call = (given: Readonly<Record<string, unknown>>, fn: Readonly<Record<string, unknown>>) => delta({ tool_calls: [{ ...given, function: fn }] });

const geminiParts = (parts: readonly unknown[], finishReason?: string) => ({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }] });

/** Streams in the shapes that the four wires send, with what makes a cut dangerous: wide characters, CR LF, comments, damage. */
export const ownStreams: readonly OwnStream[] = [
  {
    name: 'anthropic: thinking, text with wide characters, two calls',
    wire: 'anthropic',
    text: named([
      { type: 'message_start', message: { usage: { input_tokens: 12, cache_read_input_tokens: 30, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Zuerst lesen – 先に読む 🧭' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'ping' },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Ich schaue nach: größer, 日本語, 👩‍🚀.' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"path":"src/' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: 'größe.ts"}' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'toolu_b', name: 'grep_files', input: { pattern: '“x”' } } },
      { type: 'content_block_stop', index: 3 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 40 } },
      { type: 'message_stop' },
    ]),
  },
  {
    name: 'anthropic: arguments with a damaged byte',
    wire: 'anthropic',
    damage: '~',
    text: named([
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path":"a~.md"}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]),
  },
  {
    name: 'openai-chat: CR LF, comments, reasoning, interleaved calls, usage, end mark',
    wire: 'openai-chat',
    text: `: OPENROUTER PROCESSING\r\n\r\n${plain(
      [
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'überlegen…' }),
        delta({ content: 'Los geht’s 🚀' }),
        call({ index: 0, id: 'call_a', type: 'function' }, { name: 'read_file', arguments: '' }),
        call({ index: 1, id: 'call_b', type: 'function' }, { name: 'grep_files', arguments: '{"pattern":' }),
        call({ index: 0 }, { arguments: '{"path":"ä"}' }),
        call({ index: 1 }, { arguments: '"日"}' }),
        delta({}, 'tool_calls'),
        { choices: [], usage: { prompt_tokens: 9, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 4 } } },
      ],
      '\r\n',
    )}data: [DONE]\r\n\r\n`,
  },
  {
    name: 'openai-chat: bare CR, names in pieces, a wrapper, no end mark and no last line end',
    wire: 'openai-chat',
    text: `${plain(
      [
        call({ id: '' }, { name: 'read_', arguments: null }),
        call({}, { name: 'file', arguments: '{}' }),
        call({}, { arguments: '{"path":"x"}' }),
        call({ index: 3, id: 'w' }, { name: 'parallel', arguments: { tool_uses: [{ recipient_name: 'functions.weather', parameters: { place: 'Köln' } }] } }),
      ],
      '\r',
    )}data: ${JSON.stringify(delta({}, 'stop'))}`,
  },
  {
    name: 'openai-responses: summary, text with wide characters, two calls with a damaged byte in one',
    wire: 'openai-responses',
    damage: '~',
    text: named([
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.reasoning_summary_text.delta', item_id: 'rs', summary_index: 0, delta: 'Zuerst – 先に 🧭' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: 'rs', encrypted_content: 'c2VhbA==' } },
      { type: 'response.output_text.delta', item_id: 'msg', content_index: 0, delta: 'Ich schaue nach: größer, 日本語, 👩‍🚀.' },
      { type: 'response.output_item.added', output_index: 2, item: { type: 'function_call', id: 'fa', call_id: 'call_a', name: 'read_file', arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fa', delta: '{"path":"src/' },
      {
        type: 'response.output_item.done',
        output_index: 3,
        item: { type: 'function_call', id: 'fb', call_id: 'call_b', name: 'grep_files', arguments: '{"pattern":"~"}' },
      },
      { type: 'response.function_call_arguments.delta', item_id: 'fa', delta: 'größe.ts"}' },
      { type: 'response.completed', response: { status: 'completed', usage: { input_tokens: 9, output_tokens: 2 } } },
    ]),
  },
  {
    name: 'gemini: CR LF, thoughts, text with wide characters, sealed calls',
    wire: 'gemini',
    text: plain(
      [
        geminiParts([{ text: 'überlegen…', thought: true }]),
        geminiParts([{ text: 'Los geht’s 🚀' }]),
        geminiParts([
          { functionCall: { name: 'read_file', args: { path: 'größe.ts' } }, thoughtSignature: 'c2VhbA==' },
          { functionCall: { name: 'grep_files', args: { pattern: '日' } } },
        ]),
        geminiParts([{ text: '' }], 'STOP'),
      ],
      '\r\n',
    ),
  },
];
