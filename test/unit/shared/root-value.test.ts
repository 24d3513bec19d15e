import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRootValueScan } from '@/lib/shared/root-value';

function stateAfter(...fragments: readonly string[]): string {
  const scan = createRootValueScan();
  for (const fragment of fragments) scan.push(fragment);
  return scan.state;
}

describe('the scan for the end of a root value', () => {
  it('tells the states apart', () => {
    expect(['', ' \n', '{', '{"a":"}"', '{"a":"\\"}', '{}', ' [1,{}] ', '"a\\"b"', '"a\\', '12', 'null', '{}x', '{}{'].map((text) => stateAfter(text))).toEqual(
      ['blank', 'blank', 'open', 'open', 'open', 'complete', 'complete', 'complete', 'open', 'scalar', 'scalar', 'overrun', 'overrun'],
    );
  });

  it('knows a bare {} from an object with members, and from a list', () => {
    const isEmptyObject = (text: string): boolean => {
      const scan = createRootValueScan();
      scan.push(text);
      return scan.isEmptyObject;
    };
    expect(['{}', ' { \n} ', '{"a":1}', '[]', '{', '{{}}', '{}{'].map(isEmptyObject)).toEqual([true, true, false, false, false, false, false]);
  });

  it('is complete exactly at the last character of any object or list, however it is cut', () => {
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        expect(stateAfter(text.slice(0, cut), text.slice(cut))).toBe('complete');
        expect(stateAfter(text.slice(0, cut)) === 'complete').toBe(cut === text.length);
      }),
    );
  });
});
