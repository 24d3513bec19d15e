import { arity } from './arity-table';
import { neverGroup } from './never-group-table';
import type { ShellWord } from './part';

/**
 * The words that stand for a whole family of commands: `npm test` for every `npm test …`.
 *
 * In     the words of one simple command.
 * Out    undefined where the command has no family: on the never-group list, no entry of the arity table, an expansion in
 *        any word (braces that can make no option are none), or an option among the first words that is not in the family's own name.
 * Source governance 9 and the cases of kind fingerprints.
 */
export function familyWords(words: readonly ShellWord[]): readonly string[] | undefined {
  if (words.length === 0 || words[0]?.literal !== true || words.some(isUnknown) || beginsWithOneOf(words)) return undefined;
  const name = longestFamily(words);
  if (name === undefined) return undefined;
  const wanted = arity[name.join(' ')] as number | 'operands';
  const kept = wanted === 'operands' ? words.filter((word, index) => index === 0 || !word.value.startsWith('-')) : words.slice(0, wanted);
  if (wanted !== 'operands' && kept.length < wanted) return undefined;
  const isClear = kept.every((word, index) => index < name.length || !word.value.startsWith('-'));
  return isClear ? kept.map(named) : undefined;
}

/** A word that is still to be expanded stands as it is written, its text in quotes stands in quotes. */
function named({ literal, text, value }: ShellWord): string {
  if (!literal) return text;
  return /[*?[{~]/.test(value) ? `'${value}'` : value;
}

/** Braces leave further words that are free in a family; what they make must not be an option. */
function isUnknown({ expands, text, pattern = '' }: ShellWord): boolean {
  if (!expands) return false;
  return /[$`'"\\<>-]/.test(text) || !text.includes('{') || pattern === '';
}

function longestFamily(words: readonly ShellWord[]): readonly string[] | undefined {
  for (let count = Math.min(LONGEST, words.length); count > 0; count--) {
    const name = words.slice(0, count).map((word) => word.value);
    if (name.every((word) => !word.includes(' ')) && Object.hasOwn(arity, name.join(' '))) return name;
  }
  return undefined;
}

function beginsWithOneOf(words: readonly ShellWord[]): boolean {
  return never.some((entry) => entry.length <= words.length && entry.every((word, index) => words[index]?.value === word));
}

const never = neverGroup.map((entry) => entry.split(' '));
const LONGEST = Math.max(...Object.keys(arity).map((name) => name.split(' ').length));
