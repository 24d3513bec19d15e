import { arity } from './arity-table';
import { neverGroup } from './never-group-table';
import type { ShellWord } from './part';

/**
 * The words that stand for a whole family of commands: `npm test` for every `npm test …`.
 *
 * In     the words of one simple command.
 * Out    undefined where the command has no family: on the never-group list, no entry of the arity table, an expansion in
 *        any word, or an option among the first words that is not in the family's own name.
 * Source governance 9 and the cases of kind fingerprints.
 */
export function familyWords(words: readonly ShellWord[]): readonly string[] | undefined {
  if (words.length === 0 || words.some((word) => word.expands) || beginsWithOneOf(words)) return undefined;
  const name = longestFamily(words);
  if (name === undefined) return undefined;
  const wanted = arity[name.join(' ')] as number | 'operands';
  const kept = wanted === 'operands' ? words.filter((word, index) => index === 0 || !word.value.startsWith('-')) : words.slice(0, wanted);
  if (wanted !== 'operands' && kept.length < wanted) return undefined;
  const isClear = kept.every((word, index) => word.literal && (index < name.length || !word.value.startsWith('-')));
  return isClear ? kept.map((word) => word.value) : undefined;
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
