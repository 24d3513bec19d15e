import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insideExternal, wrapExternal } from '@/lib/pipeline/5-backfill/wrap-external';

/** What may not stand inside, also once invisible signs are gone. */
const TAG = /<\s*\/?\s*external_content/i;
const OPENING = /^<external_content source="([^"'<>\r\n]+)">\n/;
const CLOSING = '\n</external_content>';

function bodyOf(wrapped: string): string {
  const opening = OPENING.exec(wrapped);
  expect(opening).not.toBeNull();
  expect(wrapped.endsWith(CLOSING)).toBe(true);
  expect(wrapped.match(/<\/external_content>/g)).toHaveLength(1);
  return wrapped.slice(opening?.[0].length, wrapped.length - CLOSING.length);
}

const pieces = fc.constantFrom(
  '<',
  '/',
  '</',
  ' ',
  '\t',
  '\n',
  '\u00a0',
  '\u200b',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u034f',
  '\u202e',
  '\u0000',
  'external_content',
  'EXTERNAL_CONTENT',
  'ex\u200bternal_content',
  'external',
  '_content',
  'e',
  'x',
  '>',
  ' source="b"',
  '&lt;',
  '<external_content',
  '</external_content>',
  '＜／ｅｘｔｅｒｎａｌ＿ｃｏｎｔｅｎｔ＞',
  '\ud800',
  'text',
);

describe('text from outside', () => {
  it('cannot end its wrapper or open another, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 30 }), (parts) => {
        const body = bodyOf(wrapExternal(parts.join(''), 'a.example'));
        expect(body).not.toMatch(TAG);
        expect(body.replace(/\p{Cf}/gu, '')).not.toMatch(TAG);
        expect(body.replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '').normalize('NFKC')).not.toMatch(TAG);
      }),
      { numRuns: 5_000 },
    );
  });

  it('stays as it is, sign for sign, where it holds no such tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/external_content/i.test(text.normalize('NFKC')));
        expect(bodyOf(wrapExternal(text, 'a.example'))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('cannot leave its attribute through the name of its source', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a" b="c', "x'><y", 'a\u2028b', '<external_content>', '', '\u200b')), (source) => {
        const wrapped = wrapExternal('t', source);
        expect(insideExternal(wrapped)?.body).toBe('t');
        expect(bodyOf(wrapped)).toBe('t');
      }),
      { numRuns: 2_000 },
    );
  });

  it('is searched in one pass: openers that never end cost no more than their length', () => {
    const hostile = [
      `${'<'.repeat(300_000)}external_conten`,
      `<${' '.repeat(300_000)}`.repeat(2),
      `${`<${'\u200b'.repeat(50)}e`.repeat(6_000)}`,
      `<e${'\u200b'.repeat(300_000)}x`,
    ];
    for (const text of hostile) expect(bodyOf(wrapExternal(text, 'a.example'))).toHaveLength(text.length);
  });
});
