import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReadFiles } from '@/lib/contracts/tool-context';
import { readSource } from '@/lib/practice/scripts/duration-bug';
import { findTask } from '@/lib/practice/tasks';
import { fixTheTestWorkspace as workspace } from '@/lib/practice/workspaces/fix-the-test';
import { runtimeFiles, starterText, type TextFile } from '@/lib/practice/workspaces/workspace';
import { CodedError } from '@/lib/shared/coded-error';

const made: string[] = [];
afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true });
});

const starter = new Map(workspace.files.map((file) => [file.path, file.text]));
const broken = readSource(starterText(workspace, 'src/duration.ts'));
if (broken.kind !== 'broken') throw new Error('the starter has lost its bug');
const mendedSource = starterText(workspace, 'src/duration.ts').replace(broken.search, broken.replace);

async function runNode(files: ReadonlyMap<string, string>, ...args: string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ferry-log-'));
  made.push(folder);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return new Promise((resolve) => {
    // Node 20 needs tsx for what later versions do by themselves.
    execFile(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), ...args],
      { cwd: folder, env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
      (error, stdout, stderr) => {
        resolve({ exitCode: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, output: stdout + stderr });
      },
    );
  });
}
const runTests = (files: ReadonlyMap<string, string>) => runNode(files, '--test', '--test-reporter=tap', 'test/duration.test.ts', 'test/timetable.test.ts');

describe('the starter workspace of fix-the-test', () => {
  it('has exactly one failing test in a real Node, and none once the script’s edit is in', async () => {
    const before = await runTests(starter);
    expect(before.exitCode).toBe(1);
    expect(before.output.match(/^ *not ok \d+ - a .*$/gm)?.map((line) => line.trim().replace(/\d+ - /, ''))).toEqual([
      'not ok a crossing just short of the full hour is told as the full hour',
    ]);
    const after = await runTests(new Map([...starter, ['src/duration.ts', mendedSource]]));
    expect([after.exitCode, after.output.match(/^# (pass|fail) \d+$/gm)]).toEqual([0, ['# pass 8', '# fail 0']]);
  });

  it('prints a report whose one line about a whale lies in the part that a cut takes away', async () => {
    const { output } = await runNode(new Map([...starter, ['src/duration.ts', mendedSource]]), 'src/report.ts');
    const bytes = Buffer.from(output);
    const at = bytes.indexOf('whale');
    expect(bytes.length).toBeGreaterThan(60_000);
    expect([at > 22_000, at < bytes.length - 8_000, output.split('whale').length]).toEqual([true, true, 2]);
    expect(output.split('\n').find((line) => line.includes('whale'))).toBe(
      '2026-07-16  15:20–18:20  Cormorant Bay → Alder Quay  Old Marjory    3h 0m  slowed down for a whale and her calf',
    );
    // No line may look like a failure, or the cut would keep it.
    expect(output).not.toMatch(/error|fail|warn|not ok/i);
    expect(output).not.toContain(' 60m');
  });

  it('is sorted, names each file once, and keeps node_modules out of git', () => {
    const paths = workspace.files.map((file) => file.path);
    expect(paths).toEqual([...new Set(paths)].sort());
    expect(runtimeFiles(workspace.files).map((file) => file.path)).toEqual(paths);
    expect(starterText(workspace, '.gitignore').split('\n')).toContain('node_modules/');
  });

  it('has a history whose every commit but the last passes its tests, and whose last is the workspace', async () => {
    expect(workspace.history.map((commit) => commit.files === undefined)).toEqual([false, false, true]);
    const tree = new Map<string, string>();
    const put = (file: TextFile) => tree.set(file.path, file.text);
    for (const commit of workspace.history.slice(0, -1)) {
      commit.files?.forEach(put);
      const run = await runNode(tree, '--test', ...[...tree.keys()].filter((path) => path.startsWith('test/')));
      expect([commit.message, run.exitCode]).toEqual([commit.message, 0]);
      for (const path of tree.keys()) expect(starter.has(path)).toBe(true);
    }
  });
});

describe('the check of fix-the-test', () => {
  const task = findTask('fix-the-test');
  const noGit = { status: () => Promise.reject(new Error('not asked')), log: () => Promise.reject(new Error('not asked')) };
  const filesOf = (texts: ReadonlyMap<string, string>): ReadFiles => {
    const readText = async (path: string): Promise<string> => {
      const text = texts.get(path);
      if (text === undefined) throw new CodedError('not-found', `There is no file ${path}.`);
      return text;
    };
    const unused = () => Promise.reject(new Error('the check only reads texts'));
    return { readText, readBytes: unused, readDirectory: unused, stat: unused, listFiles: unused };
  };
  const check = (changes: Readonly<Record<string, string>>, exitCode: number, without?: string) => {
    const texts = new Map([...starter, ...Object.entries(changes)]);
    if (without !== undefined) texts.delete(without);
    return task?.check(filesOf(texts), async ({ command }) => ({ exitCode: command === 'npm test' ? exitCode : 127, output: '', producedBytes: 0 }), noGit);
  };

  it('passes when npm test passes and the tests are as they were', async () => {
    expect(await check({ 'src/duration.ts': mendedSource }, 0)).toEqual({ passed: true, detail: 'npm test passes, and the tests are as they were.' });
  });

  it('does not pass while npm test fails', async () => {
    expect(await check({}, 1)).toEqual({ passed: false, detail: 'npm test ends with exit code 1.' });
  });

  it('is not fooled by a changed test, a missing one, or another test script', async () => {
    const test = starterText(workspace, 'test/duration.test.ts');
    expect(await check({ 'test/duration.test.ts': test.replace("'2h 0m'", "'1h 60m'") }, 0)).toMatchObject({
      passed: false,
      detail: expect.stringContaining('test/duration.test.ts was changed'),
    });
    expect(await check({}, 0, 'test/timetable.test.ts')).toEqual({ passed: false, detail: 'A file of the task is missing.' });
    expect(await check({ 'package.json': '{"scripts":{"test":"true"}}' }, 0)).toMatchObject({ passed: false, detail: expect.stringContaining('package.json') });
    expect(await check({ 'package.json': '{' }, 0)).toMatchObject({ passed: false, detail: expect.stringContaining('could not run') });
  });

  it('lets a person add tests below the given ones', async () => {
    expect(await check({ 'test/duration.test.ts': `${starterText(workspace, 'test/duration.test.ts')}\ntest('more', () => {});\n` }, 0)).toMatchObject({
      passed: true,
    });
  });
});
