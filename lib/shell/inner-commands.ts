import { entryOf, programOf } from './lookup';
import { type OptionReadings, readOptions } from './option-readings';
import { ownCode } from './own-code';
import type { ShellWord } from './part';
import { wrappers, wrapperValueOptions } from './tables';

/** What a command runs in turn. `sure`: found in the reading in which unknown options take no value. */
export type Inner =
  /** The words from `from` up to `to`: of the command itself, or of `words` where the wrapper splits a text. */
  | { readonly kind: 'command'; readonly from: number; readonly to: number; readonly words?: readonly ShellWord[]; readonly sure: boolean }
  | { readonly kind: 'script'; readonly words: readonly ShellWord[]; readonly sure: boolean; readonly template?: boolean }
  /** It runs what stands on its standard input. */
  | { readonly kind: 'stdin'; readonly sure: boolean }
  | { readonly kind: 'opaque'; readonly why: string };

const withoutCommand = new Set(['chroot', 'unshare', 'script', 'parallel']);
const findActions = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Finds what wrappers, find and shells run, from the words of the command after quote removal. */
export function innerCommands(words: readonly ShellWord[]): readonly Inner[] {
  const program = programOf(words);
  if (program === 'find') return findCommands(words);
  const kind = entryOf(wrappers, program);
  const code = ownCode(words);
  const unseen: readonly Inner[] = [...(code === undefined ? [] : [{ kind: 'opaque', why: code } as const]), ...aliased(program, words)];
  if (kind === undefined) return unseen;
  const inner = [...unseen, ...innerOf(kind, program, words)];
  const isSeen = inner.some((one) => one.kind === 'opaque' || one.sure);
  return isSeen || !withoutCommand.has(program)
    ? inner
    : [...inner, { kind: 'opaque', why: `${program} without a command runs a shell or commands that cannot be seen` }];
}

/** What an alias stands for: it may run, and what a rule denies stays denied. */
function aliased(program: string, words: readonly ShellWord[]): readonly Inner[] {
  if (program !== 'alias') return [];
  return words.slice(1).flatMap((word): Inner[] => {
    const at = word.value.indexOf('=');
    return at < 1 ? [] : [{ kind: 'script', words: [{ ...word, value: word.value.slice(at + 1) }], sure: false }];
  });
}

function innerOf(kind: (typeof wrappers)[string], program: string, words: readonly ShellWord[]): readonly Inner[] {
  const valueOptions = entryOf(wrapperValueOptions, program) ?? [];
  switch (kind) {
    case 'exec':
      return program === 'env' ? envCommands(words, valueOptions) : commandsAt(words, readOptions(words, 1, valueOptions, isAssignment), 0);
    case 'exec-after-1':
      return commandsAt(words, readOptions(words, 1, valueOptions), 1);
    case 'exec-after-1-or-c':
      return commandsOrText(words, valueOptions);
    case '-c':
      return program === 'su' ? suCommands(words) : shellCommands(words, valueOptions);
    case 'text':
      return program === 'parallel' ? parallelCommands(words, valueOptions) : textsAt(words, valueOptions);
    case 'text-1': {
      const { sure, all } = readOptions(words, 1, valueOptions);
      return all.flatMap((start): Inner[] => {
        const text = words[start];
        return text === undefined || words.length - start < 2 || text.value === '' || text.value === '-'
          ? []
          : [{ kind: 'script', words: [text], sure: start === sure }];
      });
    }
    case 'script':
      return [];
    case 'opaque':
      return [{ kind: 'opaque', why: `what ${program} runs elsewhere cannot be judged here` }];
  }
}

/** A word among a wrapper's options that sets a variable. */
function isAssignment(value: string): boolean {
  return /^[^-=/][^=/]*=/.test(value);
}

function commandsAt(words: readonly ShellWord[], readings: Pick<OptionReadings, 'sure' | 'all'>, operands: number): readonly Inner[] {
  return readings.all.flatMap((start): Inner[] => {
    const from = words[start + operands]?.value === '--' ? start + operands + 1 : start + operands;
    return from < words.length ? [{ kind: 'command', from, to: words.length, sure: start === readings.sure }] : [];
  });
}

function textsAt(words: readonly ShellWord[], valueOptions: readonly string[]): readonly Inner[] {
  const { sure, all } = readOptions(words, 1, valueOptions);
  return all.flatMap((start): Inner[] => (start < words.length ? [{ kind: 'script', words: words.slice(start), sure: start === sure }] : []));
}

/** env -S TEXT: the text is split into words that stand in front of the rest. */
function envCommands(words: readonly ShellWord[], valueOptions: readonly string[]): readonly Inner[] {
  // env takes any word with = for an assignment.
  const readings = readOptions(words, 1, [...valueOptions, ...splitOptions], (value) => value.includes('='));
  const limit = Math.max(...readings.all);
  for (let index = 1; index < limit; index++) {
    const word = words[index] as ShellWord;
    const carried = /^(?:-[iv0]*S|--split-string=)([\s\S]+)$/.exec(word.value)?.[1];
    const isNext = splitOptions.includes(word.value) || /^-[iv0]+S$/.test(word.value);
    const text = isNext ? words[index + 1] : carried === undefined ? undefined : { ...word, value: carried };
    if (text === undefined) continue;
    const split = text.value
      .replace(/['"]/g, '')
      .split(/\s+/)
      .filter((value) => value !== '')
      .map((value): ShellWord => ({ ...text, text: value, value }));
    const joined = [words[0] as ShellWord, ...split, ...words.slice(isNext ? index + 2 : index + 1)];
    const inner = envCommands(joined, valueOptions).map((one): Inner => (one.kind === 'command' ? { words: joined, ...one } : one));
    const isKnown = text.literal && !/[\\$]/.test(text.value);
    return isKnown ? inner : [...inner, { kind: 'opaque', why: `the text of env ${word.text} is known only when it runs` }];
  }
  return commandsAt(words, readings, 0);
}

const splitOptions = ['-S', '--split-string'];

/** -c or --command among the options, or directly after the first operand, carries a script. */
function commandsOrText(words: readonly ShellWord[], valueOptions: readonly string[]): readonly Inner[] {
  const readings = readOptions(words, 1, valueOptions);
  const inner: Inner[] = [];
  const textAt = (index: number, sure: boolean): boolean => {
    const word = words[index];
    const carried = /^(?:-[A-Za-z]*?c|--command=)([\s\S]+)$/.exec(word?.value ?? '')?.[1];
    const isNext = /^-[A-Za-z]*c$/.test(word?.value ?? '') || word?.value === '--command';
    const text = isNext ? words[index + 1] : carried === undefined || word === undefined ? undefined : { ...word, value: carried };
    if (text !== undefined) inner.push({ kind: 'script', words: [text], sure });
    return text !== undefined;
  };
  const last = Math.max(...readings.all);
  let found = false;
  for (let index = 1; index < last; index++) found = textAt(index, true) || found;
  for (const start of readings.all) {
    const sure = start === readings.sure && !found;
    if (start >= words.length || textAt(start + 1, sure)) continue;
    inner.push(...commandsAt(words, { sure: sure ? start : -1, all: [start] }, 1));
  }
  return inner;
}

/** A shell runs the first operand when an option holds c, else a file, else its standard input. */
function shellCommands(words: readonly ShellWord[], valueOptions: readonly string[]): readonly Inner[] {
  // In a group of short options o takes its value from the next word too.
  const grouped = words.filter((word) => /^[-+][A-Za-z]*[oO]$/.test(word.value)).map((word) => word.value);
  const isPlus = (value: string) => /^\+[A-Za-z]+$/.test(value) && !grouped.includes(value);
  const { sure, all } = readOptions(words, 1, [...valueOptions, ...grouped], isPlus);
  return all.flatMap((start): Inner[] => {
    const options = words.slice(1, start).map((word) => word.value);
    const carries = options.some((value) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value));
    const operand = words[start];
    if (carries) return operand === undefined ? [] : [{ kind: 'script', words: [operand], sure: start === sure }];
    const reads = operand === undefined || operand.value === '-' || options.some((value) => /^-[A-Za-z]*s[A-Za-z]*$/.test(value));
    return reads ? [{ kind: 'stdin', sure: start === sure }] : [];
  });
}

/** su takes -c anywhere, also behind the name of the person. */
function suCommands(words: readonly ShellWord[]): readonly Inner[] {
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as ShellWord;
    const carried = /^(?:-c|--command=|--session-command=)([\s\S]+)$/.exec(word.value)?.[1];
    if (carried !== undefined) return [{ kind: 'script', words: [{ ...word, value: carried }], sure: true }];
    const text = words[index + 1];
    if (text !== undefined && (/^-[A-Za-z]*c$/.test(word.value) || word.value === '--command' || word.value === '--session-command'))
      return [{ kind: 'script', words: [text], sure: true }];
  }
  return [{ kind: 'stdin', sure: true }];
}

function parallelCommands(words: readonly ShellWord[], valueOptions: readonly string[]): readonly Inner[] {
  const end = words.findIndex((word, index) => index > 0 && /^:{3,4}\+?$/.test(word.value));
  const own = end === -1 ? words : words.slice(0, end);
  const inner = textsAt(own, valueOptions);
  const replaced = own.some((word) => /^-[IU]|^--(?:replace|rpl|parens)/.test(word.value));
  return [
    ...inner.map((one): Inner => (one.kind === 'script' ? { ...one, template: true } : one)),
    ...(replaced ? [{ kind: 'opaque' as const, why: 'parallel puts its arguments in place of a text of its own' }] : []),
  ];
}

function findCommands(words: readonly ShellWord[]): readonly Inner[] {
  const inner: Inner[] = [];
  for (let index = 1; index < words.length; index++) {
    if (!findActions.has((words[index] as ShellWord).value)) continue;
    let end = index + 1;
    while (end < words.length && words[end]?.value !== ';' && !(words[end]?.value === '+' && words[end - 1]?.value === '{}')) end++;
    if (index + 1 < end) inner.push({ kind: 'command', from: index + 1, to: end, sure: true });
    if (index + 1 < end && words[index + 1]?.value.includes('{}') === true) inner.push({ kind: 'opaque', why: 'find runs the files that it finds' });
    index = end;
  }
  return inner;
}
