import { CodedError } from '@/lib/shared/coded-error';
import type { Json } from '@/lib/shared/json';

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step?: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly condition: Condition };

export type Condition =
  | { readonly kind: 'or' | 'and'; readonly of: readonly Condition[] }
  | { readonly kind: 'test'; readonly path: readonly (string | number)[]; readonly not: boolean; readonly operator?: string; readonly value?: Json };

/** `deep`: `..`, so everything inside counts as well. */
export interface Step {
  readonly deep: boolean;
  readonly selectors: readonly Selector[];
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const WHOLE = /-?\d{1,15}/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;
const OPERATOR = /==|!=|<=|>=|<|>/y;

/** Reads a JSONPath into its steps. Fails with CodedError `invalid-input` that names the place. */
export function parsePath(text: string): readonly Step[] {
  let at = 0;
  const fail = (wanted: string): never => {
    throw new CodedError(
      'invalid-input',
      `The JSONPath ${JSON.stringify(text)} cannot be read at position ${at + 1}: ${wanted} is wanted. Send one such as "$.items[0:10].name" or "$..[?@.status == 'failed']".`,
    );
  };
  const blanks = () => {
    while (/\s/.test(text.charAt(at)) && at < text.length) at++;
  };
  const eat = (sign: string): boolean => {
    if (!text.startsWith(sign, at)) return false;
    at += sign.length;
    return true;
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const quoted = (): string | undefined => {
    const found = match(QUOTED);
    if (found === undefined) return undefined;
    const inner = found.slice(1, -1);
    try {
      return JSON.parse(found.startsWith('"') ? found : `"${inner.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"')}"`) as string;
    } catch {
      return fail('a quoted name without odd escapes');
    }
  };
  const numberAt = (): number | undefined => {
    const found = match(WHOLE);
    return found === undefined ? undefined : Number(found);
  };

  const literal = (): Json => {
    const word = quoted();
    if (word !== undefined) return word;
    for (const [name, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const)
      if (eat(name)) return value;
    const number = match(NUMBER);
    return number === undefined ? fail('a text, a number, true, false or null') : Number(number);
  };
  const test = (): Condition => {
    blanks();
    if (eat('(')) {
      const inner = either();
      blanks();
      if (!eat(')')) fail('")"');
      return inner;
    }
    const not = eat('!');
    blanks();
    if (!eat('@')) fail('"@"');
    const path: (string | number)[] = [];
    for (;;) {
      if (eat('.')) path.push(match(NAME) ?? fail('a name'));
      else if (eat('[')) {
        path.push(quoted() ?? numberAt() ?? fail('a name or a number'));
        if (!eat(']')) fail('"]"');
      } else break;
    }
    blanks();
    const operator = match(OPERATOR);
    if (operator === undefined) return { kind: 'test', path, not };
    if (not) fail('a test without "!"');
    blanks();
    return { kind: 'test', path, not, operator, value: literal() };
  };
  const joined = (kind: 'or' | 'and', sign: string, part: () => Condition): Condition => {
    const of = [part()];
    for (blanks(); eat(sign); blanks()) of.push(part());
    return of.length === 1 ? (of[0] as Condition) : { kind, of };
  };
  const both = () => joined('and', '&&', test);
  let depth = 0;
  const either = (): Condition => {
    if (++depth > 50) fail('less nesting');
    const condition = joined('or', '||', both);
    depth--;
    return condition;
  };

  const selector = (): Selector => {
    blanks();
    if (eat('*')) return { kind: 'all' };
    if (eat('?')) return { kind: 'filter', condition: either() };
    const name = quoted();
    if (name !== undefined) return { kind: 'name', name };
    const start = numberAt();
    blanks();
    if (!eat(':')) return start === undefined ? fail('a name in quotes, a number, a slice, * or ?') : { kind: 'index', at: start };
    blanks();
    const end = numberAt();
    blanks();
    const step = eat(':') ? numberAt() : undefined;
    return { kind: 'slice', ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }), ...(step === undefined ? {} : { step }) };
  };
  const bracket = (): readonly Selector[] => {
    const selectors = [selector()];
    for (blanks(); eat(','); blanks()) selectors.push(selector());
    if (!eat(']')) fail('"]"');
    return selectors;
  };

  blanks();
  if (!eat('$')) fail('"$"');
  const steps: Step[] = [];
  for (blanks(); at < text.length; blanks()) {
    const deep = eat('..');
    if (!deep && eat('.')) steps.push({ deep, selectors: [eat('*') ? { kind: 'all' } : { kind: 'name', name: match(NAME) ?? fail('a name') }] });
    else if (eat('[')) steps.push({ deep, selectors: bracket() });
    else if (deep) steps.push({ deep, selectors: [eat('*') ? { kind: 'all' } : { kind: 'name', name: match(NAME) ?? fail('a name, * or [') }] });
    else fail('".", ".." or "["');
    if (steps.length > 100) fail('fewer steps');
  }
  return steps;
}
