import { entryOf, isOneOf, isShortFor, programOf } from './lookup';
import { readOptions } from './option-readings';
import { packers, packersReading } from './packers';
import type { ShellWord } from './part';
import { filesWrittenBySed, sedScripts } from './sed-script';
import { pathWriters } from './tables';
import { escapePattern } from './word';

/** How the words of a program name what it writes. */
interface Writer {
  /** All of them, all but the first operand (which it reads), or that one alone. */
  readonly words: 'all' | 'later' | 'first';
  /** Options of its own that take the next word. */
  readonly valueOptions?: readonly string[];
  /** With one of these it only reads. */
  readonly readingOptions?: readonly string[];
  /** With one of these any word may be written. */
  readonly wideOptions?: readonly string[];
}

const packer: Writer = { words: 'all', readingOptions: packersReading };
const editors: Writer = { words: 'all' };

/** Beside `pathWriters` of the tables. Source the programs' own documentation. */
const otherWriters: Readonly<Record<string, Writer>> = {
  ...Object.fromEntries(packers.map((name) => [name, packer])),
  bsdtar: { words: 'all' },
  cpio: { words: 'all' },
  csplit: { words: 'later', valueOptions: ['-b', '-f', '-n', '--digits', '--prefix', '--suffix-format'] },
  ed: editors,
  emacs: editors,
  ex: editors,
  micro: editors,
  mkdir: { words: 'all' },
  mktemp: { words: 'all' },
  nano: editors,
  patch: { words: 'all' },
  rename: { words: 'all' },
  scp: { words: 'all' },
  sponge: { words: 'all' },
  split: { words: 'later', valueOptions: ['-a', '-b', '-C', '-l', '-n', '-t', '--additional-suffix', '--bytes', '--filter', '--lines', '--number'] },
  sqlite3: { words: 'all' },
  tar: { words: 'all' },
  uniq: { words: 'later', valueOptions: ['-f', '-s', '-w', '--check-chars', '--skip-chars', '--skip-fields'] },
  unzip: { words: 'all', readingOptions: ['-c', '-l', '-p', '-t', '-v', '-z', '-Z'] },
  vi: editors,
  vim: editors,
  xxd: { words: 'later', valueOptions: ['-c', '-g', '-l', '-n', '-o', '-s', '-cols', '-len', '-name', '-seek'] },
  zip: { words: 'first', valueOptions: ['-b', '-n', '-t', '-tt'], wideOptions: ['-m', '-O', '--move', '--out'] },
};

/**
 * The words by which a command names files that its program writes, makes, moves or removes; of a script for sed the names in it.
 *
 * Out    none for a program that is not known to write what its words name.
 */
export function writtenWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const program = programOf(words);
  const rest = words.slice(1);
  if (pathWriters.includes(program)) return rest;
  if (program === 'sed') return editsInPlace(rest) ? [...rest, ...sedFiles(words)] : sedFiles(words);
  const writer = entryOf(otherWriters, program);
  if (writer === undefined || onlyReads(program, writer, rest)) return [];
  if (writer.words === 'all' || rest.some(({ value }) => isOneOf(value, writer.wideOptions ?? [], true))) return rest;
  const first = words[readOptions(words, 1, writer.valueOptions ?? []).sure];
  return writer.words === 'first' ? (first === undefined ? [] : [first]) : rest.filter((word) => word !== first);
}

/** True for a program that may write what its words name, and with the options that it has here does not. */
export function readsHere(words: readonly ShellWord[]): boolean {
  const writer = entryOf(otherWriters, programOf(words));
  return writer !== undefined && onlyReads(programOf(words), writer, words.slice(1));
}

function onlyReads(program: string, { readingOptions = [] }: Writer, words: readonly ShellWord[]): boolean {
  if (program !== 'tar' && program !== 'bsdtar') return words.some(({ value }) => isOneOf(value, readingOptions, true));
  // Its first word may be options without a dash.
  const options = words.filter(({ value }, index) => index === 0 || value.startsWith('-')).map(({ value }) => value);
  const letters = options.filter((value) => !value.startsWith('--')).join('');
  return (/t/.test(letters) || options.includes('--list')) && !/[Acrux]/.test(letters) && options.every((value) => !/^--(?!list$|file)/.test(value));
}

/** True for a sed that changes the files that its words name. */
function editsInPlace(words: readonly ShellWord[]): boolean {
  return words.some((word) => isOneOf(word.value, ['-i', '--in-place'], true) || isShortFor(word.value, ['--in-place']));
}

function sedFiles(words: readonly ShellWord[]): readonly ShellWord[] {
  return sedScripts(words).flatMap(({ script, word }) =>
    filesWrittenBySed(script).map((file): ShellWord => ({ ...word, value: file, pattern: escapePattern(file) })),
  );
}
