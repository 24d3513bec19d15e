import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLegalId } from '@/lib/shared/legal-id';
import { type CancelReason, type HistoryMessage, makeValidHistory, type ValidMessage } from '@/lib/shared/valid-history';

const ids = fc.constantFrom('a', 'b', 'c.d', 'c:d', '', 'x'.repeat(70), `${'x'.repeat(69)}y`);
const names = fc.constantFrom('grep', 'read file', '', '$x', 'n'.repeat(80));
const call = fc.record({ kind: fc.constant('call' as const), callId: ids, wireId: ids, name: names, argumentsText: fc.constantFrom('{"a":1}', 'oops', '[]') });
const block = fc.oneof(
  call,
  fc.record({ kind: fc.constant('text' as const), text: fc.string() }),
  fc.record({ kind: fc.constant('reasoning' as const), text: fc.string() }),
);
const result = fc.record({ callId: ids, wireId: ids, name: names, content: fc.jsonValue(), isError: fc.boolean(), preliminary: fc.boolean() });
const history = fc.array(
  fc.oneof(
    fc.record({ role: fc.constant('user' as const), text: fc.string() }),
    fc.record({ role: fc.constant('assistant' as const), blocks: fc.array(block, { maxLength: 4 }) }),
    fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 4 }) }),
  ),
  { maxLength: 8 },
) as fc.Arbitrary<readonly HistoryMessage<string>[]>;

const callsOf = (message: ValidMessage<string> | undefined) => (message?.role === 'assistant' ? message.blocks.filter((each) => each.kind === 'call') : []);

it('any history becomes one that every provider takes, and stays as it is when it is given again', () => {
  fc.assert(
    fc.property(history, fc.boolean(), (messages, splitAfterCalls) => {
      const valid = makeValidHistory(messages, { splitAfterCalls });
      for (const [at, message] of valid.entries()) {
        const results = message.role === 'tool' ? message.results.map((each) => [each.wireId, each.name]) : undefined;
        if (results !== undefined) expect(results).toEqual(callsOf(valid[at - 1]).map((each) => [each.wireId, each.name]));
        if (callsOf(message).length > 0) expect(valid[at + 1]?.role).toBe('tool');
        if (message.role === 'user') expect(valid[at + 1]?.role).not.toBe('user');
      }
      const calls = valid.flatMap(callsOf);
      expect(calls.every((each) => isLegalId(each.wireId) && isLegalId(each.name))).toBe(true);
      expect(new Set(calls.map((each) => each.wireId)).size).toBe(calls.length);
      expect(makeValidHistory(messages, { splitAfterCalls })).toEqual(valid);
    }),
    { numRuns: 1000 },
  );
});

it('a history whose calls have ids of their own comes back equal when it is made valid twice', () => {
  fc.assert(
    fc.property(history, fc.boolean(), (messages, splitAfterCalls) => {
      let made = 0;
      const own = messages.map((message) =>
        message.role === 'assistant'
          ? { ...message, blocks: message.blocks.map((each) => (each.kind === 'call' ? { ...each, callId: `own-${made++}` } : each)) }
          : message,
      );
      const once = makeValidHistory(own, { splitAfterCalls });
      expect(makeValidHistory(once, { splitAfterCalls })).toEqual(once);
    }),
    { numRuns: 1000 },
  );
});

it('ids that are legal stay with their first call, also when a changed one would take them', () => {
  const message: HistoryMessage<string> = {
    role: 'assistant',
    blocks: ['x', 'x', 'x_2'].map((wireId, i) => ({ kind: 'call', callId: `c${i}`, wireId, name: 'grep', input: {} })),
  };
  expect(callsOf(makeValidHistory([message], { splitAfterCalls: false })[0]).map((each) => each.wireId)).toEqual(['x', 'x_3', 'x_2']);
});

const called = (callId: string): HistoryMessage<string> => ({ role: 'assistant', blocks: [{ kind: 'call', callId, wireId: callId, name: 'grep', input: {} }] });
const answered = (...contents: readonly (readonly [string, string, boolean?])[]): HistoryMessage<string> => ({
  role: 'tool',
  results: contents.map(([callId, content, preliminary]) => ({
    callId,
    wireId: callId,
    name: 'grep',
    content,
    isError: false,
    ...(preliminary && { preliminary }),
  })),
});
/** Texts and results alone, in order. */
const told = (messages: readonly HistoryMessage<string>[], cancelReasons?: ReadonlyMap<string, CancelReason>): readonly string[] =>
  makeValidHistory(messages, { splitAfterCalls: false, ...(cancelReasons && { cancelReasons }) }).flatMap((message) =>
    message.role === 'user' ? [message.text] : message.role === 'tool' ? message.results.map((each) => each.content) : [],
  );

it('an orphan in a tool message follows the results found there, and joins the text after it', () => {
  expect(told([called('a'), answered(['ghost', 'old'], ['a', 'A']), { role: 'user', text: 'next' }])).toEqual(['A', '[earlier tool output] old\nnext']);
});

it('a result is looked for before the next call with the same id, also when it comes late', () => {
  expect(
    told([called('a'), { role: 'user', text: 'wait' }, answered(['a', '50%', true], ['a', 'A'], ['a', 'again']), called('a'), answered(['a', 'B'])]),
  ).toEqual(['A', 'wait', 'B']);
  expect(told([called('a'), called('a'), answered(['a', 'A'])])).toEqual(['Cancelled (no result was recorded)', 'A']);
});

it('a result that stands before its call is none', () => {
  expect(told([answered(['a', 'early']), called('a')])).toEqual(['[earlier tool output] early', 'Cancelled (no result was recorded)']);
});

it('a reason says only what is known of the start', () => {
  const reason = (given: CancelReason) => told([called('a')], new Map([['a', given]]));
  expect([reason('by the user'), reason({ reason: 'the tab closed' }), reason({ reason: 'the tab closed', started: false })]).toEqual([
    ['Cancelled (by the user)'],
    ['Cancelled (the tab closed)'],
    ['Cancelled (the tab closed): it was not started'],
  ]);
});
