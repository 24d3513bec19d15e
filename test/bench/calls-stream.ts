import { encodeUtf8 } from '@/lib/shared/bytes';

/** Bytes of one Anthropic response with `count` calls of `instant`, arguments in deltas of some 20 characters; then one that yields. */
export function callsStream(count: number): Uint8Array {
  const events: string[] = [];
  const push = (event: Record<string, unknown>) => events.push(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
  push({
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } },
  });
  for (let index = 0; index < count; index++) {
    push({ type: 'content_block_start', index, content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'instant', input: {} } });
    const text = JSON.stringify({ path: `src/file-${index}.ts`, start_line: index + 1 });
    for (let at = 0; at < text.length; at += 20)
      push({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text.slice(at, at + 20) } });
    push({ type: 'content_block_stop', index });
  }
  push({ type: 'message_delta', delta: { stop_reason: count > 0 ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 10 } });
  push({ type: 'message_stop' });
  return encodeUtf8(events.join(''));
}

/** An answer whose body comes in pieces of 16 KB, as a socket gives it. */
export function streamedResponse(bytes: Uint8Array, hold?: Promise<void>): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at >= bytes.length) {
        await hold;
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(at, at + 16_384));
      at += 16_384;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
