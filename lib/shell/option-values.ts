import { entryOf, isOneOf, isOption, programOf } from './lookup';
import { readOptions } from './option-readings';
import type { ShellWord } from './part';
import { globalValueOptions, pathWriters, stateBuiltins, wrappers, wrapperValueOptions } from './tables';
import { escapePattern } from './word';
import { readsHere } from './written-words';

/** Programs that write no file that an option names, or ask for the option that does. Source the programs' own documentation. */
const readers: ReadonlySet<string> = new Set([
  ...['ack', 'ag', 'arch', 'b2sum', 'base64', 'basename', 'bat', 'cat', 'cd', 'cksum', 'cmp', 'column', 'comm', 'cut', 'date', 'df', 'diff', 'dirname'],
  ...['du', 'echo', 'egrep', 'exa', 'expand', 'eza', 'fd', 'fgrep', 'file', 'find', 'fmt', 'fold', 'grep', 'head', 'hexdump', 'join', 'jq', 'kill', 'less'],
  ...['ls', 'lsof', 'md5sum', 'more', 'nl', 'od', 'paste', 'popd', 'pr', 'printf', 'pushd', 'pwd', 'read', 'readlink', 'realpath', 'rev', 'rg', 'sed'],
  ...['sha1sum', 'sha256sum', 'sha512sum', 'sleep', 'sort', 'stat', 'strings', 'sum', 'tac', 'tail', 'test', 'tr', 'tree', 'type', 'uniq', 'wc', 'which'],
  ...['xxd', 'yq', 'zcat', 'zgrep', 'zip', '[', ...stateBuiltins],
]);

/** Sub-commands of git that write, move or remove files that their words name. */
const gitWriters: ReadonlySet<string> = new Set([
  ...['apply', 'archive', 'bugreport', 'bundle', 'checkout', 'checkout-index', 'clean', 'clone', 'config', 'diagnose', 'fast-export', 'format-patch'],
  ...['init', 'mailinfo', 'mailsplit', 'merge-file', 'mv', 'restore', 'rm', 'stash', 'submodule', 'worktree'],
]);

/** What such an option names is read or left alone. */
const leaving = /^(?:--(?:no-|not-|check|compare|diff|exclude|ignore|include|list|skip)|-[eEiISxX]$)/;

/** With one of these a program changes the files that its words name. */
const inPlace = ['-w', '--fix', '--in-place', '--inplace', '--overwrite', '--write'];

/**
 * The words by which a program that is not known to only read may name what it writes: values of its options, glued, behind = or as the next word;
 * where it changes files in place, all of them.
 *
 * Out    of git the words of a sub-command that writes files; of a wrapper only its own options.
 */
export function optionValues(words: readonly ShellWord[]): readonly ShellWord[] {
  const program = programOf(words);
  if (readers.has(program) || readsHere(words)) return [];
  if (program === 'git') return gitWords(words);
  // They make the file that they name beside a command.
  if (program === 'script') return words.slice(1);
  const own = entryOf(wrappers, program) === undefined ? words.slice(1) : ownWords(program, words);
  if (pathWriters.includes(program)) return glued(own);
  if (own.some(({ value }) => isOneOf(value, inPlace, false))) return own;
  const found: ShellWord[] = [];
  for (const [index, word] of own.entries()) {
    const before = own[index - 1]?.value ?? '';
    const isNext = !isOption(word.value) && isOption(before) && before !== '--' && !before.includes('=') && !leaving.test(before);
    if (isNext || (word.value.includes('=') && !leaving.test(word.value))) found.push(word);
  }
  return [...found, ...glued(own)];
}

function gitWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const { sure } = readOptions(words, 1, globalValueOptions.git ?? []);
  if (!gitWriters.has(words[sure]?.value ?? '')) return [];
  const rest = words.slice(sure + 1);
  const isOfIndex = rest.some(({ value }) => /^(?:-S|--staged|--cached)$/.test(value)) && !rest.some(({ value }) => /^(?:-W|--work)/.test(value));
  if (isOfIndex) return [];
  return [...rest, ...glued(rest)];
}

/** What stands in front of the command that a wrapper runs. */
function ownWords(program: string, words: readonly ShellWord[]): readonly ShellWord[] {
  return words.slice(1, readOptions(words, 1, entryOf(wrapperValueOptions, program) ?? []).sure);
}

/** The values that stand directly behind the letter of an option. */
function glued(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.flatMap((word): readonly ShellWord[] => {
    if (!/^-[A-Za-z0-9]./.test(word.value)) return [];
    return [{ ...word, value: word.value.slice(2), pattern: (word.pattern ?? escapePattern(word.value)).slice(2) }];
  });
}
