import type { TestExpression, Word } from 'unbash';
import { entryOf } from './lookup';
import type { ShellWord } from './part';
import { fillers } from './programs';
import { wrappers } from './tables';
import { decodeWord } from './word';

const comparisons = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const declarers = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);
// printf takes a name in an option only.
const nameTakers = new Set(['unset', 'wait', ...fillers, ...declarers].filter((program) => program !== 'printf'));

/**
 * True when an arithmetic expression names a variable, whose value the shell would evaluate as an expression in turn.
 *
 * In     the expression as written. What a substitution in it prints is evaluated too, so it counts like a variable.
 */
export function namesVariable(expression: string): boolean {
  return /[\p{L}_$`]/u.test(expression.replace(/\b\d[\w#@]*/g, ''));
}

/** The same for the index of an array; `@` and `*` mean all of it. */
export function indexNamesVariable(index: Word): boolean {
  return index.text !== '@' && index.text !== '*' && namesVariable(index.text);
}

/** The operands of a condition that the shell evaluates as arithmetic. */
export function testIsArithmetic(expression: TestExpression): boolean {
  switch (expression.type) {
    case 'TestBinary':
      return comparisons.has(expression.operator) && (namesVariable(expression.left.text) || namesVariable(expression.right.text));
    case 'TestUnary':
      return (expression.operator === '-v' || expression.operator === '-R') && isIndexedName(decodeWord(expression.operand));
    case 'TestLogical':
      return expression.operands.some(testIsArithmetic);
    case 'TestNot':
      return testIsArithmetic(expression.operand);
    case 'TestGroup':
      return testIsArithmetic(expression.expression);
  }
}

/** Arithmetic that built-ins do with their words: let, an index in a name, the integer and name-reference attributes. */
export function wordsAreArithmetic(program: string, words: readonly ShellWord[]): boolean {
  const rest = words.slice(1);
  if (program === 'let') return rest.some((word) => namesVariable(word.value));
  if (declarers.has(program) && rest.some((word) => /^[-+][A-Za-z]*[in]/.test(word.value)))
    return rest.some((word) => namesVariable(/=([\s\S]*)/.exec(word.value)?.[1] ?? ''));
  if (nameTakers.has(program)) return rest.some((word) => isIndexedName(word) || isTracePrompt(word.value));
  if (program === 'printf')
    return rest.some(
      (word, index) => (rest[index - 1]?.value === '-v' && (isIndexedName(word) || isTracePrompt(word.value))) || /^-v(?:[A-Za-z_]\w*\[|PS4)/.test(word.value),
    );
  if (entryOf(wrappers, program) !== undefined) return rest.some((word) => word.value.startsWith('PS4='));
  if (program === 'test' || program === '[') return rest.some((word, index) => /^-[vR]$/.test(rest[index - 1]?.value ?? '') && isIndexedName(word));
  return false;
}

/** True for the variable whose value a shell expands before each command that it shows; other prompts are for a person at the keyboard. */
export function isTracePrompt(name: string): boolean {
  return name === 'PS4';
}

/** True for a name with an index that names a variable; a name that an expansion makes may hold one as well. */
function isIndexedName({ value, expands }: Pick<ShellWord, 'value' | 'expands'>): boolean {
  if (expands && /^[^=]*[$`]/.test(value)) return true;
  const index = /^[A-Za-z_]\w*\[([\s\S]*)/.exec(value)?.[1];
  return index !== undefined && namesVariable(index);
}
