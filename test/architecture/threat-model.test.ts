import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '@/scripts/layers.mjs';

interface Row {
  readonly tries: string;
  /** The file, and what of it stops the attack. */
  readonly stops: readonly { readonly path: string; readonly name: string | undefined }[];
  readonly tests: readonly { readonly path: string; readonly title: string }[];
}

function readRows(text: string): readonly Row[] {
  return text.split('\n').flatMap((line): Row[] => {
    const [, who, tries, , stopped, proven] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (who === undefined || tries === undefined || stopped === undefined || proven === undefined || who === 'who' || /^-+$/.test(who)) return [];
    const stops = [...stopped.matchAll(/`([^`]+\.tsx?)`(?: \(`([^`]+)`\))?/g)].map(([, path = '', name]) => ({ path, name }));
    const tests = [...proven.matchAll(/`([^`]+)`: “([^”]+)”/g)].map(([, path = '', title = '']) => ({ path, title }));
    return [{ tries, stops, tests }];
  });
}

const textOf = (path: string): string => (existsSync(join(projectRoot, path)) ? readFileSync(join(projectRoot, path), 'utf8') : '');

/** What a row says and the project does not hold. */
function faultsOf({ tries, stops, tests }: Row): readonly string[] {
  const faults: string[] = [];
  if (stops.length === 0) faults.push('names no file');
  if (!tests.some(({ path }) => path.startsWith('test/hostile/'))) faults.push('has no hostile test');
  for (const { path, name } of stops)
    if (textOf(path) === '') faults.push(`${path} is not there`);
    else if (name === undefined) faults.push(`${path} is named without what stops it`);
    else if (!new RegExp(`export (?:async )?(?:function\\*?|const|class|interface|type) ${name}\\b`).test(textOf(path)))
      faults.push(`${path} exports no ${name}`);
  for (const { path, title } of tests)
    if (![`it('${title}'`, `test('${title}'`].some((begin) => textOf(path).includes(begin))) faults.push(`${path} has no test “${title}”`);
  return faults.map((fault) => `${tries}: ${fault}`);
}

describe('the threat model', () => {
  const text = textOf('docs/threat-model.md');
  const rows = readRows(text);

  it('names for every attack the file that stops it and a hostile test, and all of them are there', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  it('has a row for every file of hostile tests, and says what is not defended', () => {
    const named = new Set(rows.flatMap(({ tests }) => tests.map(({ path }) => path)));
    const files = readdirSync(join(projectRoot, 'test/hostile')).map((name) => `test/hostile/${name}`);
    expect(files.filter((path) => !named.has(path))).toEqual([]);
    expect(text).toContain('\n## What is not defended\n');
  });

  it('a file, an export, a test and a row without a proof that are not there are found', () => {
    const planted =
      '| who | tries | reach | stopped by | proven by |\n|---|---|---|---|---|\n| a | b | c | `lib/gone.ts` (`gone`), `lib/policy/decide.ts` (`undecide`), `lib/policy/decide.ts` | `test/hostile/answers.test.ts`: “no such title” |\n| d | e | f | g | h |';
    expect(readRows(planted).flatMap(faultsOf)).toEqual([
      'b: lib/gone.ts is not there',
      'b: lib/policy/decide.ts exports no undecide',
      'b: lib/policy/decide.ts is named without what stops it',
      'b: test/hostile/answers.test.ts has no test “no such title”',
      'e: names no file',
      'e: has no hostile test',
    ]);
  });
});
