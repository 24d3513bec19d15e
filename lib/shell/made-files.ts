import { isOneOf, isOption, isShortFor, programOf } from './lookup';
import { readOptions } from './option-readings';
import { packers, packersReading } from './packers';
import type { ShellWord } from './part';
import { globalValueOptions } from './tables';
import { escapePattern } from './word';
import { wordPatterns } from './word-patterns';
import { writtenWords } from './written-words';

/** Files that a command makes, as patterns: each of the names in each of the folders; without folders the names are whole paths. */
export interface MadeFiles {
  readonly folders?: readonly string[];
  readonly names: readonly string[];
}

/**
 * The files that a command makes under a name that none of its words is: in a folder under the name of what is copied there, under the name of a
 * packed file without its suffix, or under a name put together.
 *
 * Out    what is not known to be a file counts as a folder. None for what an archive, a patch or a folder brings along: the command does not say it.
 *        Linear in the words.
 * Source the programs' own documentation.
 */
export function madeFiles(words: readonly ShellWord[]): MadeFiles {
  const program = programOf(words);
  return Object.hasOwn(makers, program) ? (makers[program] as Maker)(words, program) : nothing;
}

type Maker = (words: readonly ShellWord[], program: string) => MadeFiles;
const nothing: MadeFiles = { names: [] };

/** What a word may stand for; of more than anyone writes, none: the words of these programs are looked at by themselves too. */
function patternsOf(word: ShellWord): readonly string[] {
  return wordPatterns(word) ?? [];
}

function operandsOf(words: readonly ShellWord[], from = 1): readonly ShellWord[] {
  return words.slice(from).filter(({ value }) => !isOption(value));
}

/** The value of an option, in each of its spellings: `-t V`, `-tV`, also in a group, `--long V`, `--long=V`, `--lo=V`. */
function optionValue(words: readonly ShellWord[], letter: string, long: string): ShellWord | undefined {
  const group = new RegExp(`^-[A-Za-z]*?${letter}`);
  for (const [index, word] of words.entries()) {
    const { value } = word;
    const name = isShortFor(value, [long]) ? value.replace(/=[\s\S]*$/, '') : group.exec(value)?.[0];
    if (name === undefined) continue;
    if (name === value) return words[index + 1];
    const start = name.startsWith('--') ? name.length + 1 : name.length;
    return { ...word, value: value.slice(start), ...(word.pattern === undefined ? {} : { pattern: word.pattern.slice(start) }) };
  }
  return undefined;
}

/** Copies, moves and links: into a folder under the old name. */
function copied(words: readonly ShellWord[], program: string): MadeFiles {
  const from = program === 'git' ? gitCommand(words) + 1 : 1;
  const named = program === 'rsync' || program === 'scp' ? undefined : optionValue(words, 't', '--target-directory');
  const operands = operandsOf(words, from);
  const names = operands.flatMap(namesOf);
  if (program === 'ln' && named === undefined && operands.length === 1) return { names };
  const targets = named === undefined ? lastOperands(words, from) : [named];
  // The name of a target that is sure says nothing; one that is not may be a source.
  const sources = targets.length === 1 ? operands.filter((word) => word !== targets[0]).flatMap(namesOf) : names;
  return { folders: targets.flatMap(patternsOf), names: sources };
}

function gitCommand(words: readonly ShellWord[]): number {
  return readOptions(words, 1, globalValueOptions.git ?? []).sure;
}

/** The last operand, and those before it where it may be the value of an option. */
function lastOperands(words: readonly ShellWord[], from: number): readonly ShellWord[] {
  const found: ShellWord[] = [];
  for (let index = words.length - 1; index >= from; index--) {
    const word = words[index] as ShellWord;
    if (isOption(word.value)) continue;
    found.push(word);
    if (index === from || !isOption((words[index - 1] as ShellWord).value)) break;
  }
  return found;
}

/** The last part of a path or an address; none for a folder's own content. */
function namesOf(word: ShellWord): readonly string[] {
  return patternsOf(word)
    .map((path) => /[^/:]*$/.exec(path.replace(/\/+$/, ''))?.[0] ?? '')
    .filter((name) => name !== '' && name !== '.' && name !== '..');
}

/** Packers: under the name without its suffix. */
function unpacked(words: readonly ShellWord[]): MadeFiles {
  if (words.some(({ value }) => isOneOf(value, packersReading, true))) return nothing;
  const suffix = optionValue(words, 'S', '--suffix')?.value ?? '';
  const bare = (path: string) => [path.replace(/\.[^./]*$/, ''), ...(suffix !== '' && path.endsWith(suffix) ? [path.slice(0, -suffix.length)] : [])];
  return { names: operandsOf(words).flatMap(patternsOf).flatMap(bare) };
}

/** Pieces of a file: a prefix, letters or digits that count up, and an ending. */
function pieces(words: readonly ShellWord[]): MadeFiles {
  const ending = optionValue(words, '(?!)', '--additional-suffix');
  const end = ending?.pattern ?? escapePattern(ending?.value ?? '');
  return { names: operandsOf(writtenWords(words), 0).flatMap((prefix) => patternsOf(prefix).map((path) => `${path}?*${end}`)) };
}

function countedPieces(words: readonly ShellWord[]): MadeFiles {
  const format = optionValue(words, 'b', '--suffix-format');
  if (format === undefined) return nothing;
  const prefix = optionValue(words, 'f', '--prefix');
  const ending = escapePattern(format.value).replace(/%[^a-zA-Z%]*[a-zA-Z]/, '*');
  return { names: (prefix === undefined ? ['xx'] : patternsOf(prefix)).map((path) => path + ending) };
}

// Commands of its own begin with a dot; of SQL these name files.
const sqlOfFiles = /^\s*\.|\n\s*\.|\b(?:attach|vacuum|writefile)\b/i;

/** What the commands of sqlite3, which are one word each, name in turn. */
function sqliteFiles(words: readonly ShellWord[]): MadeFiles {
  const scripts = words.slice(1).filter(({ value }) => sqlOfFiles.test(value));
  return { names: scripts.flatMap(({ value }) => value.split(/[\s"'`();,=|[\]]+/).map(escapePattern)) };
}

const makers: Readonly<Record<string, Maker>> = {
  ...Object.fromEntries(['cp', 'mv', 'ln', 'install', 'rsync', 'scp'].map((name) => [name, copied])),
  ...Object.fromEntries(packers.map((name) => [name, unpacked])),
  csplit: countedPieces,
  git: (words, program) => (words[gitCommand(words)]?.value === 'mv' ? copied(words, program) : nothing),
  split: pieces,
  sqlite3: sqliteFiles,
  wget: (words) => ({ names: operandsOf(words).flatMap(namesOf) }),
};
