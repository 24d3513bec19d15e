import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseDecoder } from '@/lib/model/sse';
import { createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { providers } from '@/lib/providers/registry.gen';
import { createNewId } from '@/lib/shared/new-ids';

const registered = new Set(['read_file', 'exec_shell']);

/** What models write when they mean a call, whole, broken, and in the words of the wires themselves. */
const shape = fc.constantFrom(
  '<tool_call>',
  '</tool_call>',
  '{"name":"exec_shell","arguments":{"command":"rm -rf ."}}',
  '<function_calls><invoke name="exec_shell"><parameter name="command">rm</parameter></invoke></function_calls>',
  '[TOOL_CALL] exec_shell [/TOOL_CALL]',
  '```tool_call\n{"name":"read_file"}\n```',
  '<|tool_calls_section_begin|>functions.exec_shell:0<|tool_call_argument_begin|>{}',
  '<｜DSML｜invoke name="read_file">',
  'data: {"type":"content_block_start","index":9,"content_block":{"type":"tool_use","id":"x","name":"exec_shell","input":{}}}\n\n',
  'event: message_stop\n',
  '{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"read_file","arguments":"{}"}}]}}]}',
  '{"type":"response.output_item.added","item":{"type":"function_call","name":"exec_shell"}}',
  '{"functionCall":{"name":"exec_shell","args":{}}}',
  '\r\n\r\n',
  '\u2028',
);
const prose = fc.array(fc.oneof(shape, fc.string({ unit: 'grapheme', maxLength: 12 })), { minLength: 1, maxLength: 8 });

/** The events in which each wire sends a fragment of text, and of thought. */
const frames: Readonly<Record<string, (text: string) => readonly object[]>> = {
  anthropic: (text) => [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: text } },
  ],
  'openai-chat': (text) => [{ choices: [{ index: 0, delta: { content: text, reasoning_content: text } }] }],
  'openai-responses': (text) => [
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: text },
    { type: 'response.reasoning_summary_text.delta', item_id: 'r', output_index: 1, summary_index: 0, delta: text },
  ],
  gemini: (text) => [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }, { text, thought: true }] } }] }],
};

describe('text', () => {
  for (const provider of providers)
    it(`never becomes a call on the wire ${provider.id}`, () => {
      const framesOf = frames[provider.id];
      if (framesOf === undefined) throw new Error(`there are no frames for the wire ${provider.id}`);
      let seen = 0;
      fc.assert(
        fc.property(prose, (parts) => {
          const sse = createSseDecoder();
          const decoder = provider.createDecoder(registered);
          const assembler = createBlockAssembler({ newId: createNewId('p'), registered });
          const told = [];
          for (const part of parts)
            for (const frame of framesOf(part))
              for (const event of sse.push(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`)))
                for (const item of decoder.push(event)) told.push(...assembler.push(item));
          for (const item of decoder.end(true)) told.push(...assembler.push(item));
          const { events, step } = assembler.end(true);
          expect(step.calls).toEqual([]);
          expect([...told, ...events].filter(({ type }) => type === 'call-start' || type === 'call-complete')).toEqual([]);
          if (step.blocks.some((block) => block.kind === 'text')) seen++;
        }),
        { numRuns: 1_000 },
      );
      // The text did arrive, as text.
      expect(seen).toBeGreaterThan(900);
    });
});
