import { describe, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import { readAll, readUntil, runProgram, runShell } from './run-program';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Programs as every driver runs them. */
export function describeProgramContract(current: () => Runtime): void {
  describe('programs', () => {
    it('output comes in order, stdout and stderr together', async () => {
      expect(await runShell(current(), 'echo one; echo two >&2; echo three')).toEqual({ code: 0, output: 'one\ntwo\nthree\n' });
    });

    it('output is there before the program ends', async () => {
      const program = await current().spawn('sh', ['-c', 'echo a; sleep 60; echo b']);
      const reader = program.output.getReader();
      expect(await readUntil(reader, 'a\n')).toBe('a\n');
      program.kill();
      expect(await program.exit).toBe(130);
    });

    it('node output is there before the program ends', async () => {
      const program = await current().spawn('sh', ['-c', 'node -e "console.log(1); setTimeout(() => {}, 60000)"; echo after']);
      expect(await readUntil(program.output.getReader(), '1\n')).toBe('1\n');
      program.kill();
      expect(await program.exit).toBe(130);
    });

    it('the output is closed when exit settles', async () => {
      const program = await current().spawn('sh', ['-c', 'echo a']);
      await program.exit;
      expect(await readAll(program)).toBe('a\n');
    });

    it('exit codes are the program’s own', async () => {
      const codes = await Promise.all(['true', 'false', 'exit 7', 'node -e "process.exit(9)"', 'no-such-command'].map((line) => runShell(current(), line)));
      expect(codes.map(({ code }) => code)).toEqual([0, 1, 7, 9, 127]);
    });

    it('an unknown program exits 127 and says its name', async () => {
      const { code, output } = await runProgram(current(), 'no-such-program', ['a b']);
      expect([code, output.includes('no-such-program')]).toEqual([127, true]);
    });

    it('standard input reaches the program, and its end too', async () => {
      expect(await runShell(current(), 'cat', { input: 'one\ntwö\n' })).toEqual({ code: 0, output: 'one\ntwö\n' });
      expect(await runShell(current(), 'read first; echo "<$first>"; cat', { input: 'one\ntwo\n' })).toEqual({ code: 0, output: '<one>\ntwo\n' });
      expect(
        await runProgram(current(), 'node', ['-e', 'process.stdin.on("data", (d) => process.stdout.write(String(d).toUpperCase()))'], { input: 'abc' }),
      ).toEqual({ code: 0, output: 'ABC' });
    });

    it('input that comes later is read when it comes', async () => {
      const program = await current().spawn('sh', ['-c', 'echo ready; read line; echo "got $line"']);
      const reader = program.output.getReader();
      await readUntil(reader, 'ready');
      await program.input.getWriter().write('late\n');
      expect(await readUntil(reader, '\n')).toBe('got late\n');
      expect(await program.exit).toBe(0);
    });

    it.each([
      ['a loop of the shell', 'sh', ['-c', 'echo on; while true; do :; done']],
      ['a loop of a node program', 'node', ['-e', 'console.log("on"); for (;;);']],
      ['a loop of a node program below a shell', 'sh', ['-c', 'node -e "console.log(\'on\'); for (;;);"; echo never']],
      ['a shell that waits for input', 'sh', ['-c', 'echo on; cat; echo never']],
    ])('%s ends at once when it is killed', async (_name, command, args) => {
      const program = await current().spawn(command, args);
      const reader = program.output.getReader();
      await readUntil(reader, 'on\n');
      program.kill();
      expect(await program.exit).toBe(130);
      expect(await reader.read()).toEqual({ done: true, value: undefined });
      expect(await runShell(current(), 'echo still here')).toEqual({ code: 0, output: 'still here\n' });
    });

    it('folder and variables are those that were asked for', async () => {
      await current().fs.mkdir('sub/deep', { recursive: true });
      const options = { cwd: 'sub/deep', env: { WORD: "it's $5" } };
      const shell = await runShell(current(), 'basename "$PWD"; echo "$WORD"; echo x > here', options);
      expect(shell).toEqual({ code: 0, output: "deep\nit's $5\n" });
      const node = await runProgram(
        current(),
        'node',
        ['-p', '[require("path").basename(process.cwd()), process.env.WORD, require("fs").readdirSync(".")].join()'],
        options,
      );
      expect(node).toEqual({ code: 0, output: "deep,it's $5,here\n" });
    });

    it('arguments arrive as they are', async () => {
      const words = ['a b', '', "it's", '$HOME', '*', '"', '🌱', '-x', 'two\nlines'];
      expect(await runProgram(current(), 'node', ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...words])).toEqual({
        code: 0,
        output: `${JSON.stringify(words)}\n`,
      });
      expect(await runProgram(current(), 'printf', ['%s|', 'a b', "it's", '$HOME', '*'])).toEqual({ code: 0, output: "a b|it's|$HOME|*|" });
    });

    it('five megabytes of output arrive whole', async () => {
      const { code, output } = await runProgram(current(), 'node', ['-e', 'for (let i = 0; i < 50000; i++) console.log("x".repeat(99))']);
      expect([code, output.length]).toEqual([0, 5_000_000]);
      const piped = await runShell(current(), 'node -e "process.stdout.write(\'y\'.repeat(5000000))" | wc -c');
      expect([piped.code, piped.output.trim()]).toEqual([0, '5000000']);
    });

    it('programs and the runtime see the same files', async () => {
      const runtime = current();
      await runtime.fs.writeFile("a 'b'.txt", 'from outside');
      await runtime.fs.writeFile(
        'copy.mjs',
        `import { readFileSync, writeFileSync } from 'node:fs'; writeFileSync('🌱.txt', readFileSync("a 'b'.txt", 'utf8') + ' by node');`,
      );
      expect(await runShell(runtime, `cat "a 'b'.txt" && node copy.mjs && cat 🌱.txt && mkdir made && mv 🌱.txt made/x`)).toEqual({
        code: 0,
        output: 'from outsidefrom outside by node',
      });
      expect(text(await runtime.fs.readFile('made/x'))).toBe('from outside by node');
      expect((await runtime.fs.readdir('')).map((entry) => entry.name)).toEqual(["a 'b'.txt", 'copy.mjs', 'made']);
    });

    it('pipes, lists and redirections join shell and node', async () => {
      const line = `echo 'console.log("b"); console.log("a")' > p.js; node p.js | sort && node p.js > out.txt && wc -l < out.txt | tr -d ' '; node -e 'process.exit(3)' || echo "failed $?"`;
      expect(await runShell(current(), line)).toEqual({ code: 0, output: 'a\nb\n2\nfailed 3\n' });
    });

    it('an uncaught error names file and line and exits 1', async () => {
      await current().fs.writeFile('fails.ts', 'const one: number = 1;\n\nthrow new Error("boom " + one);\n');
      const { code, output } = await runProgram(current(), 'node', ['fails.ts']);
      expect([code, /fails\.ts:3/.test(output), output.includes('Error: boom 1')]).toEqual([1, true, true]);
    });

    it('npm test runs the tests of the package, and fails with them', async () => {
      const runtime = current();
      await runtime.fs.writeFile('package.json', JSON.stringify({ name: 'demo', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }));
      await runtime.fs.writeFile('sum.ts', 'export const sum = (a: number, b: number): number => a - b;\n');
      await runtime.fs.writeFile(
        'sum.test.ts',
        "import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.ts';\n\ntest('adds', () => {\n  equal(sum(1, 2), 3);\n});\n",
      );
      const failing = await runProgram(runtime, 'npm', ['test']);
      expect([
        failing.code,
        failing.output.includes('> demo@1.0.0 test\n> node --test\n'),
        /sum\.test\.ts:6/.test(failing.output),
        failing.output.includes('# fail 1'),
      ]).toEqual([1, true, true, true]);
      await runtime.fs.writeFile('sum.ts', 'export const sum = (a: number, b: number): number => a + b;\n');
      const passing = await runProgram(runtime, 'npm', ['test']);
      expect([passing.code, passing.output.includes('# pass 1\n# fail 0\n')]).toEqual([0, true]);
    });

    it('a terminal shell prompts, echoes, edits, remembers its folder and leaves', async () => {
      const runtime = current();
      await runtime.fs.mkdir('sub');
      const program = await runtime.spawn('sh', [], { terminal: { cols: 80, rows: 24 } });
      const reader = program.output.getReader();
      const writer = program.input.getWriter();
      await readUntil(reader, '$ ');
      await writer.write('cd suc\x7fb\r');
      await readUntil(reader, 'sub\x1b');
      await writer.write('echo in $(basename $PWD)\r');
      await readUntil(reader, 'in sub\r\n');
      await readUntil(reader, '$ ');
      await writer.write('sleep 60\r');
      await readUntil(reader, 'sleep 60\r\n');
      await writer.write('\x03');
      await readUntil(reader, '^C\r\n');
      await readUntil(reader, '$ ');
      await writer.write('\x04');
      expect(await program.exit).toBe(130);
    });
  });
}
