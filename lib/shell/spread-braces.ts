import { expandBraces } from '@/lib/shared/glob';
import type { ShellWord } from './part';
import { spellSequences } from './sequence';
import { unescapePattern } from './word';
import { wordPatterns } from './word-patterns';

/** The words of a command with its braces taken apart: they make words of their own, and these are what runs. A word of very many stays as it is. */
export function spreadBraces(words: readonly ShellWord[]): readonly ShellWord[] {
  if (!words.some(hasBraces)) return words;
  const known = spreads.get(words);
  if (known !== undefined) return known;
  const spread = words.flatMap((word) =>
    hasBraces(word)
      ? expandBraces(spellSequences(word.pattern as string)).map((pattern): ShellWord => ({ ...word, value: unescapePattern(pattern), pattern }))
      : [word],
  );
  spreads.set(words, spread);
  return spread;
}

/** True for a word whose braces stand for more words than anyone writes. */
export function spreadsBeyond(word: ShellWord): boolean {
  return hasBraces(word) && wordPatterns(word) === undefined;
}

function hasBraces({ expands, pattern }: ShellWord): boolean {
  return expands && pattern?.includes('{') === true;
}

const spreads = new WeakMap<readonly ShellWord[], readonly ShellWord[]>();
