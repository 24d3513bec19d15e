import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import { runShell } from '@/lib/engine/run-shell';
import { runGit } from '@/lib/git/command/run-git';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';

let runtime: Runtime;
beforeAll(async () => {
  const author = { name: 'Ada Test', email: 'ada@example.invalid' };
  runtime = await createEmbeddedRuntime({
    spawnWorker: await createThreadSpawner(),
    sharedMemory: true,
    commands: (fs) => new Map([['git', (request) => runGit(request, { fs, now: () => 1_767_603_600_000, author })]]),
  });
}, 60_000);
afterAll(() => runtime.dispose());

const sh = async (command: string, cwd?: string) => {
  const { output, exitCode } = await runShell(runtime, { command, ...(cwd === undefined ? {} : { cwd }) }, new AbortController().signal);
  return { output, exitCode };
};

describe('git in the embedded shell', () => {
  it('makes a history, and shows it', async () => {
    expect(await sh('git init && mkdir src && echo one > src/a.txt && git add -A && git commit -m "First: \'quotes\' and é"')).toEqual({
      output: expect.stringMatching(
        /^Initialized empty Git repository in \/workspace\/\.git\/\n\[main \(root-commit\) [0-9a-f]{7}\] First: 'quotes' and é\n 1 file changed, 1 insertion\(\+\)\n create mode 100644 src\/a\.txt\n$/,
      ),
      exitCode: 0,
    });
    expect((await sh('git log --oneline -n 5')).output).toMatch(/^[0-9a-f]{7} First: 'quotes' and é\n$/);
  });

  it('works in pipes, substitutions, conditions and folders', async () => {
    await sh('echo two >> src/a.txt; echo x > loose.txt');
    expect((await sh('git status -s | sort')).output).toBe(' M src/a.txt\n?? loose.txt\n');
    expect((await sh('git status -s', 'src')).output).toBe(' M a.txt\n?? ../loose.txt\n');
    expect((await sh('echo "on $(git branch --show-current)"')).output).toBe('on main\n');
    expect((await sh('git diff --quiet || echo changed')).output).toBe('changed\n');
    expect((await sh('git diff | grep "^[+-][a-z]"')).output).toBe('+two\n');
    expect((await sh('printf "From a pipe\\n" | git commit -a -q -F - && git log --format=%s -n1')).output).toBe('From a pipe\n');
  });

  it('answers programs that ask it', async () => {
    await runtime.fs.writeFile(
      'ask.js',
      "const { execSync } = require('node:child_process');\nconsole.log('branch', execSync('git rev-parse --abbrev-ref HEAD').toString().trim());\n",
    );
    expect(await sh('node ask.js')).toEqual({ output: 'branch main\n', exitCode: 0 });
  });

  it('says in words what is not there', async () => {
    expect(await sh('git push origin main')).toEqual({
      output: "git: 'push' is not available here. There is no server that this workspace could talk to: its history stays in this browser.\n",
      exitCode: 1,
    });
  });

  it('adds five hundred files in a few seconds', async () => {
    await runtime.mount(
      Array.from({ length: 500 }, (_, index) => ({ path: `many/file${index}.txt`, bytes: new TextEncoder().encode(`text of file ${index}\n`) })),
    );
    const before = performance.now();
    expect(await sh('git add . && git commit -q -m many && git status -s')).toEqual({ output: '', exitCode: 0 });
    expect(performance.now() - before).toBeLessThan(20_000);
  }, 60_000);
});
