import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '@/scripts/layers.mjs';
import { clonedFiles } from './source-files';
import { declaredExports, titlesOf } from './test-titles';

interface Row {
  /** The heading that it stands under: `Laws`, or the number of the section. */
  readonly section: string;
  readonly rule: string;
  readonly path: string;
  readonly name: string;
  readonly testPath: string;
  readonly title: string;
}

const columns = '| rule | decided by | the test that would fail |';
const rowShape = /^\| (.+) \| `([^`]+)` · `([^`]+)` \| `([^`]+)` · `([^`]+)` \|$/;

/** The rows of every table with these columns; a line that is none is a fault of its own. */
function readRows(document: string): { readonly rows: readonly Row[]; readonly faults: readonly string[] } {
  const rows: Row[] = [];
  const faults: string[] = [];
  let section = '';
  let inside = false;
  for (const line of document.split('\n')) {
    const heading = /^#+ (?:(\d+)\.|(.*))/.exec(line);
    if (heading !== null) section = heading[1] ?? heading[2] ?? '';
    if (line === columns) inside = true;
    else if (!line.startsWith('|')) inside = false;
    else if (inside && !/^\|[-| ]+\|$/.test(line)) {
      const [, rule = '', path = '', name = '', testPath = '', title = ''] = rowShape.exec(line) ?? [];
      if (rule === '') faults.push(`no row: ${line}`);
      else rows.push({ section, rule, path, name, testPath, title });
    }
  }
  return { rows, faults };
}

const files = new Set(clonedFiles());
const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const homes = [...files].filter((path) => /^(lib|workers|components|server)\/.*\.tsx?$/.test(path) && !/\.(gen|d)\.ts$/.test(path));
const exportsOf = new Map(homes.map((path) => [path, declaredExports(path, textOf(path))]));
const titles = new Map<string, readonly string[]>();

/** What may be named in a test file: titles of tests and groups; ids of cases. */
function titlesIn(path: string): readonly string[] {
  const known = titles.get(path);
  if (known !== undefined) return known;
  const found = path.endsWith('.json')
    ? (JSON.parse(textOf(path)) as { readonly cases: readonly { readonly id: string }[] }).cases.map(({ id }) => id)
    : titlesOf(path, textOf(path)).map(({ title }) => title);
  titles.set(path, found);
  return found;
}

function faultsOf({ path, name, testPath, title }: Row): readonly string[] {
  const faults: string[] = [];
  if (!files.has(path)) faults.push(`${path} is not there`);
  else if (exportsOf.get(path)?.includes(name) !== true) faults.push(`${path} exports no ${name}`);
  const others = homes.filter((home) => home !== path && exportsOf.get(home)?.includes(name) === true);
  if (others.length > 0) faults.push(`${name} is defined in ${others.join(', ')} too`);
  if (!testPath.startsWith('test/') || !files.has(testPath)) faults.push(`${testPath} is not there`);
  else {
    const isCase = testPath.endsWith('.json');
    const fitting = titlesIn(testPath).filter((known) => (isCase ? known === title : known.includes(title)));
    if (fitting.length !== 1) faults.push(`${testPath} has ${fitting.length} ${isCase ? 'cases' : 'titles'} "${title}"`);
  }
  return faults;
}

describe('the table of rules', () => {
  const { rows, faults } = readRows(textOf('ARCHITECTURE.md'));

  it('has whole rows only, and names each rule once', () => {
    expect(faults).toEqual([]);
    const rules = rows.map(({ section, rule }) => `${section}: ${rule}`);
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  });

  it('leaves no section of the rules without a row', () => {
    const sections = ['Laws', ...Array.from({ length: 13 }, (_, index) => String(index + 1))];
    expect(sections.filter((section) => !rows.some((row) => row.section === section))).toEqual([]);
  });

  it('names for each rule a function that is there and defined once, and a test that is there', () => {
    expect(rows.flatMap((row) => faultsOf(row).map((fault) => `${row.section}: ${row.rule}: ${fault}`))).toEqual([]);
  });

  it('fails for a missing file, a missing export, one that is defined twice, one that is handed on, and a missing or unclear test', () => {
    const row: Row = {
      section: '6',
      rule: 'planted',
      path: 'lib/policy/decide.ts',
      name: 'decide',
      testPath: 'test/unit/policy/decide.test.ts',
      title: 'is decided by level and mode',
    };
    const planted: readonly Partial<Row>[] = [
      {},
      { path: 'lib/policy/gone.ts' },
      { path: 'lib/policy/explain.ts' },
      { name: 'canAct' },
      { path: 'lib/contracts/zod.ts', name: 'z' },
      { testPath: 'test/unit/policy/gone.test.ts' },
      { title: 'is not a title' },
      { title: 'that' },
      { testPath: 'test/cases/approval.json', title: 'ap-0' },
    ];
    expect(planted.map((one) => faultsOf({ ...row, ...one }))).toEqual([
      [],
      ['lib/policy/gone.ts is not there', 'decide is defined in lib/policy/decide.ts too'],
      ['lib/policy/explain.ts exports no decide', 'decide is defined in lib/policy/decide.ts too'],
      ['lib/policy/decide.ts exports no canAct'],
      ['lib/contracts/zod.ts exports no z'],
      ['test/unit/policy/gone.test.ts is not there'],
      ['test/unit/policy/decide.test.ts has 0 titles "is not a title"'],
      ['test/unit/policy/decide.test.ts has 2 titles "that"'],
      ['test/cases/approval.json has 0 cases "ap-0"'],
    ]);
    const text = `### 3. Planted\n\n${columns}\n|---|---|---|\n| one | \`a.ts\` · \`b\` | \`test/c.ts\` · \`d\` |\n| two | somewhere | some test |\n`;
    expect(readRows(text)).toEqual({
      rows: [{ section: '3', rule: 'one', path: 'a.ts', name: 'b', testPath: 'test/c.ts', title: 'd' }],
      faults: ['no row: | two | somewhere | some test |'],
    });
    expect(declaredExports('a.ts', "export { x } from './b'; export * from './c'; const y = 1; export { y as z }; export const { p, q: [r] } = y;")).toEqual([
      'p',
      'r',
      'z',
    ]);
  });
});
