import { innerCommands } from '@/lib/shell/inner-commands';
import { entryOf, isOneOf, isShortFor, programOf } from '@/lib/shell/lookup';
import { neverGroup } from '@/lib/shell/never-group-table';
import type { ShellPart, ShellReading, ShellWord } from '@/lib/shell/part';
import { redirectProblem } from '@/lib/shell/redirection';
import { spreadBraces, spreadsBeyond } from '@/lib/shell/spread-braces';
import { codeLoadingFlags, inlineCodeOptions, interpreters, stateBuiltins, wrappers, writeOptions } from '@/lib/shell/tables';
import { fitsAsRun, readShellRule, type ShellRule } from './shell-rules';

/** A rule of our own that looked at a part: its name, and what it saw, in words. */
export interface ShellFinding {
  readonly rule: string;
  readonly evidence: string;
}

/**
 * Why no allow rule may fit a part; undefined when one may.
 *
 * Source cases, kind shell-policy, "A part never fits an allow rule when".
 */
export function neverAllowed(part: ShellPart, reading: ShellReading): ShellFinding | undefined {
  if (reading.invisible)
    return { rule: 'invisible-text', evidence: 'The command holds an invisible or direction-changing character, so no allow rule fits it.' };
  if (part.kind === 'test') return { rule: 'condition', evidence: 'A condition has no words that an allow rule could fit.' };
  if (part.assigns) return { rule: 'assignment', evidence: 'It sets a variable, so no allow rule fits it.' };
  const unknown = part.words.find((word) => word.expands);
  if (unknown !== undefined) return { rule: 'expansion', evidence: `${unknown.text} is known only when it runs, so no allow rule fits it.` };
  const program = programOf(part.words);
  if (entryOf(wrappers, program) !== undefined) return { rule: 'wrapper', evidence: `${program} runs another command, so no allow rule fits it.` };
  if (stateBuiltins.includes(program)) return { rule: 'shell-state', evidence: `${program} changes how later commands run, so no allow rule fits it.` };
  return riskyOption(part.words) ?? riskyRedirect(part);
}

const everywhere = codeLoadingFlags['*'] ?? [];

/** Options of their own that begin like one that is risky. Source the programs' own documentation. */
const otherOptions: Readonly<Record<string, readonly string[]>> = {
  cargo: ['--target'],
  git: ['--text'],
  pip: ['--pre'],
  tar: ['--checkpoint'],
};

/** Programs that take one dash or two before the name of an option. */
const eitherDash: readonly string[] = ['go', 'terraform'];

/** Beside `codeLoadingFlags` of the tables. Source the programs' own documentation. */
const alsoLoading: Readonly<Record<string, readonly string[]>> = { go: ['-vettool'] };

/** Variables on the command line of make that say what runs the recipes. */
const makeVariables = /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES)[:?+!]*=/;

/** An option that loads code, writes files or carries code, also where it is cut to its first letters. */
export function riskyOption(words: readonly ShellWord[]): ShellFinding | undefined {
  const program = programOf(words);
  const own = [...(entryOf(codeLoadingFlags, program) ?? []), ...(entryOf(alsoLoading, program) ?? [])];
  const writing = entryOf(writeOptions, program) ?? [];
  const carrying = entryOf(inlineCodeOptions, program) ?? [];
  const others = entryOf(otherOptions, program);
  const isOf = (value: string, options: readonly string[], groups: boolean) => isOneOf(value, options, groups) || isShortFor(value, options, others);
  const findingOf = (written: string, text: string): ShellFinding | undefined => {
    if (program === 'make' && makeVariables.test(written)) return { rule: 'code-loading-option', evidence: `${text} says what runs its recipes.` };
    if (!written.startsWith('-')) return undefined;
    const value = eitherDash.includes(program) && written.startsWith('--') ? written.slice(1) : written;
    // Of what counts for every program a few letters do not suffice: most programs take no name that is cut.
    if (isOneOf(written, everywhere, false) || isOf(value, own, false) || (/^--\w{4}/.test(written) && isShortFor(written, everywhere, others)))
      return { rule: 'code-loading-option', evidence: `With ${text} ${program} loads code or works elsewhere.` };
    if (isOf(value, writing, true)) return { rule: 'writing-option', evidence: `With ${text} ${program} writes files or runs programs.` };
    if (isOf(value, carrying, true)) return { rule: 'inline-code', evidence: `With ${text} ${program} runs code that stands in the command.` };
    return undefined;
  };
  const beyond = words.find((word) => /^[-{]/.test(word.value) && spreadsBeyond(word));
  if (beyond !== undefined) return { rule: 'writing-option', evidence: `${beyond.text} stands for more words than can be looked at.` };
  for (const { value, text } of spreadBraces(words).slice(1)) {
    const finding = findingOf(value, text);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** A redirection that leaves the workspace, or whose target is not plain. */
export function riskyRedirect(part: ShellPart): ShellFinding | undefined {
  for (const redirect of part.redirects) {
    const problem = redirectProblem(redirect);
    if (problem !== undefined) return { rule: 'redirection', evidence: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.` };
  }
  return undefined;
}

/** Why a part that no allow rule fits asks in auto mode; undefined when it passes. */
export function asksInAuto(part: ShellPart): ShellFinding | undefined {
  const program = programOf(part.words);
  const never = neverGroupOf(part);
  if (never !== undefined) return { rule: 'never-group', evidence: `${never} is on the list of what is always asked for.` };
  if (interpreters.includes(program)) return { rule: 'interpreter', evidence: `${program} runs code that a rule cannot see.` };
  const option = riskyOption(part.words);
  if (option !== undefined) return option;
  if (program === 'trap' && innerCommands(part.words).length > 0) return { rule: 'trap', evidence: 'The text of a trap runs later.' };
  return riskyRedirect(part);
}

/** What is known about a command beside its words. */
export interface PartSetting {
  /** Text comes with it, on its standard input. */
  readonly hasInput?: boolean;
  /** Allow rules that let programs pass because they only read. */
  readonly readingRules?: ReadonlySet<string>;
}

/** Why a part asks after all that `rule` lets pass; undefined when it may run. */
export function standsAgainst(part: ShellPart, rule: string, { hasInput = false, readingRules }: PartSetting): ShellFinding | undefined {
  if (readingRules?.has(rule) === true) {
    const written = part.redirects.find(({ kind, target }) => kind === 'write' && target?.value !== '/dev/null');
    if (written !== undefined) return { rule: 'writes-file', evidence: `With ${written.text} it writes a file, and the rule "${rule}" is for reading.` };
  }
  return hasInput && runsInput(part.words) ? { rule: 'code-as-input', evidence: 'It may run the text that it is given as code.' } : undefined;
}

/** Where a shell has a script, and an interpreter a file or text of its own, what they are given is data. */
function runsInput(words: readonly ShellWord[]): boolean {
  const program = programOf(words);
  if (entryOf(wrappers, program) !== undefined) return innerCommands(words).some((inner) => inner.kind === 'stdin');
  return interpreters.includes(program) && !words.slice(1).some(({ value }) => !value.startsWith('-') && !/^\/(?:dev|proc)\//.test(value));
}

/** The entry of the never-group list that a part begins with, options before the sub-command skipped. */
function neverGroupOf(part: ShellPart): string | undefined {
  if (part.words.length === 0) return undefined;
  const entries = neverRules.get(programOf(part.words)) ?? [];
  return entries.find(({ rule }) => fitsAsRun(rule, part.words))?.entry;
}

const neverRules = byProgram();

function byProgram(): ReadonlyMap<string, readonly { readonly entry: string; readonly rule: ShellRule }[]> {
  const found = new Map<string, { readonly entry: string; readonly rule: ShellRule }[]>();
  for (const entry of neverGroup) {
    const program = entry.split(' ')[0] as string;
    const rule = readShellRule(`${entry} *`);
    if (rule !== undefined) found.set(program, [...(found.get(program) ?? []), { entry, rule }]);
  }
  return found;
}
