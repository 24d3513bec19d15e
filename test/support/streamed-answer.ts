import type { ServerResponse } from 'node:http';
import type { ProviderId } from '@/lib/contracts/provider';

/** What a stand-in model says in one response. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
}

/** Streams an answer as a provider's server does; arguments come in several deltas. */
export function streamedAnswer(wire: ProviderId, said: Said): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(wire === 'anthropic' ? anthropic(said) : openAiChat(said));
  };
}

function openAiChat({ text, calls = [] }: Said): string {
  const chunk = (delta: unknown, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'answer', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return [
    chunk({ role: 'assistant' }),
    ...(text === undefined ? [] : [chunk({ content: text })]),
    ...calls.flatMap(({ name, input }, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}_${name}`, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(input).map((args) => chunk({ tool_calls: [{ index, function: { arguments: args } }] })),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    'data: [DONE]\n\n',
  ].join('');
}

function anthropic({ text, calls = [] }: Said): string {
  const event = (type: string, body: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
  const block = (index: number, start: object, deltas: readonly object[]) => [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
  const first = text === undefined ? 0 : 1;
  return [
    event('message_start', {
      message: { id: 'answer', type: 'message', role: 'assistant', content: [], model: 'stand-in', usage: { input_tokens: 1, output_tokens: 1 } },
    }),
    ...(text === undefined ? [] : block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text }])),
    ...calls.flatMap(({ name, input }, index) =>
      block(
        first + index,
        { type: 'tool_use', id: `call_${index}_${name}`, name, input: {} },
        pieces(input).map((partial) => ({ type: 'input_json_delta', partial_json: partial })),
      ),
    ),
    event('message_delta', { delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 1 } }),
    event('message_stop', {}),
  ].join('');
}

function pieces(input: object): readonly string[] {
  return JSON.stringify(input).match(/[\s\S]{1,9}/g) ?? [];
}
