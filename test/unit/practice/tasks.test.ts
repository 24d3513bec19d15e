import { describe, expect, it } from 'vitest';
import type { ReadFiles } from '@/lib/contracts/tool-context';
import { findTask, practiceTasks } from '@/lib/practice/tasks';
import { addAFeatureWorkspace } from '@/lib/practice/workspaces/add-a-feature';
import { starterText } from '@/lib/practice/workspaces/workspace';
import { CodedError } from '@/lib/shared/coded-error';

const conversation = (text: string) => ({ model: '', toolNames: new Set<string>(), turns: [{ userText: text, steps: [] }] });

describe('the practice tasks', () => {
  it('are offered in order, each once', () => {
    expect(practiceTasks.map((task) => [task.taskId, task.title])).toEqual([
      ['fix-the-test', 'Fix the failing test'],
      ['add-a-feature', 'Add a feature'],
      ['watch-it-misbehave', 'Watch it misbehave'],
    ]);
  });

  it('are each begun by their own prompt alone', () => {
    for (const task of practiceTasks)
      expect(practiceTasks.filter((other) => other.script.isFor(conversation(task.prompt))).map((other) => other.taskId)).toEqual([task.taskId]);
  });

  it.each(practiceTasks)('$taskId starts from sorted files, each named once, that its last commit holds', ({ script, taskId, workspace }) => {
    const paths = workspace.files.map((file) => file.path);
    expect([script.taskId, paths]).toEqual([taskId, [...new Set(paths)].sort()]);
    expect(workspace.history.map((commit) => commit.files === undefined)).toEqual(workspace.history.map((_, index) => index === workspace.history.length - 1));
  });
});

describe('the check of add-a-feature', () => {
  const starter = new Map(addAFeatureWorkspace.files.map((file) => [file.path, file.text]));
  const commit = { id: 'abc', message: 'Boats\n\nmore', author: { name: '', email: '' }, atSeconds: 0, timezoneOffset: 0, parents: [] };
  const printed = '2026-06-01  06:40  Nightjar\n2026-06-01  08:15  Petrel\n2026-06-02  06:40  Nightjar\n2026-06-02  08:15  Old Marjory\n';
  const sums = 'Nightjar  2 crossings\nPetrel  1 crossings\nOld Marjory  1 crossings\n';
  const built = { 'src/boats.ts': 'export function boatTotals() {}', 'test/boats.test.ts': 'boatTotals()' };
  const filesOf = (texts: ReadonlyMap<string, string>): ReadFiles => {
    const unused = () => Promise.reject(new Error('not asked'));
    return {
      readText: async (path) => {
        const text = texts.get(path);
        if (text === undefined) throw new CodedError('not-found', path);
        return text;
      },
      stat: async (path) => (texts.has(path) ? { kind: 'file', size: 1, modifiedAtMs: 0 } : undefined),
      listFiles: async (options) => [...texts.keys()].filter((path) => path.startsWith(`${options?.path}/`)),
      readBytes: unused,
      readDirectory: unused,
    };
  };
  const check = (options: {
    changes?: Readonly<Record<string, string>>;
    exitCode?: number;
    output?: string;
    dirty?: readonly string[];
    committed?: boolean;
    commands?: string[];
  }) =>
    findTask('add-a-feature')?.check(
      filesOf(new Map([...starter, ...Object.entries(options.changes ?? built)])),
      async ({ command }) => {
        options.commands?.push(command);
        return { exitCode: options.exitCode ?? 0, output: options.output ?? printed + sums, producedBytes: 0 };
      },
      {
        log: async () => (options.committed === false ? [] : [commit]),
        status: async () => ({ paths: (options.dirty ?? []).map((path) => ({ path, work: 'untracked' as const })) }),
      },
    );

  it('passes when the boats are added up, printed, tested and committed', async () => {
    const commands: string[] = [];
    expect(await check({ commands })).toEqual({ passed: true, detail: 'The boats are added up, printed, tested and committed: Boats.' });
    expect(commands).toEqual(['npm test && npm run report']);
  });

  it('runs the command of its own where there is one', async () => {
    const commands: string[] = [];
    const packageJson = starterText(addAFeatureWorkspace, 'package.json').replace('"report":', '"boats": "node src/boats-report.ts",\n    "report":');
    expect(await check({ commands, changes: { ...built, 'package.json': packageJson } })).toMatchObject({ passed: true });
    expect(commands).toEqual(['npm test && npm run report && npm run boats']);
  });

  it.each([
    ['no module', { changes: {} }, 'There is no boatTotals in src/boats.ts.'],
    ['a module without it', { changes: { 'src/boats.ts': 'export {}' } }, 'There is no boatTotals in src/boats.ts.'],
    ['no test', { changes: { 'src/boats.ts': 'boatTotals' } }, 'No test speaks of boatTotals.'],
    ['red tests', { exitCode: 1 }, 'npm test and what is printed after it end with exit code 1.'],
    ['nothing printed', { output: printed }, 'Nothing that is printed says how many crossings Nightjar made.'],
    ['a wrong sum', { output: printed + sums.replace('Petrel  1', 'Petrel  3') }, 'Nothing that is printed says how many crossings Petrel made.'],
    ['no commit', { committed: false }, 'src/boats.ts is not committed.'],
    ['half a commit', { dirty: ['test/boats.test.ts'] }, 'test/boats.test.ts: not committed.'],
    ['a changed test', { changes: { ...built, 'test/duration.test.ts': '' } }, 'test/duration.test.ts was changed; the tests that were there are to stay.'],
    ['another test script', { changes: { ...built, 'package.json': '{"scripts":{"test":"true"}}' } }, 'The test script of package.json was changed.'],
  ] as const)('does not pass with %s', async (_, options, detail) => {
    expect(await check(options)).toEqual({ passed: false, detail });
  });
});
