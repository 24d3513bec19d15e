// Stands in for vitest where the contract of the stores runs inside a page: the same facts, told as a list of what failed.

type Step = () => unknown;

interface Fact {
  readonly name: string;
  readonly before: readonly Step[];
  readonly run: Step;
}

const facts: Fact[] = [];
let path: string[] = [];
let before: Step[] = [];

export function describe(name: string, body: () => void): void {
  const outer = { path, before };
  path = [...path, name];
  before = [...before];
  body();
  ({ path, before } = outer);
}

export function beforeEach(step: Step): void {
  before.push(step);
}

export function it(name: string, run: Step): void {
  facts.push({ name: [...path, name].join(' › '), before, run });
}

/** The matchers that the contract uses. */
export function expect(received: unknown) {
  const hold = (holds: boolean, expected: unknown): void => {
    if (!holds) throw new Error(`expected ${shown(expected)}, got ${shown(received)}`);
  };
  return {
    toBe: (expected: unknown) => hold(Object.is(received, expected), expected),
    toEqual: (expected: unknown) => hold(holds(received, expected, true), expected),
    toMatchObject: (expected: unknown) => hold(holds(received, expected, false), expected),
    toBeUndefined: () => hold(received === undefined, undefined),
    toHaveLength: (expected: number) => hold((received as { length?: number } | undefined)?.length === expected, expected),
  };
}

/** Runs every fact; answers how many there are and what did not hold. */
export async function runFacts(): Promise<{ readonly count: number; readonly failures: readonly string[] }> {
  const failures: string[] = [];
  for (const fact of facts) {
    try {
      for (const step of fact.before) await step();
      await fact.run();
    } catch (error) {
      failures.push(`${fact.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { count: facts.length, failures };
}

function holds(received: unknown, expected: unknown, whole: boolean): boolean {
  if (Object.is(received, expected)) return true;
  if (typeof received !== 'object' || typeof expected !== 'object' || received === null || expected === null) return false;
  if (Array.isArray(received) !== Array.isArray(expected) || ArrayBuffer.isView(received) !== ArrayBuffer.isView(expected)) return false;
  const keysOf = (value: object): readonly string[] => Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
  const keys = keysOf(expected);
  if ((whole || Array.isArray(expected)) && keysOf(received).length !== keys.length) return false;
  return keys.every((key) => holds((received as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], whole));
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 500);
}
