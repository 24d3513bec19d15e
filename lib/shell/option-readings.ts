import { isOption } from './lookup';
import type { ShellWord } from './part';

/** Where the operands of a command may begin. */
export interface OptionReadings {
  /** When options that no table knows take no value; `words.length` when there is no operand. */
  readonly sure: number;
  /** In every reading; `sure` is one of them. */
  readonly all: readonly number[];
  /** Every index that a reading comes by on its way, the first included. */
  readonly passed: readonly number[];
}

/**
 * Skips options, each listed one with its value; an unknown one may or may not take the next word.
 *
 * In     `start`: index of the first word that may be an option; `skip`: other words that stand among the options.
 * Out    every index at which the operands may begin, in order. Linear in the words.
 */
export function readOptions(
  words: readonly ShellWord[],
  start: number,
  valueOptions: readonly string[],
  skip: (value: string) => boolean = () => false,
): OptionReadings {
  const listed = new Set(valueOptions);
  const reachable = new Set([start]);
  let surely = start;
  let sure: number | undefined;
  const all: number[] = [];
  const end = (index: number, isSure: boolean) => {
    const operand = Math.min(index, words.length);
    if (all[all.length - 1] !== operand) all.push(operand);
    if (isSure) sure = operand;
  };
  // A Set is walked in the order of insertion, and steps only go forward.
  for (let index = start; index <= words.length + 1; index++) {
    if (!reachable.has(index)) continue;
    const isSure = index === surely;
    const value = words[index]?.value;
    if (value === undefined) end(index, isSure);
    else if (value === '--') {
      let after = index + 1;
      while (after < words.length && skip((words[after] as ShellWord).value)) after++;
      end(after, isSure);
    } else if (listed.has(value)) {
      reachable.add(index + 2);
      if (isSure) surely = index + 2;
    } else if (value === '-' || (!isOption(value) && skip(value)) || (isOption(value) && value.includes('='))) {
      reachable.add(index + 1);
      if (isSure) surely = index + 1;
    } else if (!isOption(value)) end(index, isSure);
    else {
      reachable.add(index + 1).add(index + 2);
      if (isSure) surely = index + 1;
    }
  }
  return { sure: sure ?? words.length, all: [...new Set(all)], passed: [...reachable].filter((index) => index <= words.length) };
}
