import { isShortFor } from './lookup';
import { readOptions } from './option-readings';
import type { ShellWord } from './part';

/** The scripts that the words of a sed carry, each with its word. */
export function sedScripts(words: readonly ShellWord[]): readonly { readonly script: string; readonly word: ShellWord }[] {
  const found: { script: string; word: ShellWord }[] = [];
  for (const [index, word] of words.entries()) {
    const carried = /^(?:-[nrEsuz]*e|--e[a-z]*=)([\s\S]*)$/.exec(word.value)?.[1];
    const isCut = isShortFor(word.value, ['--expression']) && word.value.length > 3;
    if (index === 0 || (carried === undefined && !isCut)) continue;
    const next = words[index + 1];
    if (carried !== undefined && carried !== '') found.push({ script: carried, word });
    else if (next !== undefined) found.push({ script: next.value, word: next });
  }
  if (found.length > 0) return found;
  const first = words[readOptions(words, 1, ['-f', '-l', '--file', '--line-length']).sure];
  return first === undefined ? [] : [{ script: first.value, word: first }];
}

/**
 * The files that a script for sed may write: what a `w`, a `W` or the flag `w` of an `s` names.
 *
 * Out    each name to the end of its line, as sed reads it, and to the next blank, semicolon or brace. A script that cannot be read counts whatever stands
 *        behind any w.
 */
export function filesWrittenBySed(script: string): readonly string[] {
  // Whether a bracket hides the delimiter inside it differs from sed to sed.
  const readings = [read(script, true), read(script, false)];
  const found = readings.every(({ isWhole }) => !isWhole)
    ? [...script.matchAll(/[wW][ \t]*([^\n]+)/g)].map(([, rest = '']) => rest)
    : readings.flatMap(({ rests }) => rests);
  return [...new Set(found.flatMap((rest) => [rest, rest.split(/[\s;}]/, 1)[0] as string]))].filter((name) => name !== '');
}

/**
 * True for a script by which sed runs a command: an `e`, or the flag `e` of an `s`.
 *
 * In     `isWhole`: it holds nothing that only the running shell knows.
 * Out    of a script that cannot be read every e counts, where all of it is known.
 */
export function sedRuns(script: string, isWhole: boolean): boolean {
  if (!script.includes('e')) return false;
  const whole = [read(script, true), read(script, false)].filter((reading) => reading.isWhole);
  return whole.length === 0 ? isWhole : whole.some(({ runs }) => runs);
}

interface Reading {
  /** What stands behind each w, to the end of the line. */
  readonly rests: readonly string[];
  readonly runs: boolean;
  readonly isWhole: boolean;
}

function read(script: string, brackets: boolean): Reading {
  const rests: string[] = [];
  let runs = false;
  let at = 0;
  const rest = () => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end === -1 ? script.length : end);
    at += text.length;
    return text.replace(/^[ \t]+/, '');
  };
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    at += pattern.exec(script)?.[0].length ?? 0;
  };
  /** Goes behind the next delimiter. */
  const pass = (delimiter: string | undefined, isPattern: boolean) => {
    for (; at < script.length; at++) {
      const character = script[at];
      if (character === '\\') at++;
      else if (character === delimiter) break;
      else if (character === '[' && brackets && isPattern) {
        const close = script.indexOf(']', at + (/^\[\^?\]/.exec(script.slice(at, at + 3))?.[0].length ?? 1));
        if (close !== -1) at = close;
      }
    }
    at++;
  };
  while (at < script.length) {
    const character = script[at++] as string;
    if (character === '/') pass('/', true);
    else if (character === '\\') pass(script[at++], true);
    else if (character === 's' || character === 'y') {
      const delimiter = script[at++];
      pass(delimiter, character === 's');
      pass(delimiter, false);
      if (character === 'y') continue;
      const flags = at;
      skip(/[gpiImMe\d]*/y);
      runs ||= script.slice(flags, at).includes('e');
      if (script[at] !== 'w') continue;
      at++;
      rests.push(rest());
    } else if (character === 'w' || character === 'W') rests.push(rest());
    else if ('rRe#'.includes(character)) {
      runs ||= character === 'e';
      rest();
    } else if ('aic'.includes(character)) skip(/(?:[^\\\n]|\\[\s\S])*/y);
    else if (':btT'.includes(character)) skip(/[^\n;}]*/y);
    // Places, and commands of one letter.
    else if (!/[\s;{}\d$~+,!IMdDgGhHnNpPxzFqQlL=v]/.test(character)) return { rests, runs, isWhole: false };
  }
  return { rests, runs, isWhole: at === script.length };
}
