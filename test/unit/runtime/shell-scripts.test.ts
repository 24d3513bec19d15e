import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { readUntil, runProgram, runShell } from '@/test/contract/runtime/run-program';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createEmbeddedRuntime({ spawnWorker: await createThreadSpawner(), sharedMemory: true });
});
afterAll(() => runtime.dispose());
beforeEach(async () => {
  await runtime.fs.rm('', { recursive: true });
});

// What streams and what is captured must not change what a script means.
const scripts: readonly (readonly [name: string, script: string, stdout: string, stderr?: string])[] = [
  ['a capture stays a capture', 'x=$(echo a; echo b >&2); echo "[$x]"', '[a]\n', 'b\n'],
  ['a function is captured and printed', 'f() { echo in; }; y=$(f); f; echo "$y$y"', 'in\ninin\n'],
  ['a pipe takes what is printed', '{ echo b; echo a; } | sort; (echo c; echo d) | tail -1', 'a\nb\nd\n'],
  ['a pipe leaves stderr alone, |& takes it', '{ echo o; echo e >&2; } | tr oe OE; { echo o; echo e >&2; } |& tr oe OE', 'O\nO\nE\n', 'e\n'],
  ['redirections win', '{ echo a; echo b >&2; } > out 2> err; echo c >> out; cat out err; for i in 1 2; do echo $i; done > n; cat n', 'a\nc\nb\n1\n2\n'],
  ['stderr into stdout, and away', '(echo a >&2) 2>&1 | tr a A; nothing 2>/dev/null; ls none 2>&1 | head -1', 'A\nls: none: No such file or directory\n'],
  ['&> takes both', '{ echo a; echo b >&2; } &> both; cat both', 'a\nb\n'],
  [
    'conditions, case, loops',
    'if grep -q x <<< "x"; then echo yes; fi; case abc in a*) echo A;; esac; i=0; until [ $i = 2 ]; do echo $i; i=$((i+1)); done',
    'yes\nA\n0\n1\n',
  ],
  ['set -e stops, || goes on', 'set -e; false || echo on; false; echo never', 'on\n'],
  ['exec moves the streams of all that follows', 'exec > moved; echo a; echo b; cat moved >&2', '', 'a\nb\n'],
  [
    'a script in a script streams and has its arguments',
    'printf \'echo "$1-$#"\\n\' > s.sh; sh s.sh "a b" c; bash -c \'echo "$0:$1"\' zero one | tail -1',
    'a b-2\nzero:one\n',
  ],
  ['a here document', 'cat <<EOF\n  $((1+1)) $HOME\nEOF', '  2 /workspace\n'],
  ['cd and folders', 'mkdir -p a/b; cd a/b; pwd; cd - > /dev/null; pwd; cd; basename $PWD', '/workspace/a/b\n/workspace\nworkspace\n'],
  ['ls of named files', 'touch b.ts a.ts; ls *.ts', 'a.ts\nb.ts\n'],
  [
    'nothing outside the workspace is there',
    'cat /etc/passwd; echo x > /etc/x; ls /',
    'tmp\nworkspace\n',
    'cat: /etc/passwd: No such file or directory\nbash: /etc/x: No such file or directory\n',
  ],
  [
    'a target that cannot be opened fails its command only',
    'f() { echo in > no/f; }; echo x > none/y || echo "failed $?"; f; z=$(echo a > no/z; echo b); echo $z; mkdir d; echo x > d; echo x > d/y && cat d/y; n=/dev/null; echo x > $n; for i in 1; do echo $i; done > no/loop; echo end',
    'failed 1\nb\nx\nend\n',
    'bash: none/y: No such file or directory\nbash: no/f: No such file or directory\nbash: no/z: No such file or directory\nbash: d: Is a directory\nbash: no/loop: No such file or directory\n',
  ],
];

for (const [name, script, stdout, stderr = ''] of scripts) {
  it(name, async () => {
    const { output } = await runShell(runtime, script);
    for (const line of [...stdout.split('\n'), ...stderr.split('\n')]) expect(output).toContain(line);
    if (stderr === '') expect(output).toBe(stdout);
  });
}

it('a command in the background does not hold the script up; wait does', async () => {
  expect((await runShell(runtime, 'sleep 0.2 && echo late & echo first; wait; echo last')).output).toBe('first\nlate\nlast\n');
  const begun = Date.now();
  expect((await runShell(runtime, 'sleep 30 & echo done')).output).toBe('done\n');
  expect(Date.now() - begun).toBeLessThan(20_000);
});

it('a killed script takes its background commands with it', async () => {
  const program = await runtime.spawn('sh', ['-c', '(while true; do echo x > alive; rm alive; done) & echo on; sleep 60']);
  await readUntil(program.output.getReader(), 'on\n');
  program.kill();
  expect(await program.exit).toBe(130);
  let changes = 0;
  await runtime.fs.rm('alive', { force: true });
  const stop = runtime.fs.watch('', () => changes++);
  await runShell(runtime, 'sleep 0.2');
  stop();
  expect(changes).toBe(0);
});

it('input that a program leaves is there for the commands after it', async () => {
  const { output } = await runShell(runtime, 'while read line; do node -e "console.log(process.argv[1])" "got $line"; done; echo end', { input: '1\n2\n' });
  expect(output).toBe('got 1\ngot 2\nend\n');
});

it('npm runs pre and post scripts, stops at the first that fails, and streams', async () => {
  await runtime.fs.writeFile(
    'package.json',
    JSON.stringify({
      name: 'p',
      version: '0.0.1',
      scripts: { prego: 'echo before', go: 'exit 4', postgo: 'echo never', show: 'echo "$npm_package_name" "$@"' },
    }),
  );
  expect(await runProgram(runtime, 'npm', ['run', 'go'])).toEqual({
    code: 4,
    output: '\n> p@0.0.1 prego\n> echo before\n\nbefore\n\n> p@0.0.1 go\n> exit 4\n\n',
  });
  expect(await runShell(runtime, 'npm run -s show | tr p P; npm install x 2>&1 | head -c 12')).toEqual({ code: 0, output: 'P\nnpm error np' });
});

it('a syntax error and a missing folder are told in words', async () => {
  const broken = await runShell(runtime, 'echo a; if');
  expect([broken.code, /syntax error/.test(broken.output)]).toEqual([2, true]);
  await expect(runtime.spawn('sh', ['-c', 'true'], { cwd: 'none' })).rejects.toMatchObject({ code: 'not-available' });
});
