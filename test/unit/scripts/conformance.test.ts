import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { caseFolders, defaultFiles, readGiven } from '@/scripts/conformance/find-files';
import { projectRoot } from '@/scripts/layers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

const one = (id: string, rung = 'exact') => ({
  id,
  why: 'it resolves',
  input: { requested: 'a', registered: ['a'], mutating: [] },
  expected: { resolved: 'a', rung },
});
const plant = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};
const file = (name: string, cases: readonly unknown[], kind = 'name-repair') => plant(name, { kind, contract: [], cases });

/** Runs the command as npm does, from the folder of the planted files. */
function conformance(...files: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, 'scripts/conformance.mjs'), ...files], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder },
  });
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
}

describe('npm run conformance', () => {
  it('says what passed, exit 0, also for a case given twice', () => {
    expect(conformance(file('good.json', [one('x-1')]), file('again.json', [one('x-1'), one('x-2')]), 'good.json')).toEqual({
      status: 0,
      lines: ['2 passed, 0 failed'],
      stderr: '',
    });
  });

  it('tells each failure, goes on after it, and exits 1', () => {
    const own = JSON.parse(readFileSync(join(projectRoot, 'test/cases/name-repair.json'), 'utf8'));
    const { status, lines } = conformance(
      file('bad.json', [one('x-1', 'case'), { ...one('x-2'), expected: { resolved: 'a', rung: 'exact', colour: 'red' } }, one('x-3')]),
      file('unknown.json', [one('x-4')], 'weather'),
      plant('malformed.json', '{"kind": "sse", "cases": ['),
      'missing.json',
      file('clash.json', [one('x-3', 'case')]),
      file('other.json', [{ ...own.cases[0], expected: { planted: true } }]),
      join(projectRoot, 'test/cases/name-repair.json'),
    );
    expect(status).toBe(1);
    expect(lines.filter((line) => /^(failed|corrected)/.test(line))).toEqual([
      expect.stringMatching(`^corrected  name-repair ${own.cases[0].id}: .*test/cases/name-repair\\.json counts, not other\\.json$`),
      'failed  malformed.json',
      'failed  missing.json',
      'failed  name-repair x-3',
      'failed  name-repair x-1 (bad.json)',
      'failed  name-repair x-2 (bad.json)',
      'failed  weather x-4 (unknown.json)',
    ]);
    expect(lines).toContain('  got       {"exception":"expected: no runner knows the field colour"}');
    expect(lines).toContain('  got       {"exception":"there is no runner for weather"}');
    expect(lines.at(-1)).toBe(`${own.cases.length} passed, 6 failed`);
  });

  it('without a file takes those of the project and, where they are, those beside it', () => {
    const root = join(folder, 'project');
    mkdirSync(join(root, 'test/cases/deeper'), { recursive: true });
    for (const name of ['a.json', 'deeper/b.json', 'notes.md']) writeFileSync(join(root, 'test/cases', name), '{}');
    const folders = caseFolders(root);
    const shown = () => readGiven(defaultFiles(folders), folders, root).map(({ name, own }) => [name, own]);
    const ownFiles = [
      ['test/cases/a.json', true],
      ['test/cases/deeper/b.json', true],
    ];
    expect(shown()).toEqual(ownFiles);
    mkdirSync(join(folder, 'shared/cases'), { recursive: true });
    for (const name of ['c.json', 'checklist.md']) writeFileSync(join(folder, 'shared/cases', name), '{}');
    expect(shown()).toEqual([...ownFiles, ['../shared/cases/c.json', false]]);
  });
});
