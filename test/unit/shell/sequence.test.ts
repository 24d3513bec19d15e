import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGlob, expandBraces } from '@/lib/shared/glob';
import { anyText } from '@/lib/shell/part';
import { globSequences, spellSequences } from '@/lib/shell/sequence';

const spelled = (pattern: string) => expandBraces(spellSequences(pattern));

describe('a sequence in braces', () => {
  it('is the words that bash makes of it', () => {
    const words: Readonly<Record<string, string>> = {
      'pu{s..s}h': 'push',
      '{+1..+3}': '1 2 3',
      '{1..9..-4}': '1 5 9',
      '{9..1..4}': '9 5 1',
      '{1..3..0}': '1 2 3',
      '{t..u..+1}': 't u',
      '{-1..1}': '-1 0 1',
      '{1..2}{a..b}': '1a 1b 2a 2b',
      '{99999999999..100000000001}': '99999999999 100000000000 100000000001',
      '{x,{a..b}}': 'x a b',
      '\\\\\\\\{': '\\\\\\\\{',
    };
    for (const [pattern, made] of Object.entries(words)) expect([pattern, spelled(pattern).join(' ')]).toEqual([pattern, made]);
  });

  it('is text where bash takes it for text', () => {
    for (const pattern of ['{a..5}', '{t..u..}', '{t..u..a}', '{1...3}', '{--1..1}', '{0x1..3}', '{_..a}', '\\{a..c}', '{é..ê}', '{a..b,c'])
      expect(spellSequences(pattern)).toBe(pattern);
  });

  it('may be anything where it is long, has zeros in front or makes too much with others', () => {
    expect(['{1..65}', '{01..9}', '{1..99999999999999999999}', '{1..9}{1..9}'].map(spellSequences)).toEqual([
      anyText,
      anyText,
      anyText,
      `{1,2,3,4,5,6,7,8,9}${anyText}`,
    ]);
  });

  it('keeps its form in the name of a file, whatever its length', () => {
    expect(['.en{v..w}', '{a..z}', 'img-{001..120}', 'day-{8..12}', '{A..z}', '{-5..99}', '{1..99999999}'].map(globSequences)).toEqual([
      '.en{v,w}',
      '[a-z]',
      'img-[0-9][0-9][0-9]',
      'day-{[0-9],[0-9][0-9]}',
      '?',
      anyText,
      anyText,
    ]);
  });

  it('fits in the name of a file each name that it makes', () => {
    const end = fc.integer({ min: 0, max: 2000 });
    fc.assert(
      fc.property(end, end, fc.integer({ min: 1, max: 9 }), (from, to, step) => {
        const [glob] = [createGlob(globSequences(`x{${from}..${to}..${step}}`).replaceAll(anyText, '*'))];
        for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? step : -step) if (!glob(`x${at}`)) return false;
        return !glob('x.pem');
      }),
      { numRuns: 1000 },
    );
  });

  it('of letters is what the list of them is', () => {
    const letter = fc.integer({ min: 97, max: 122 });
    fc.assert(
      fc.property(letter, letter, (from, to) => {
        const codes = Array.from({ length: Math.abs(to - from) + 1 }, (_code, index) => from + (to < from ? -index : index));
        const range = `{${String.fromCharCode(from)}..${String.fromCharCode(to)}}`;
        expect(spelled(`a${range}b`)).toEqual(codes.map((code) => `a${String.fromCharCode(code)}b`));
      }),
      { numRuns: 1000 },
    );
  });
});
