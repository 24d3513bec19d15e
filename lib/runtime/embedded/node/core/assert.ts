import { isDeepEqual } from './compare';
import { argumentError } from './fs-error';
import { inspect } from './inspect';
import { diffLines } from './line-diff';

interface AssertionErrorOptions {
  readonly message?: string | undefined;
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly operator?: string;
  readonly stackStartFn?: unknown;
}

type Message = string | Error | undefined;
type Expected = RegExp | Error | Record<string, unknown> | ((error: unknown) => unknown);

export class AssertionError extends Error {
  readonly generatedMessage: boolean;
  readonly code = 'ERR_ASSERTION';
  readonly actual: unknown;
  readonly expected: unknown;
  readonly operator: string | undefined;

  constructor(options: AssertionErrorOptions) {
    super(options.message ?? `${inspect(options.actual)} ${options.operator} ${inspect(options.expected)}`);
    this.name = 'AssertionError';
    this.generatedMessage = options.message === undefined;
    this.actual = options.actual;
    this.expected = options.expected;
    this.operator = options.operator;
    const stack = this.stack;
    if (stack)
      Object.defineProperty(this, 'stack', {
        value: stack.replace(/^(?:Error|AssertionError)(?=:|\n|$)/, 'AssertionError [ERR_ASSERTION]'),
        writable: true,
        configurable: true,
      });
  }
}

/** `node:assert`; `strict` makes `equal` and its kin the strict ones. */
export function createAssert(strict: boolean) {
  const fail = (given: Message, generated: string, options: Omit<AssertionErrorOptions, 'message'>): never => {
    if (given instanceof Error) throw given;
    const error = new AssertionError({ ...options, message: given ?? generated });
    throw Object.assign(error, { generatedMessage: given === undefined });
  };
  const compare =
    (operator: string, passes: (a: unknown, b: unknown) => boolean, word: (a: unknown, b: unknown) => string) =>
    (actual: unknown, expected: unknown, message?: Message): void => {
      if (!passes(actual, expected)) fail(message, word(actual, expected), { actual, expected, operator });
    };
  const differs =
    (title: string) =>
    (actual: unknown, expected: unknown): string =>
      difference(title, actual, expected);
  const shared =
    (title: string) =>
    (actual: unknown): string =>
      `${title}\n\n${indent(inspect(actual, SHOW))}\n`;

  const ok = (value: unknown, message?: Message): void => {
    if (value) return;
    fail(message, 'The expression evaluated to a falsy value', { actual: value, expected: true, operator: '==' });
  };
  const strictEqual = compare('strictEqual', Object.is, differs('Expected values to be strictly equal:'));
  const notStrictEqual = compare(
    'notStrictEqual',
    (a, b) => !Object.is(a, b),
    (a) => `Expected "actual" to be strictly unequal to: ${inspect(a, SHOW)}`,
  );
  const deepStrictEqual = compare('deepStrictEqual', (a, b) => isDeepEqual(a, b), differs('Expected values to be strictly deep-equal:'));
  const notDeepStrictEqual = compare('notDeepStrictEqual', (a, b) => !isDeepEqual(a, b), shared('Expected "actual" not to be strictly deep-equal to:'));
  const equal = compare(
    '==',
    // biome-ignore lint/suspicious/noDoubleEquals: the legacy comparison is this one
    (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b)),
    (a, b) => `${inspect(a, SHOW)} == ${inspect(b, SHOW)}`,
  );
  const notEqual = compare(
    '!=',
    // biome-ignore lint/suspicious/noDoubleEquals: the legacy comparison is this one
    (a, b) => a != b,
    (a, b) => `${inspect(a, SHOW)} != ${inspect(b, SHOW)}`,
  );
  const deepEqual = compare('deepEqual', (a, b) => isDeepEqual(a, b, true), differs('Expected values to be loosely deep-equal:'));
  const notDeepEqual = compare('notDeepEqual', (a, b) => !isDeepEqual(a, b, true), shared('Expected "actual" not to be loosely deep-equal to:'));

  const throws = (act: () => unknown, expected?: Expected | string, message?: Message): void => {
    if (typeof act !== 'function') throw argumentError('fn', 'function', act);
    let thrown: unknown;
    let threw = false;
    try {
      act();
    } catch (error) {
      threw = true;
      thrown = error;
    }
    expectThrown('throws', 'Missing expected exception', threw, thrown, expected, message);
  };
  const rejects = async (act: Promise<unknown> | (() => Promise<unknown>), expected?: Expected | string, message?: Message): Promise<void> => {
    let thrown: unknown;
    let threw = false;
    try {
      await (typeof act === 'function' ? act() : act);
    } catch (error) {
      threw = true;
      thrown = error;
    }
    expectThrown('rejects', 'Missing expected rejection', threw, thrown, expected, message);
  };
  const expectThrown = (
    operator: string,
    missing: string,
    threw: boolean,
    thrown: unknown,
    expected: Expected | string | undefined,
    message: Message,
  ): void => {
    const note = typeof expected === 'string' ? expected : message;
    const wanted = typeof expected === 'string' ? undefined : expected;
    if (!threw) {
      const named = typeof wanted === 'function' && wanted.name !== '' ? ` (${wanted.name})` : '';
      fail(note instanceof Error ? note : undefined, `${missing}${named}${typeof note === 'string' ? `: ${note}` : '.'}`, {
        actual: undefined,
        expected: wanted,
        operator,
      });
    }
    if (wanted !== undefined) matchThrown(operator, thrown, wanted, note, fail);
  };
  const doesNotThrow = (act: () => unknown, message?: Message): void => {
    try {
      act();
    } catch (error) {
      fail(
        message instanceof Error ? message : undefined,
        `Got unwanted exception${typeof message === 'string' ? `: ${message}` : '.'}\nActual message: "${error instanceof Error ? error.message : String(error)}"`,
        { actual: error, operator: 'doesNotThrow' },
      );
    }
  };
  const doesNotReject = async (act: Promise<unknown> | (() => Promise<unknown>), message?: Message): Promise<void> => {
    try {
      await (typeof act === 'function' ? act() : act);
    } catch (error) {
      fail(
        message instanceof Error ? message : undefined,
        `Got unwanted rejection.\nActual message: "${error instanceof Error ? error.message : String(error)}"`,
        { actual: error, operator: 'doesNotReject' },
      );
    }
  };
  const matching =
    (operator: 'match' | 'doesNotMatch', wanted: boolean) =>
    (text: unknown, pattern: RegExp, message?: Message): void => {
      if (!(pattern instanceof RegExp)) throw argumentError('regexp', 'RegExp', pattern);
      if (typeof text === 'string' && pattern.test(text) === wanted) return;
      const said =
        typeof text !== 'string'
          ? 'The "string" argument must be of type string. Received'
          : wanted
            ? `The input did not match the regular expression ${pattern}. Input:\n`
            : `The input was expected to not match the regular expression ${pattern}. Input:\n`;
      fail(message, `${said}\n${inspect(text)}\n`, { actual: text, expected: pattern, operator });
    };

  const members = {
    AssertionError,
    ok,
    equal: strict ? strictEqual : equal,
    notEqual: strict ? notStrictEqual : notEqual,
    deepEqual: strict ? deepStrictEqual : deepEqual,
    notDeepEqual: strict ? notDeepStrictEqual : notDeepEqual,
    strictEqual,
    notStrictEqual,
    deepStrictEqual,
    notDeepStrictEqual,
    throws,
    rejects,
    doesNotThrow,
    doesNotReject,
    match: matching('match', true),
    doesNotMatch: matching('doesNotMatch', false),
    fail(message: Message = 'Failed'): never {
      return fail(message, 'Failed', { operator: 'fail' });
    },
    ifError(value: unknown): void {
      if (value !== null && value !== undefined)
        fail(undefined, `ifError got unwanted exception: ${value instanceof Error ? value.message : inspect(value)}`, {
          actual: value,
          expected: null,
          operator: 'ifError',
        });
    },
  };
  return Object.assign((value: unknown, message?: Message): void => ok(value, message), members);
}

const SHOW = { depth: 1000, breakLength: 80, sorted: true, maxArrayLength: null } as const;

type Fail = (given: Message, generated: string, options: Omit<AssertionErrorOptions, 'message'>) => never;

function matchThrown(operator: string, thrown: unknown, wanted: Expected, note: Message, fail: Fail): void {
  if (wanted instanceof RegExp) {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    if (wanted.test(text) || (thrown instanceof Error && wanted.test(thrown.message))) return;
    return fail(note, `The input did not match the regular expression ${wanted}. Input:\n\n${inspect(text)}\n`, { actual: thrown, expected: wanted, operator });
  }
  if (typeof wanted === 'function') {
    const isClass =
      wanted === Error ||
      wanted.prototype instanceof Error ||
      /^class[\s{]/.test(Function.prototype.toString.call(wanted)) ||
      (typeof wanted.prototype === 'object' && thrown instanceof (wanted as unknown as new () => object));
    if (isClass) {
      if (thrown instanceof (wanted as unknown as new () => object)) return;
      // An error of the wrong kind is itself the news, as in Node.
      if (note === undefined && thrown instanceof Error) {
        return fail(
          undefined,
          `The error is expected to be an instance of "${wanted.name}". Received "${thrown.name}"\n\nError message:\n\n${thrown.message}`,
          { actual: thrown, expected: wanted, operator },
        );
      }
      return fail(note, `The error is expected to be an instance of "${wanted.name}". Received ${inspect(thrown)}`, {
        actual: thrown,
        expected: wanted,
        operator,
      });
    }
    if (wanted.call({}, thrown) === true) return;
    return fail(
      note,
      `The ${wanted.name === '' ? '' : `"${wanted.name}" `}validation function is expected to return "true". Received ${inspect(wanted.call({}, thrown))}\n\nCaught error:\n\n${inspect(thrown)}`,
      { actual: thrown, expected: wanted, operator },
    );
  }
  const keys = wanted instanceof Error ? ['name', 'message', ...Object.keys(wanted)] : Object.keys(wanted);
  const actual: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  let equal = typeof thrown === 'object' && thrown !== null;
  for (const key of keys) {
    const value = equal ? (thrown as Record<string, unknown>)[key] : undefined;
    const want = (wanted as Record<string, unknown>)[key];
    const fits = want instanceof RegExp && typeof value === 'string' ? want.test(value) : isDeepEqual(value, want);
    actual[key] = fits ? want : value;
    expected[key] = want;
    equal &&= fits;
    if (typeof thrown !== 'object' || thrown === null) break;
  }
  if (!equal || !keys.every((key) => isDeepEqual(actual[key], expected[key])))
    fail(note, difference('Expected values to be strictly deep-equal:', actual, expected), { actual: thrown, expected: wanted, operator });
}

function difference(title: string, actual: unknown, expected: unknown): string {
  const [a, b] = [inspect(actual, SHOW), inspect(expected, SHOW)];
  if (!a.includes('\n') && !b.includes('\n') && a.length + b.length <= 60 && a !== b && !(typeof actual === 'object' && actual !== null))
    return `${title}\n\n${a} !== ${b}\n`;
  if (a === b) return `Values have same structure but are not reference-equal:\n\n${indent(a)}\n`;
  return `${title}\n+ actual - expected\n\n${diffLines(linesOf(actual, a), linesOf(expected, b)).join('\n')}\n`;
}

/** One member a line, however short the value is, so that the difference is small. */
function linesOf(value: unknown, shown: string): readonly string[] {
  if (shown.includes('\n') || typeof value !== 'object' || value === null) return shown.split('\n');
  return inspect(value, { ...SHOW, compact: false, breakLength: 1 }).split('\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}
