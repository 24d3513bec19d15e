import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { runProgram } from '@/test/contract/runtime/run-program';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createEmbeddedRuntime({ spawnWorker: await createThreadSpawner(), sharedMemory: true });
});
afterAll(() => runtime.dispose());

/** Runs `node` in a workspace of its own with these files. */
let folders = 0;
async function node(files: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = `case-${++folders}`;
  await runtime.fs.mkdir(cwd);
  await runtime.mount(Object.entries(files).map(([path, text]) => ({ path: `${cwd}/${path}`, bytes: encodeUtf8(text) })));
  return runProgram(runtime, 'node', args, { cwd });
}

describe('modules', () => {
  it('ES modules run in order, wait at the top level, see live bindings and cycles', async () => {
    const ran = await node(
      {
        'main.mjs':
          "import { log, count, add } from './log.mjs';\nimport './slow.mjs';\nimport data from './data.json' with { type: 'json' };\nimport common, { named } from './common.cjs';\nadd();\nlog('main', count, data.x, common.named, named, typeof require === 'undefined' || 'require');\nlog((await import('./late.mjs')).default, import.meta.filename.endsWith('main.mjs'));\n",
        'log.mjs': 'export const log = (...args) => console.log(...args);\nexport let count = 0;\nexport const add = () => { count++; };\n',
        'slow.mjs':
          "import { log } from './log.mjs';\nimport { b } from './cycle.mjs';\nexport const a = 'a';\nawait new Promise((resolve) => setTimeout(resolve, 5));\nlog('slow', b());\n",
        'cycle.mjs': "import { a } from './slow.mjs';\nexport const b = () => 'b after ' + a;\n",
        'late.mjs': 'export default 7;\n',
        'data.json': '{"x": [1]}',
        'common.cjs': 'exports.named = "n";',
      },
      'main.mjs',
    );
    expect(ran.output.split('\n').slice(0, 3)).toEqual(['slow b after a', expect.stringMatching(/^main 1 \[ 1 \] n n/), '7 true']);
    expect(ran.code).toBe(0);
  });

  it('CommonJS has cache, main and paths', async () => {
    const ran = await node(
      {
        'a.js':
          "const b = require('./b'); const again = require('./b.js'); console.log(b === again, b.n, require.main === module, __filename.endsWith('a.js'), require('node:path') === require('path'), require.resolve('./b').endsWith('b.js'));",
        'b.js': 'module.exports = { n: 1 };',
      },
      'a.js',
    );
    expect(ran).toEqual({ code: 0, output: 'true 1 true true true true\n' });
  });

  it('what cannot be found says who asked', async () => {
    const ran = await node({ 'a.mjs': "import './none.mjs';" }, 'a.mjs');
    expect(ran.code).toBe(1);
    expect(ran.output).toMatch(/\[ERR_MODULE_NOT_FOUND\]: Cannot find module '\/workspace\/case-\d+\/none\.mjs' imported from \/workspace\/case-\d+\/a\.mjs/);
    expect((await node({}, '-e', 'require("http")')).output).toContain('node:http is not available in this runtime');
  });
});

describe('the end of a program', () => {
  it('comes when nothing is left to wait for, with exit handlers run', async () => {
    const ran = await node(
      {},
      '-e',
      "process.on('exit', (c) => console.log('exit', c)); setTimeout(() => { console.log('timer'); process.exitCode = 3; }, 5); setInterval(() => {}, 1000).unref(); Promise.resolve().then(() => console.log('micro')); console.log('sync');",
    );
    expect(ran.code).toBe(3);
    expect(ran.output.split('\n')).toEqual(['sync', 'micro', 'timer', 'exit 3', '']);
  });

  it('process.exit stops everything, also inside try', async () => {
    expect(await node({}, '-e', 'try { console.log(1); process.exit(5); } finally { console.log(2); } console.log(3);')).toEqual({ code: 5, output: '1\n' });
  });

  it('errors that nobody caught end it with 1, a listener keeps it alive', async () => {
    expect((await node({}, '-e', 'setTimeout(() => { throw new TypeError("late"); }, 1)')).code).toBe(1);
    expect((await node({}, '-e', 'Promise.reject(new Error("x"))')).code).toBe(1);
    expect(
      await node(
        {},
        '-e',
        'process.on("uncaughtException", (e) => console.log("got", e.message)); setTimeout(() => { throw new Error("x"); }, 1); setTimeout(() => console.log("on"), 20)',
      ),
    ).toEqual({ code: 0, output: 'got x\non\n' });
  });

  it('a top level that waits for nothing exits 13', async () => {
    expect((await node({ 'a.mjs': 'await new Promise(() => {});' }, 'a.mjs')).code).toBe(13);
  });
});

describe('core modules', () => {
  it('files: every way of calling, and Node’s errors', async () => {
    const source = `
      import fs, { promises } from 'node:fs'; import { readFile, mkdir, readdir } from 'node:fs/promises'; import path from 'node:path';
      await mkdir('a/b', { recursive: true });
      fs.writeFileSync('a/b/x.txt', 'one'); fs.appendFileSync('a/b/x.txt', ' two');
      console.log(await readFile('a/b/x.txt', 'utf8'), fs.statSync('a').isDirectory(), await readdir('a', { recursive: true }));
      await new Promise((resolve) => fs.readFile('a/b/x.txt', (error, data) => resolve(console.log(error, data.length))));
      for (const act of [() => fs.readFileSync('none'), () => fs.readFileSync('a'), () => fs.mkdirSync('a'), () => fs.rmdirSync('a'), () => fs.rmSync('a'), () => fs.writeFileSync('none/x', '')]) {
        try { act(); } catch (error) { console.log(error.code); }
      }
      const stream = fs.createWriteStream('s.txt'); stream.write('x'); stream.end('y', () => fs.createReadStream('s.txt', 'utf8').on('data', (d) => console.log('read', d)));
    `;
    expect((await node({ 'a.mjs': source }, 'a.mjs')).output.split('\n')).toEqual([
      "one two true [ 'b', 'b/x.txt' ]",
      'null 7',
      'ENOENT',
      'EISDIR',
      'EEXIST',
      'ENOTEMPTY',
      'ERR_FS_EISDIR',
      'ENOENT',
      'read xy',
      '',
    ]);
  });

  it('programs below programs: waiting and not waiting', async () => {
    const source = `
      const { execSync, spawnSync, spawn, exec } = require('child_process');
      console.log(execSync('echo "$WORD"; node -p 1+1', { env: { ...process.env, WORD: 'w' } }).toString().trim().split('\\n'));
      const failed = spawnSync('sh', ['-c', 'cat; echo err >&2; exit 4'], { input: 'in', encoding: 'utf8' });
      console.log(failed.status, failed.stdout, failed.stderr);
      try { execSync('exit 2', { stdio: 'pipe' }); } catch (error) { console.log(error.status, error.message); }
      const child = spawn('node', ['-e', 'process.stdin.pipe(process.stdout)']);
      child.stdout.on('data', (data) => console.log('child', String(data)));
      child.on('close', (code) => console.log('closed', code));
      child.stdin.end('hello');
    `;
    expect((await node({ 'a.cjs': source }, 'a.cjs')).output.split('\n')).toEqual([
      "[ 'w', '2' ]",
      '4 in err',
      '',
      '2 Command failed: exit 2',
      'child hello',
      'closed 0',
      '',
    ]);
  });

  it('hashes, promisified functions, arguments and events are Node’s', async () => {
    const source = `
      const { createHash, createHmac } = require('crypto'); const { promisify, parseArgs, inspect } = require('util'); const EventEmitter = require('events');
      console.log(createHash('sha256').update('abc').digest('hex').slice(0, 16), createHmac('sha1', 'k').update('x').digest('base64'));
      console.log(parseArgs({ args: ['-v', '--name=x', 'rest'], options: { v: { type: 'boolean', short: 'v' }, name: { type: 'string' } }, allowPositionals: true }));
      promisify(setTimeout)(1).then(() => console.log('later'));
      const e = new EventEmitter(); e.once('x', (v) => console.log('x', v)); e.emit('x', 1); e.emit('x', 2);
    `;
    const { createHash, createHmac } = await import('node:crypto');
    const sums = `${createHash('sha256').update('abc').digest('hex').slice(0, 16)} ${createHmac('sha1', 'k').update('x').digest('base64')}`;
    expect((await node({ 'a.js': source }, 'a.js')).output.split('\n').slice(0, 1)).toEqual([sums]);
  });
});

describe('node:test', () => {
  it('hooks, subtests, skips and todos run in Node’s order', async () => {
    const source = `
      import { after, afterEach, before, beforeEach, describe, it, test } from 'node:test';
      const log = (...words) => console.log('#', ...words);
      describe('suite', () => {
        before(() => log('before')); after(() => log('after')); beforeEach(() => log('each')); afterEach(() => log('end'));
        it('one', () => log('one'));
        it('two', async () => { await null; log('two'); });
        it.skip('three', () => log('never'));
      });
      test('top', async (t) => { t.after(() => log('cleanup')); await t.test('sub', () => log('sub')); t.todo('soon'); });
      test('done', (t, done) => setTimeout(done, 1));
      test('fails but todo', { todo: true }, () => { throw new Error('x'); });
    `;
    const { code, output } = await node({ 'a.test.mjs': source }, '--test');
    expect(output.split('\n').filter((line) => /^# [a-z]+$/.test(line))).toEqual([
      '# before',
      '# each',
      '# one',
      '# end',
      '# each',
      '# two',
      '# end',
      '# after',
      '# sub',
      '# cleanup',
    ]);
    expect(output).toContain('# tests 7\n# suites 1\n# pass 4\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 2\n');
    expect(code).toBe(0);
  });

  it('every way to fail is a failure with its place: thrown, rejected, late, timed out, never settled, suite, file', async () => {
    const source = `import { describe, it, test } from 'node:test';
import assert from 'node:assert/strict';
test('thrown', () => { assert.deepEqual({ a: [1, 2] }, { a: [1, 3] }); });
test('rejected', async () => { throw new Error('no'); });
test('late', () => new Promise(() => { setTimeout(() => { throw new Error('from a timer'); }, 1); }));
test('slow', { timeout: 10 }, () => new Promise((resolve) => setTimeout(resolve, 5000)));
test('never', () => new Promise(() => {}));
describe('suite', () => { throw new Error('in the suite'); });
test('passes', () => {});
`;
    const { code, output } = await node({ 'a.test.mjs': source, 'b.test.mjs': 'syntax error here' }, '--test');
    expect(code).toBe(1);
    expect(output).toContain('# tests 7\n# suites 1\n# pass 1\n# fail 5\n# cancelled 2\n');
    for (const line of [
      'test at a.test.mjs:3\n✖ thrown',
      '+     2\n  -     3',
      'test at a.test.mjs:4\n✖ rejected',
      'from a timer',
      'test timed out after 10ms',
      'Promise resolution is still pending',
      'in the suite',
      'test at b.test.mjs:1\n✖ b.test.mjs',
    ])
      expect(output).toContain(line);
  });

  it('names and only choose what runs', async () => {
    const source =
      "import { describe, it, test } from 'node:test';\ndescribe('s', () => { it('alpha', () => {}); it('beta', () => {}); });\ntest.only('gamma', () => {});\n";
    expect((await node({ 'a.test.mjs': source }, '--test', '--test-name-pattern=alpha')).output).toContain('# tests 1\n# suites 1\n# pass 1\n');
    expect((await node({ 'a.test.mjs': source }, '--test', '--test-only')).output).toContain('# tests 1\n# suites 0\n# pass 1\n');
  });
});

it('programs reach no storage, network or other tabs', async () => {
  const names = [
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'EventSource',
    'indexedDB',
    'caches',
    'BroadcastChannel',
    'Worker',
    'importScripts',
    'navigator',
    'postMessage',
    'location',
    'self',
    'addEventListener',
  ];
  const ran = await node({}, '-p', `${JSON.stringify(names)}.filter((name) => globalThis[name] !== undefined).join()`);
  expect(ran).toEqual({ code: 0, output: '\n' });
});
