import { isOneOf, programOf } from './lookup';
import type { ShellWord } from './part';

/** Programs that change the folder of the commands behind them. */
export const folderChangers: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);

/** Beside `pathWriters` of the tables: those that write a file that one of their words names, or make a folder. Protected paths count them too. */
export const otherWriters: ReadonlySet<string> = new Set([
  'bunzip2',
  'bzip2',
  'csplit',
  'ed',
  'ex',
  'gunzip',
  'gzip',
  'mkdir',
  'patch',
  'split',
  'sqlite3',
  'tar',
  'uniq',
  'unxz',
  'unzip',
  'vi',
  'vim',
  'xxd',
  'xz',
  'zip',
]);

/** True for a sed that changes the files that its words name. */
export function editsInPlace(words: readonly ShellWord[]): boolean {
  return programOf(words) === 'sed' && words.some((word) => isOneOf(word.value, ['-i', '--in-place'], true));
}
