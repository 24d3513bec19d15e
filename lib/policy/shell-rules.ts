import { compileGlob } from '@/lib/shared/glob';
import { globsMeet } from '@/lib/shared/glob-meets';
import { entryOf, isOption, programOf } from '@/lib/shell/lookup';
import { readOptions } from '@/lib/shell/option-readings';
import { otherNames } from '@/lib/shell/other-names';
import { anyText, type ShellWord } from '@/lib/shell/part';
import { spreadBraces } from '@/lib/shell/spread-braces';
import { globalValueOptions } from '@/lib/shell/tables';
import { escapePattern } from '@/lib/shell/word';

/** One line of the shell lists of a policy, read. */
export interface ShellRule {
  /** As the policy writes it, blanks between the words made one. */
  readonly text: string;
  readonly words: readonly RuleWord[];
  /** Its last word is just a star: any further words, none included. */
  readonly open: boolean;
}

/** `pieces`: the text between the stars; one piece = no star. */
interface RuleWord {
  readonly pieces: readonly string[];
  readonly forOptions: boolean;
}

/**
 * Reads a rule string: words separated by blanks, a star for any run of characters inside one word.
 *
 * Out    undefined for a string without words, which fits nothing.
 */
export function readShellRule(text: string): ShellRule | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  const open = words[words.length - 1] === '*';
  const closed = open ? words.slice(0, -1) : words;
  return { text: words.join(' '), open, words: closed.map((word) => ({ pieces: word.split('*'), forOptions: word.startsWith('-') })) };
}

/** True for the rule that covers every part, also one without words. */
export function coversAll(rule: ShellRule): boolean {
  return rule.open && rule.words.length === 0;
}

/** True when an allow rule fits the words as they were written; a star fits no option unless its word begins with a dash. */
export function fitsAsWritten(rule: ShellRule, words: readonly ShellWord[]): boolean {
  if (rule.open ? words.length < rule.words.length : words.length !== rule.words.length) return false;
  return rule.words.every((word, index) => {
    const value = (words[index] as ShellWord).value;
    if (word.pieces.length > 1 && value.startsWith('-') && !word.forOptions) return false;
    return fitsWord(word, value);
  });
}

/**
 * True when a deny or ask rule fits what the shell would run.
 *
 * In     the words behind assignments in front. The program counts with and without its directory, the sub-command under its own
 *        name and the one it is another name of; options before it are skipped where that makes the rule fit, in every reading of their values.
 */
export function fitsAsRun(rule: ShellRule, words: readonly ShellWord[]): boolean {
  if (coversAll(rule)) return true;
  const first = rule.words[0];
  const written = words[0]?.value;
  if (first === undefined || written === undefined) return false;
  const program = programOf(words);
  if (!fitsWord(first, program) && !fitsWord(first, written)) return false;
  const others = entryOf(otherNames, program);
  const spread = spreadBraces(words);
  return startsOf(program, spread).some((start) => {
    if (fitsFrom(rule, spread, start)) return true;
    const named = others === undefined ? undefined : entryOf(others, spread[start]?.value ?? '');
    return named !== undefined && fitsFrom(rule, spread, start, named);
  });
}

/** True where a glob of the shell may become what the rule's word fits; what begins with a dash or a dot has to be written so. */
function globFits({ pieces }: RuleWord, { literal, value, pattern }: ShellWord): boolean {
  if (literal || pattern === undefined || !globMark.test(pattern) || (pieces[0]?.startsWith('-') === true && !value.startsWith('-'))) return false;
  // A star of a rule goes over slashes, one of the shell does not.
  const path = (text: string) => (pieces.length === 1 ? text : text.replaceAll('/', '\u0004'));
  const segments = (glob: string) => compileGlob(`@/${path(glob)}`)[0] ?? [];
  return globsMeet(segments(pieces.map(escapePattern).join('*')), segments(pattern.replaceAll(anyText, '*')));
}

const globMark = new RegExp(`[*?[${anyText}]`);

/** `named`: what the sub-command is another name of. */
function fitsFrom(rule: ShellRule, words: readonly ShellWord[], start: number, named?: string): boolean {
  const left = words.length - start;
  const wanted = rule.words.length - 1;
  if (rule.open ? left < wanted : left !== wanted) return false;
  for (let index = 0; index < wanted; index++) {
    const word = words[start + index] as ShellWord;
    const wantedWord = rule.words[index + 1] as RuleWord;
    if (index === 0 && named !== undefined ? fitsWord(wantedWord, named) : fitsWord(wantedWord, word.value) || globFits(wantedWord, word)) continue;
    return false;
  }
  return true;
}

/** Where the words behind the program may be taken to begin: there, and behind each option that is skipped. */
function startsOf(program: string, words: readonly ShellWord[]): readonly number[] {
  const second = words[1]?.value;
  if (second === undefined || !isOption(second)) return [1];
  const known = starts.get(words);
  if (known !== undefined) return known;
  const valueOptions = entryOf(globalValueOptions, program) ?? [];
  const { all, passed } = readOptions(words, 1, valueOptions);
  const found = [...new Set([...passed, ...all])];
  starts.set(words, found);
  return found;
}

// Each part is held against many rules.
const starts = new WeakMap<readonly ShellWord[], readonly number[]>();

function fitsWord(word: RuleWord, value: string): boolean {
  const { pieces } = word;
  const first = pieces[0] as string;
  if (pieces.length === 1) return value === first;
  const last = pieces[pieces.length - 1] as string;
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false;
  let from = first.length;
  const end = value.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = value.indexOf(piece, from);
    if (at === -1 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
