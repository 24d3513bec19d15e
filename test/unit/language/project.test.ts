import { describe, expect, it } from 'vitest';
import { jsonProblems } from '@/lib/language/json-problems';
import { createProject } from '@/lib/language/project';
import { practiceTasks } from '@/lib/practice/tasks';
import { runtimeFiles } from '@/lib/practice/workspaces/workspace';
import { readTypeLibraries } from '@/scripts/support/type-libraries.mjs';

const libraries = readTypeLibraries(process.cwd());

function problemsOf(files: Readonly<Record<string, string>>, paths: readonly string[], packagesUnknown = false) {
  const project = createProject(libraries);
  for (const [path, text] of Object.entries(files)) project.put(path, text);
  return project.problems(paths, packagesUnknown).map(({ path, line, column, severity, code }) => `${path}:${line}:${column} ${severity} ${code}`);
}

describe('the compiler over a workspace', () => {
  it.each(practiceTasks.map((task) => [task.taskId, task] as const))('finds nothing wrong with the sources of %s', (_, task) => {
    const project = createProject(libraries);
    const sources = runtimeFiles(task.workspace.files).map(({ path, bytes }) => ({ path, text: new TextDecoder().decode(bytes) }));
    for (const { path, text } of sources) project.put(path, text);
    const paths = sources.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
    expect(project.problems(paths, false).map(({ path, line, code, message }) => `${path}:${line} ${code} ${message}`)).toEqual([]);
  });

  it('names place, code and words, and follows each change', () => {
    const project = createProject(libraries);
    project.put('src/a.ts', 'export const length = (text: string): number => text.length;\n');
    project.put('src/b.ts', "import { length } from './a.ts';\nexport const wrong: string = length('x');\n");
    expect(project.problems(['src/b.ts'], false)).toEqual([
      { path: 'src/b.ts', line: 2, column: 14, severity: 'error', code: 'TS2322', message: "Type 'number' is not assignable to type 'string'." },
    ]);
    project.put('src/a.ts', 'export const length = (text: string): string => String(text.length);\n');
    expect(project.problems(['src/b.ts'], false)).toEqual([]);
    project.put('src/a.ts', null);
    expect(project.problems(['src/b.ts'], false).map(({ code }) => code)).toEqual(['TS2307']);
  });

  it('knows what Node offers, also under nodenext and with explicit types', () => {
    const source =
      "import test from 'node:test';\nimport { readFileSync } from 'node:fs';\ntest(readFileSync('a', 'utf8'), () => { process.exit(Buffer.from('x').length); });\nfetch('x');\n";
    expect(problemsOf({ 'a.ts': source }, ['a.ts'])).toEqual([]);
    for (const types of ['', ', "types": ["node"]'])
      expect(
        problemsOf(
          { 'a.ts': source, 'package.json': '{"type":"module"}', 'tsconfig.json': `{"compilerOptions":{"module":"nodenext","strict":true${types}}}` },
          ['a.ts'],
        ),
      ).toEqual([]);
    expect(problemsOf({ 'a.ts': 'process.exit();\n', 'tsconfig.json': '{"compilerOptions":{"types":[]}}' }, ['a.ts'])).toEqual(['a.ts:1:1 error TS2591']);
  });

  it('obeys the nearest settings that include the file, along references', () => {
    const loose = 'export function f(x) { return x; }\n';
    const files = {
      'tsconfig.json': '{"files": [], "references": [{"path": "./app"}, {"path": "./strict/tsconfig.json"}]} // why',
      'app/tsconfig.json': '{"compilerOptions": {"strict": false}, "include": ["."]}',
      'app/a.ts': loose,
      'strict/tsconfig.json': '{"extends": "../base.json"}',
      'base.json': '{"compilerOptions": {"strict": true}}',
      'strict/b.ts': loose,
    };
    expect(problemsOf(files, ['app/a.ts', 'strict/b.ts'])).toEqual(['strict/b.ts:1:19 error TS7006']);
  });

  it('of JavaScript says what cannot be read, and no more unless it is asked', () => {
    expect(problemsOf({ 'a.js': 'const n = 1;\nn.nothing();\n' }, ['a.js'])).toEqual([]);
    expect(problemsOf({ 'a.js': '// @ts-check\nconst n = 1;\nn.nothing();\n' }, ['a.js'])).toEqual(['a.js:3:3 error TS2339']);
    expect(problemsOf({ 'a.mjs': 'const = ;\n' }, ['a.mjs'])[0]).toBe('a.mjs:1:7 error TS1134');
  });

  it('reads declarations of installed packages, and takes anything from those that it could not look at', () => {
    const source = "import { one } from 'pack';\nexport const two: string = one;\n";
    const pack = { 'node_modules/pack/package.json': '{"name":"pack","types":"index.d.ts"}', 'node_modules/pack/index.d.ts': 'export const one: number;\n' };
    expect(problemsOf({ 'a.ts': source, ...pack }, ['a.ts'])).toEqual(['a.ts:2:14 error TS2322']);
    expect(problemsOf({ 'a.ts': source }, ['a.ts'])).toEqual(['a.ts:1:21 error TS2307']);
    expect(problemsOf({ 'a.ts': source }, ['a.ts'], true)).toEqual([]);
  });

  it('passes over what is not there', () => {
    expect(problemsOf({ 'a.ts': '' }, ['b.ts', 'a.ts'])).toEqual([]);
  });
});

describe('JSON', () => {
  it('has the place of its first problem; settings may hold comments', () => {
    expect(jsonProblems('a.json', '{"a": 1}')).toEqual([]);
    expect(jsonProblems('a.json', '{\n  "a": 1,\n}')).toMatchObject([{ path: 'a.json', line: 2, column: 9, severity: 'error', code: 'JSON' }]);
    expect(jsonProblems('tsconfig.json', '{\n  // why\n  "a": 1,\n}')).toEqual([]);
    expect(jsonProblems('x/tsconfig.build.json', '{\n  "a": \n}')).toMatchObject([{ line: 3, column: 1 }]);
    expect(jsonProblems('a.json', '')).toMatchObject([{ line: 1, column: 1 }]);
  });
});
