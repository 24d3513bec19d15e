import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anthropic } from '@/lib/providers/anthropic';

const started = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} } },
  { type: 'content_block_start', index: 12, content_block: { type: 'thinking', thinking: '' } },
].map((event) => JSON.stringify(event));

/** What a decoder says of one event in the middle of an answer, and of how the answer ends after it. */
function said(data: string, damaged: boolean): unknown {
  const decoder = anthropic.createDecoder(new Set());
  for (const event of started) decoder.push({ data: event });
  return [decoder.push(damaged ? { data, damaged } : { data }), decoder.push({ data: '{"type":"message_stop"}' })];
}

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '"}}', '\\', '\u2028', '{"a":1}', '\uFFFD', '\ud800'));
const index = fc.oneof(fc.constantFrom(0, 1, 12, 2, 999999, 1000000, 12345678), fc.nat());
const delta = fc.oneof(
  text.map((given) => ({ type: 'input_json_delta', partial_json: given })),
  text.map((given) => ({ type: 'text_delta', text: given })),
  text.map((given) => ({ type: 'thinking_delta', thinking: given })),
);

test('an event in the spelling of the API says what it says in any other spelling', () => {
  fc.assert(
    fc.property(index, fc.option(delta), fc.boolean(), (at, given, damaged) => {
      const event = given === null ? { type: 'content_block_stop', index: at } : { type: 'content_block_delta', index: at, delta: given };
      expect(said(JSON.stringify(event), damaged)).toEqual(said(JSON.stringify(event, null, 1), damaged));
    }),
    { numRuns: 2000 },
  );
});

test('so does the beginning of a call', () => {
  const word = fc.oneof(text, fc.constantFrom('toolu_1', 'read_file', 'a"b', 'a\n', 'é', '","name":"x'));
  const input = fc.constantFrom({}, { path: 'a' }, null, '', []);
  const call = fc.record({ type: fc.constant('tool_use'), id: word, name: word, input });
  fc.assert(
    fc.property(index, call, fc.boolean(), (at, given, damaged) => {
      const event = { type: 'content_block_start', index: at, content_block: given };
      expect(said(JSON.stringify(event), damaged)).toEqual(said(JSON.stringify(event, null, 1), damaged));
    }),
    { numRuns: 2000 },
  );
});

const unreadable = [
  '{"type":"content_block_start","index":01,"content_block":{"type":"tool_use","id":"a","name":"b","input":{}}}',
  '{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"a\n","name":"b","input":{}}}',
  '{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"a","name":"b","input":{}}',
  '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"a\n"}}',
  '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"a"x"}}',
  '{"type":"content_block_delta","index":01,"delta":{"type":"input_json_delta","partial_json":"a"}}',
  '{"type":"content_block_delta","index":,"delta":{"type":"input_json_delta","partial_json":"a"}}',
  '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"a"}',
  '{"type":"content_block_stop","index":1',
  '{"type":"content_block_stop","index":}',
  '{"type":"content_block_stop","index":01}',
];

test.each(unreadable)('what is no JSON is no event, however near it comes: %s', (data) => {
  const [events] = said(data, false) as [readonly { readonly type: string; readonly code?: string }[]];
  expect(events[0]).toEqual({ type: 'warning', code: 'event-unreadable' });
});

test('a field behind the text, or a second of the same name, counts as in any JSON', () => {
  const twice = '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"a","partial_json":"b"}}';
  expect(said(twice, false)).toEqual(said(twice.replace('{"type":"content', '{ "type":"content'), false));
});
