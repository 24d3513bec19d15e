import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';

const sixteen = 'abcdefghijklmnop';

describe('bytes from outside', () => {
  it('are found from sixteen in a row on, wherever they stand, with their source', () => {
    const tracker = createOutsideTracker();
    tracker.note('docs.example', `see ${sixteen} here`);
    expect(tracker.find({ command: `echo ${sixteen}` })).toEqual([{ field: 'command', source: 'docs.example', text: ` ${sixteen}` }]);
    expect(tracker.find({ files: [{ text: 'x' }, { text: `-${sixteen}-` }] })).toEqual([{ field: 'files.1.text', source: 'docs.example', text: sixteen }]);
    expect(tracker.find({ [sixteen]: 1 })).toEqual([{ field: sixteen, source: 'docs.example', text: sixteen }]);
    expect(tracker.find({ command: sixteen.slice(1), n: 3, b: null })).toEqual([]);
  });

  it('are counted in UTF-8, and shown in whole characters', () => {
    const tracker = createOutsideTracker();
    tracker.note('a.example', 'ä语😀ä语😀');
    expect(tracker.find({ a: 'ä语😀ä语' })).toEqual([]);
    expect(tracker.find({ a: '>ä语😀ä语😀<' })).toEqual([{ field: 'a', source: 'a.example', text: 'ä语😀ä语😀' }]);
  });

  it('of two sources are two stretches, each of the one that brought it first', () => {
    const tracker = createOutsideTracker();
    tracker.note('a.example', sixteen);
    tracker.note('b.example', sixteen.toUpperCase());
    tracker.note('b.example', sixteen);
    expect(tracker.find({ a: `${sixteen}--${sixteen.toUpperCase()}` })).toEqual([
      { field: 'a', source: 'a.example', text: sixteen },
      { field: 'a', source: 'b.example', text: sixteen.toUpperCase() },
    ]);
  });

  it('are not the ids that this project gave', () => {
    const tracker = createOutsideTracker();
    tracker.ours('out_loyw3v28_abc_0');
    tracker.note('a.example', `Full output saved; call retrieve_tool_result ref=out_loyw3v28_abc_0 to view it.`);
    expect(tracker.find({ ref: 'out_loyw3v28_abc_0' })).toEqual([]);
  });

  it('are found exactly where a plain search finds them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '\n'), minLength: 0, maxLength: 60 });
    fc.assert(
      fc.property(text, text, (noted, argument) => {
        const tracker = createOutsideTracker();
        tracker.note('a.example', noted);
        const bytes = [...new TextEncoder().encode(argument)].map((byte) => String.fromCharCode(byte)).join('');
        const outside = [...new TextEncoder().encode(noted)].map((byte) => String.fromCharCode(byte)).join('');
        let carries = false;
        for (let at = 0; at + 16 <= bytes.length; at++) carries ||= outside.includes(bytes.slice(at, at + 16));
        expect(tracker.find({ a: argument }).length > 0).toBe(carries);
      }),
      { numRuns: 3_000 },
    );
  });

  it('that are too many to remember make every long string count as carrying', () => {
    const tracker = createOutsideTracker(100);
    tracker.note('a.example', Array.from({ length: 200 }, (_, n) => `line ${n} `).join(''));
    expect(tracker.find({ a: 'nothing of the kind at all', b: 'short' })).toEqual([
      { field: 'a', source: 'more outside text than is remembered', text: 'nothing of the kind at all' },
    ]);
  });

  it('cost a time that grows with the text alone', () => {
    const tracker = createOutsideTracker();
    tracker.note('a.example', 'a'.repeat(1_000_000));
    expect(tracker.find({ a: 'a'.repeat(1_000_000) })).toMatchObject([{ field: 'a', source: 'a.example' }]);
  });
});
