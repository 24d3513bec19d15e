import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '@/lib/contracts/model';
import { type Assembled, createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';

function assemble(
  events: readonly ModelEvent[],
  { closedCleanly = true, registered = ['grep', 'read_file'] }: { closedCleanly?: boolean; registered?: readonly string[] } = {},
) {
  let made = 0;
  const assembler = createBlockAssembler({ newId: <Id extends string>(kind: string) => `${kind}-${++made}` as Id, registered: new Set(registered) });
  const streamed: readonly Assembled[] = events.flatMap((event) => assembler.push(event));
  const { events: last, step } = assembler.end(closedCleanly);
  return { streamed, last, step };
}

const started = (key: string, name = 'grep', wireId = key): ModelEvent => ({ type: 'call-start', key, wireId, name });
const args = (key: string, text: string, damaged?: true): ModelEvent => ({ type: 'call-args', key, text, ...(damaged && { damaged }) });
const ended = (key: string): ModelEvent => ({ type: 'call-end', key });
const texts = (calls: readonly { readonly argumentsText: string }[]): readonly string[] => calls.map((call) => call.argumentsText);
const completed = (events: readonly Assembled[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'call-complete' ? [`${event.call.callId} ${event.call.name} ${event.call.argumentsText}`] : []));

describe('the block assembler', () => {
  it('puts a response together in the order of its blocks', () => {
    const call = { callId: 'call-1', wireId: 'w', name: 'grep', argumentsText: '{"a":1}', damaged: false, warnings: [] };
    expect(
      assemble([
        { type: 'reasoning-delta', text: 'h' },
        { type: 'reasoning-delta', text: 'm' },
        { type: 'reasoning-end', signature: 's' },
        { type: 'text-start' },
        { type: 'text-delta', text: 'a' },
        { type: 'text-delta', text: 'b' },
        { type: 'text-end' },
        started('k', 'grep', 'w'),
        args('k', '{"a":'),
        args('k', '1}'),
        ended('k'),
        { type: 'text-start' },
        { type: 'text-end' },
        { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
        { type: 'usage', usage: { outputTokens: 5 } },
        { type: 'stop', reason: 'calls', raw: 'tool_use' },
      ]),
    ).toEqual({
      streamed: [
        { type: 'reasoning-delta', text: 'h' },
        { type: 'reasoning-delta', text: 'm' },
        { type: 'text-start', block: 1 },
        { type: 'text-delta', block: 1, text: 'a' },
        { type: 'text-delta', block: 1, text: 'b' },
        { type: 'text-end', block: 1 },
        { type: 'call-start', callId: 'call-1', name: 'grep' },
        { type: 'call-complete', call },
        { type: 'text-start', block: 3 },
        { type: 'text-end', block: 3 },
      ],
      last: [],
      step: {
        blocks: [
          { kind: 'reasoning', text: 'hm', signature: 's' },
          { kind: 'text', block: 1, text: 'ab' },
          { kind: 'call', call },
        ],
        calls: [call],
        stop: 'calls',
        rawStop: 'tool_use',
        usage: { inputTokens: 1, outputTokens: 5 },
      },
    });
  });

  it('says that a call is complete as soon as its root value is, while the stream goes on', () => {
    const { streamed, last } = assemble([started('a'), args('a', '{"a":"}"'), args('a', '}'), started('b'), args('b', '{"b":2}')]);
    expect([completed(streamed), completed(last)]).toEqual([['call-1 grep {"a":"}"}', 'call-2 grep {"b":2}'], []]);
  });

  it('waits for the wire with a bare {}, which real arguments may follow', () => {
    const waiting = assemble([started('a'), args('a', '{}')]);
    expect([completed(waiting.streamed), completed(waiting.last)]).toEqual([[], ['call-1 grep {}']]);
    const followed = assemble([started('a'), args('a', '{}'), { type: 'call-args-reset', key: 'a' }, args('a', '{"a":1}')]);
    expect([completed(followed.streamed), texts(followed.step.calls)]).toEqual([['call-1 grep {"a":1}'], ['{"a":1}']]);
  });

  it('says a call again, under the same id, when the wire changes it after it was complete', () => {
    const { streamed, last, step } = assemble([
      started('a'),
      args('a', '{"a":1}'),
      args('a', ' \n'),
      args('a', '{"b":2}'),
      { type: 'call-name', key: 'a', wireId: 'late' },
    ]);
    expect(completed(streamed)).toEqual(['call-1 grep {"a":1}']);
    expect(completed(last)).toEqual(['call-1 grep {"a":1} \n{"b":2}']);
    expect(step.calls.map((call) => call.wireId)).toEqual(['late']);
  });

  it('drops what had not ended when the stream broke, and keeps what had', () => {
    const events = [
      started('a'),
      args('a', '{"a":1}'),
      started('b'),
      args('b', '{"b"'),
      started('c'),
      args('c', '{}'),
      started('d'),
      started('e', 'read_file'),
      args('e', '{}'),
      ended('e'),
    ];
    expect(assemble(events, { closedCleanly: false }).step.calls.map((call) => call.wireId)).toEqual(['a', 'e']);
    expect(assemble(events).step.calls.map((call) => call.wireId)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('tells the name of a call once it is whole', () => {
    const { streamed } = assemble([
      started('a', 'read_'),
      { type: 'call-name', key: 'a', name: 'read_file' },
      started('b', 'odd_'),
      { type: 'call-name', key: 'b', name: 'odd_name' },
      args('b', '{'),
    ]);
    expect(streamed).toEqual([
      { type: 'call-start', callId: 'call-1', name: 'read_file' },
      { type: 'call-start', callId: 'call-2', name: 'odd_name' },
    ]);
  });

  it('marks damage, also when it is known only after the call was complete', () => {
    const isDamaged = (events: readonly ModelEvent[]): readonly boolean[] => assemble(events).step.calls.map((call) => call.damaged);
    expect([
      isDamaged([started('a'), args('a', '{"a":"\uFFFD"}')]),
      isDamaged([started('a'), args('a', '{"a":"\uFFFD"}', true)]),
      isDamaged([started('a'), args('a', '{"a":1}'), args('a', '', true)]),
    ]).toEqual([[false], [true], [true]]);
  });

  it('unwraps a parallel wrapper into calls of their own, and leaves one alone that names an unknown tool', () => {
    const wrapper = (recipient: string): readonly ModelEvent[] => [
      started('w', 'multi_tool_use.parallel'),
      args('w', JSON.stringify({ tool_uses: [{ recipient_name: 'functions.grep', parameters: { a: 1 } }, { recipient_name: recipient }] })),
      ended('w'),
    ];
    const { streamed, step } = assemble(wrapper('tools.read_file'));
    expect(streamed).toEqual([
      { type: 'warning', code: 'parallel-wrapper', callId: 'call-1' },
      { type: 'call-start', callId: 'call-1', name: 'grep' },
      { type: 'call-complete', call: step.calls[0] },
      { type: 'call-start', callId: 'call-2', name: 'read_file' },
      { type: 'call-complete', call: step.calls[1] },
    ]);
    expect(step.calls).toEqual([
      { callId: 'call-1', wireId: 'call_of_block_0_0', name: 'grep', argumentsText: '{"a":1}', damaged: false, warnings: ['parallel-wrapper'] },
      { callId: 'call-2', wireId: 'call_of_block_0_1', name: 'read_file', argumentsText: '{}', damaged: false, warnings: ['parallel-wrapper'] },
    ]);
    expect(assemble(wrapper('rm')).step.calls.map((call) => call.name)).toEqual(['multi_tool_use.parallel']);
  });

  it('gives warnings that come late to their call', () => {
    const { step } = assemble([
      started('a', 'grep', ''),
      args('a', '{"a":1}'),
      { type: 'warning', code: 'id-missing', key: 'a' },
      { type: 'warning', code: 'index-missing' },
    ]);
    expect(step.calls).toEqual([
      { callId: 'call-1', wireId: 'call_of_block_0', name: 'grep', argumentsText: '{"a":1}', damaged: false, warnings: ['id-missing'] },
    ]);
  });
});
