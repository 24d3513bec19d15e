import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForgeryFilter } from '@/lib/pipeline/1-stream/strip-forged';

const runs = { numRuns: 1_000 };
const piece = fc.constantFrom(
  '<',
  '>',
  '/',
  '[',
  ']',
  '(',
  '`',
  '``',
  '```',
  '\n',
  ' ',
  ':',
  '|',
  '｜',
  '▁',
  '_',
  'a',
  'x:',
  'tool_call',
  'TOOL_CALLS',
  'invoke',
  'function_call',
  'DSML',
  'tool',
  'calls',
  'begin',
  'end',
  'tool_code',
  '[TOOL_CALL]',
  '[/TOOL_CALL]',
  '[tool_call](x)',
  '<tool_call>',
  '</tool_call>',
  '<ns:invoke a="1">',
  '</ns:invoke >',
  '<invoke/>',
  '`<invoke>`',
  '<｜DSML｜invoke x>',
  '</｜DSML｜invoke>',
  '<|tool_calls_begin|>',
  '<|tool_calls_end|>',
  '<｜tool▁call▁begin｜>',
  '<｜tool▁call▁end｜>',
  '\n```tool_call\n',
  '😀',
);
const speech = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

function read(chunks: readonly string[]) {
  const filter = createForgeryFilter();
  const outputs = chunks.map((chunk) => filter.push(chunk));
  const last = filter.end();
  const all = [...outputs, last];
  return {
    visible: all.map((output) => output.visible).join(''),
    stripped: all.flatMap((output) => output.stripped),
    notice: all.some((output) => output.notice),
    insideAtEnd: last.insideAtEnd,
  };
}

describe('forgery stripping', () => {
  it('gives the same however the text is cut', () => {
    fc.assert(
      fc.property(speech, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
        const whole = read([text]);
        expect(read(text.split(''))).toEqual(whole);
        const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
        expect(read([0, ...cuts].map((from, index) => text.slice(from, cuts[index])))).toEqual(whole);
      }),
      runs,
    );
  });

  it('loses nothing: the visible text with the hidden spans put back is the text', () => {
    fc.assert(
      fc.property(speech, (text) => {
        const { visible, stripped } = read([text]);
        let at = 0;
        let restored = '';
        for (const span of stripped) {
          restored += visible.slice(at, span.offset) + span.text;
          at = span.offset;
        }
        expect(restored + visible.slice(at)).toBe(text);
      }),
      runs,
    );
  });

  it('hides no text without an opener, and says so whenever it hides', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), speech, (plain, text) => {
        if (!/[<[]/.test(plain)) expect(read([plain]).visible).toBe(plain);
        const seen = read([text]);
        if (seen.stripped.length > 0) expect(seen.notice).toBe(true);
        if (seen.stripped.length === 0) expect(seen.visible).toBe(text);
      }),
      runs,
    );
  });

  it('stays linear on endless openers, tags, mentions and closers', () => {
    const endless = ['<a', '<invoke ', '`<invoke a', '<tool_call></tool_call ', '[TOOL_CALL][/TOOL_', '<|tool_', '`<invoke>', 'aaaaaaaaaa'];
    const startedAt = performance.now();
    for (const start of endless) {
      const filter = createForgeryFilter();
      for (let i = 0; i < 50_000; i++) filter.push(i === 0 ? start : start.slice(-10));
      filter.end();
    }
    const filter = createForgeryFilter();
    for (let i = 0; i < 100_000; i++) filter.push(i === 0 ? '<n' : 'aaaaaaaaaaaaaaaaaaaa');
    expect(filter.end().visible.length).toBe(1_999_982);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
