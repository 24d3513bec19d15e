/**
 * The limit: the shortest program that reads the same bytes, runs the same instant tool, and makes the next request.
 * It governs nothing: no validation, no approval, no events, no cut.
 */
export async function plainLoop(fetchStream: (body: string) => Promise<Response>, tool: (input: unknown) => Promise<string>, tools: unknown): Promise<number> {
  const messages: unknown[] = [{ role: 'user', content: 'go' }];
  let calls = 0;
  for (;;) {
    const response = await fetchStream(JSON.stringify({ model: 'm', max_tokens: 8192, stream: true, tools, messages }));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    const blocks: Record<string, unknown>[] = [];
    const texts: string[][] = [];
    let buffer = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      buffer += decoder.decode(next.value, { stream: true });
      let end = buffer.indexOf('\n\n');
      let from = 0;
      for (; end >= 0; from = end + 2, end = buffer.indexOf('\n\n', from)) {
        const at = buffer.indexOf('data: ', from);
        const event = JSON.parse(buffer.slice(at + 6, end));
        if (event.type === 'content_block_start') {
          blocks[event.index] = event.content_block;
          texts[event.index] = [];
        } else if (event.type === 'content_block_delta') texts[event.index]?.push(event.delta.partial_json ?? event.delta.text);
      }
      buffer = buffer.slice(from);
    }
    blocks.forEach((block, i) => {
      if (block['type'] === 'tool_use') block['input'] = JSON.parse(texts[i]?.join('') || '{}');
      else block['text'] = texts[i]?.join('');
    });
    messages.push({ role: 'assistant', content: blocks });
    const used = blocks.filter((block) => block['type'] === 'tool_use');
    if (used.length === 0) return calls;
    calls += used.length;
    const results = await Promise.all(used.map(async (block) => ({ type: 'tool_result', tool_use_id: block['id'], content: await tool(block['input']) })));
    messages.push({ role: 'user', content: results });
  }
}
