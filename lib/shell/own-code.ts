import { entryOf, isOneOf, programOf } from './lookup';
import type { ShellWord } from './part';
import { fillers } from './programs';
import { sedRuns, sedScripts } from './sed-script';
import { stateBuiltins, wrappers } from './tables';

/** Options whose value the program runs, or that name what it runs. Source the programs' own documentation. */
const runningOptions: Readonly<Record<string, readonly string[]>> = {
  bind: ['-x'],
  compgen: ['-C', '-F'],
  complete: ['-C', '-F'],
  enable: ['-f'],
  ex: ['-c', '-S', '--cmd'],
  hash: ['-p'],
  mapfile: ['-C'],
  readarray: ['-C'],
  vi: ['-c', '-S', '--cmd'],
  vim: ['-c', '-S', '--cmd'],
};

// The dot-commands that run a program, and a pipe in place of a file.
const sqliteRuns = /(?:^|\n)\s*\.(?:(?:sh|she\w*|sy\w*)(?:\s|$)|\w+[^\n]*\|)/;

// What a shell or its like runs before anything else.
const runNames = 'BASH_ENV|PROMPT_COMMAND|BASH_ALIASES';
const runVariables = new RegExp(`^(?:${runNames})(?:\\[[^=]*\\])?\\+?=[\\s\\S]`);
const runName = new RegExp(`^(?:${runNames})(?:\\[|$)`);
// As an operand, or behind the letters of the option that takes it.
const givenName = new RegExp(`^(?:-[A-Za-z]*)?(?:${runNames})(?:\\[|$)`);
const otherName = new RegExp(`^\\w+=(?:${runNames})(?:\\[|$)`);

/** Why what a program runs cannot be judged, though it is no wrapper: code in its options or in a language of its own; undefined when it runs none. */
export function ownCode(words: readonly ShellWord[]): string | undefined {
  const program = programOf(words);
  const options = entryOf(runningOptions, program);
  const option = options === undefined ? undefined : words.slice(1).find(({ value }) => isOneOf(value, options, true));
  if (option !== undefined) return `with ${option.text} ${program} runs something else`;
  if (program === 'sed' && sedScripts(words).some(({ script, word }) => sedRuns(script, word.literal))) return 'a script for sed runs commands';
  if (program === 'sqlite3' && words.slice(1).some(({ value }) => sqliteRuns.test(value))) return 'sqlite3 runs a program';
  // The name stands for other words from then on, and nothing here follows it.
  const alias = program === 'alias' ? words.slice(1).find(({ value, literal }) => value.includes('=') || !literal) : undefined;
  if (alias !== undefined) return `an alias runs what ${alias.text} says`;
  const filled = fillers.includes(program) ? words.find((word, index) => index > 0 && fills(program, word.value, words[index - 1]?.value)) : undefined;
  if (filled !== undefined) return `a shell runs what ${filled.text} names`;
  const sets = stateBuiltins.includes(program) || entryOf(wrappers, program) !== undefined;
  const refers = words.slice(1).some(({ value }) => /^-[A-Za-z]*n/.test(value));
  const variable = sets ? words.slice(1).find(({ value }) => setsWhatRuns(value) || (refers && otherName.test(value))) : undefined;
  return variable === undefined ? undefined : `a shell runs what ${variable.text} names`;
}

/** printf prints its operands; only an option names a variable. */
function fills(program: string, value: string, before: string | undefined): boolean {
  return givenName.test(value) && (program !== 'printf' || before === '-v' || value.startsWith('-v'));
}

/** True for an assignment to a variable that names what a shell runs. */
export function setsWhatRuns(assignment: string): boolean {
  return runVariables.test(assignment);
}

/** True for the name of such a variable, with an index or without. */
export function isNameOfWhatRuns(name: string): boolean {
  return runName.test(name);
}
