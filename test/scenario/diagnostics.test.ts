import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic, DiagnosticsReport, LanguagePort } from '@/lib/contracts/diagnostics';
import type { Runtime, SpawnWorker } from '@/lib/contracts/runtime';
import { createLanguage } from '@/lib/language/create-language';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { CodedError } from '@/lib/shared/coded-error';
import { systemClock } from '@/lib/shared/system-clock';
import { builtInTools } from '@/lib/tools/registry.gen';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { createEngineWorld, type EngineWorld, type TestCall } from '@/test/support/engine-world';
import { createFilesRuntime } from '@/test/support/undo-world';
import { createVirtualClock } from '@/test/support/virtual-clock';

const write = (path: string, content = 'x\n'): TestCall => ({ name: 'write_file', input: { path, content } });
const problem = (path: string): Diagnostic => ({ path, line: 3, column: 5, severity: 'error', code: 'TS2322', message: 'It does not fit.' });

/** A language that answers after so long, and remembers what it was asked. */
function slowLanguage(
  world: () => EngineWorld,
  delays: readonly number[],
  report = (paths: readonly string[]): DiagnosticsReport => ({ checked: paths, found: paths.map(problem) }),
) {
  const asked: (readonly string[])[] = [];
  const warmed: (readonly string[])[] = [];
  const language: LanguagePort = {
    knows: (path) => path.endsWith('.ts'),
    warm: (paths) => void warmed.push(paths),
    async check(paths = []) {
      const delay = delays[asked.length] ?? 0;
      asked.push(paths);
      if (delay > 0) await world().clock.sleep(delay);
      return report(paths);
    },
    dispose: () => undefined,
  };
  return { language, asked, warmed };
}

async function play(steps: readonly (readonly TestCall[])[], options: { language?: LanguagePort; runtime?: Runtime; world?: (world: EngineWorld) => void }) {
  const world = await createEngineWorld({
    runtime: options.runtime ?? (await createFilesRuntime()),
    clock: createVirtualClock(),
    tools: builtInTools,
    mode: 'auto',
    model: (_, step) => (steps[step] === undefined ? { text: 'done' } : { calls: steps[step] }),
    ...(options.language === undefined ? {} : { language: options.language }),
  });
  options.world?.(world);
  await world.send('go');
  return world;
}

const contents = (world: EngineWorld) => world.of('result-push').map(({ content }) => content);
const behind = (content: string | undefined) => (content ?? '').split('\n\n').slice(1).join('\n\n');

describe('diagnostics of a step', () => {
  it('come once, behind the result of its last edit, for all files that were edited', async () => {
    const { language, asked, warmed } = slowLanguage(() => world, []);
    const world: EngineWorld = await play([[write('a.ts'), write('note.txt'), write('b.ts'), { name: 'read_file', input: { path: 'a.ts' } }]], { language });
    expect(asked).toEqual([['a.ts', 'b.ts']]);
    // The compiler may begin while a person still looks at the edits; a step that only reads starts none.
    expect(warmed).toEqual([['a.ts', 'b.ts']]);
    expect(contents(world).map(behind)).toEqual([
      '',
      '',
      '[Diagnostics: 2 problems in a.ts, b.ts.\na.ts:3:5 error TS2322: It does not fit.\nb.ts:3:5 error TS2322: It does not fit.]',
      '',
    ]);
    expect(world.of('diagnostics').map(({ count, checked }) => [count, checked])).toEqual([[2, ['a.ts', 'b.ts']]]);
  });

  it('come also when the last edit failed, and for no file that was only read or is of no known language', async () => {
    const { language, asked } = slowLanguage(() => world, []);
    const world: EngineWorld = await play(
      [
        [write('a.ts'), { name: 'edit_file', input: { path: 'a.ts', search: 'nowhere', replace: 'y' } }],
        [write('b.txt')],
        [{ name: 'read_file', input: { path: 'a.ts' } }],
      ],
      { language },
    );
    expect(asked).toEqual([['a.ts']]);
    expect(behind(contents(world)[1])).toContain('[Diagnostics: 1 problem in a.ts.');
    expect(contents(world).slice(2).join()).not.toContain('Diagnostics');
  });

  it('say so when nothing is wrong', async () => {
    const { language } = slowLanguage(
      () => world,
      [],
      (checked) => ({ checked, found: [] }),
    );
    const world: EngineWorld = await play([[write('a.ts')]], { language });
    expect(behind(contents(world)[0])).toBe('[Diagnostics: no problems in a.ts.]');
  });

  it('that take longer than 5 s are not waited for, and stand behind the next result', async () => {
    let world = undefined as unknown as EngineWorld;
    const { language, asked } = slowLanguage(() => world, [12_000]);
    world = await play([[write('a.ts')], [{ name: 'update_plan', input: { plan: [] } }]], {
      language,
      world: (made) => {
        world = made;
      },
    });
    expect(contents(world)).toEqual([]);
    await world.clock.advance(5_000);
    expect(behind(contents(world)[0])).toBe('[Diagnostics of a.ts are not ready yet; they follow with a later result.]');
    expect(contents(world).length).toBe(2);
    await world.clock.advance(7_000);
    await world.send('go on');
    expect([asked.length, world.of('diagnostics').length]).toEqual([1, 0]);
  });

  it('that came too late are told with the next result, in another turn too', async () => {
    let world = undefined as unknown as EngineWorld;
    const { language } = slowLanguage(() => world, [12_000]);
    const steps: readonly (readonly TestCall[])[] = [[write('a.ts')], [], [{ name: 'checklist_list' }]];
    world = await createEngineWorld({
      runtime: await createFilesRuntime(),
      tools: builtInTools,
      mode: 'auto',
      language,
      model: (_, step) => ((steps[step] ?? []).length === 0 ? { text: 'done' } : { calls: steps[step] ?? [] }),
    });
    await world.send('go');
    await world.clock.advance(12_000);
    await world.send('and on');
    expect(contents(world)[1]).toContain('[Diagnostics of an earlier edit: 1 problem in a.ts.\na.ts:3:5 error TS2322: It does not fit.]');
    expect(world.of('diagnostics').map(({ late }) => late)).toEqual([true]);
  });

  it('that are owed are looked at again with the next edit, and told once', async () => {
    let world = undefined as unknown as EngineWorld;
    const { language, asked } = slowLanguage(() => world, [60_000, 0]);
    world = await play([[write('a.ts')], [write('b.ts')]], {
      language,
      world: (made) => {
        world = made;
      },
    });
    await world.clock.advance(5_000);
    expect(asked).toEqual([['a.ts'], ['a.ts', 'b.ts']]);
    expect(behind(contents(world)[1])).toContain('2 problems in a.ts, b.ts');
    await world.clock.advance(60_000);
    expect(world.of('diagnostics').length).toBe(1);
  });

  it('are no reason to wait once the turn is stopped', async () => {
    let world = undefined as unknown as EngineWorld;
    const { language } = slowLanguage(() => world, [60_000]);
    world = await play([[write('a.ts')]], {
      language,
      world: (made) => {
        world = made;
      },
    });
    await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
    await world.clock.settle();
    expect(world.of('turn-end').map(({ end }) => end)).toEqual(['stopped']);
  });

  it('that cannot be had are told to the person once, and to nobody else', async () => {
    const language: LanguagePort = {
      knows: () => true,
      warm: () => undefined,
      check: () => Promise.reject(new CodedError('not-available', 'The language worker could not run: blocked')),
      dispose: () => undefined,
    };
    const world = await play([[write('a.ts')], [write('b.ts')]], { language });
    expect(contents(world).join()).not.toContain('iagnostics');
    expect(world.of('notice').filter(({ code }) => code === 'no-diagnostics').length).toBe(1);
  });
});

describe('the language worker', () => {
  let spawnWorker: SpawnWorker;
  const opened: LanguagePort[] = [];
  beforeAll(async () => {
    spawnWorker = await createThreadSpawner();
  });
  afterAll(() => {
    for (const language of opened) language.dispose();
  });
  async function languageOver(files: Readonly<Record<string, string>>) {
    const runtime = await createFilesRuntime();
    const workspace = createWorkspaceFiles(runtime);
    for (const [path, text] of Object.entries(files)) await workspace.writeText(path, text);
    const language = createLanguage({ runtime, files: workspace, spawnWorker, clock: systemClock });
    opened.push(language);
    return { language, workspace, runtime };
  }

  it('sees files as they are, again after each change', { timeout: 60_000 }, async () => {
    const { language, workspace } = await languageOver({
      'a.ts': 'export const a: string = 1;\n',
      'b.json': '{,}',
      'c.txt': '',
      'node_modules/x/y.ts': 'wrong wrong',
    });
    // What was read ahead is read anew where it changed since.
    language.warm(['a.ts', 'b.json']);
    const first = await language.check(undefined);
    expect([first.checked, first.found.map(({ path, code }) => `${path} ${code}`)]).toEqual([
      ['a.ts', 'b.json'],
      ['a.ts TS2322', 'b.json JSON'],
    ]);
    await workspace.writeText('a.ts', 'export const a: string = "1";\n');
    await workspace.remove('b.json');
    expect(await language.check(['a.ts', 'b.json'])).toEqual({ checked: ['a.ts'], found: [] });
  });

  it('is a tool of the model, over the same files', { timeout: 60_000 }, async () => {
    const { language, runtime } = await languageOver({ 'src/a.ts': 'export const a: string = 1;\n', 'read.md': '' });
    const world = await createEngineWorld({
      runtime,
      language,
      tools: builtInTools,
      model: (_, step) =>
        step === 0
          ? {
              calls: [
                { name: 'diagnostics' },
                { name: 'diagnostics', input: { paths: ['read.md', './src/a.ts'] } },
                { name: 'diagnostics', input: { paths: ['gone.ts'] } },
              ],
            }
          : { text: 'done' },
    });
    await world.send('look');
    await world.engine.idle(world.sessionId);
    expect(contents(world)).toEqual([
      "1 problem in src/a.ts.\nsrc/a.ts:1:14 error TS2322: Type 'number' is not assignable to type 'string'.",
      "1 problem in src/a.ts.\nsrc/a.ts:1:14 error TS2322: Type 'number' is not assignable to type 'string'.\nNot looked at, since only TypeScript, JavaScript and JSON are known: read.md",
      expect.stringContaining('There is no file gone.ts.'),
    ]);
    expect(world.of('plan-end')[0]?.batches.map(({ kind }) => kind)).toEqual(['parallel']);
  });
});
