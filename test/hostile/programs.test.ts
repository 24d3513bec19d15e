import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { programPolicy } from '@/security-headers';
import { runProgram } from '@/test/contract/runtime/run-program';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createEmbeddedRuntime({ spawnWorker: await createThreadSpawner(), sharedMemory: true });
  await runtime.mount([{ path: 'a', bytes: encodeUtf8('1') }]);
});
afterAll(() => runtime.dispose());

const node = async (code: string) => (await runProgram(runtime, 'node', ['-e', code], {})).output.trim();
const shell = (command: string) => runProgram(runtime, 'sh', ['-c', command], {});

describe('a program of the workspace', () => {
  it('reaches no storage, network, other worker or host of its own, by no way to a global', async () => {
    const names = [
      'indexedDB',
      'caches',
      'fetch',
      'XMLHttpRequest',
      'WebSocket',
      'BroadcastChannel',
      'Worker',
      'importScripts',
      'postMessage',
      'navigator',
      'self',
      'onmessage',
      'close',
    ];
    const ways = [
      'globalThis',
      'Function("return this")()',
      '(0, eval)("this")',
      '(function () { return this })()',
      'new (async () => {}).constructor("return this")()',
    ];
    for (const way of ways) {
      const code = `(async () => { let at = await (${way}); const found = []; while (at) { for (const name of ${JSON.stringify(names)}) if (at[name] !== undefined) found.push(name); at = Object.getPrototypeOf(at) } console.log('[' + found + ']') })()`;
      expect([way, await node(code)]).toEqual([way, '[]']);
    }
    expect(await node('console.log(typeof process.binding, typeof process.getBuiltinModule, typeof process.dlopen, typeof require("module")._load)')).toBe(
      'undefined undefined undefined undefined',
    );
  });

  it('loads nothing of the machine that it runs on, also by text that is compiled late', async () => {
    const load = 'im" + "port(\\"node:fs\\")';
    for (const way of [
      `Function("return ${load}")()`,
      `(0, eval)("${load}")`,
      `(async () => {}).constructor("return ${load}")()`,
      `Promise.resolve("return ${load}").then(Function).then((f) => f())`,
    ])
      expect([
        way,
        await node(`Promise.resolve().then(() => ${way}).then((m) => console.log('loaded', typeof m.readFileSync), () => console.log('refused'))`),
      ]).toEqual([way, 'refused']);
    for (const path of ['/etc/passwd', '/workspace/../etc/passwd', '../../etc/passwd', '/proc/self/environ'])
      expect([
        path,
        await node(`try { require('fs').readFileSync(${JSON.stringify(path)}); console.log('read') } catch (error) { console.log(error.code) }`),
      ]).toEqual([path, 'ENOENT']);
    for (const path of ['/etc/x', '/workspace/../x', '/dev/null/../../x'])
      expect([
        path,
        await node(`try { require('fs').writeFileSync(${JSON.stringify(path)}, 'x'); console.log('written') } catch (error) { console.log('refused') }`),
      ]).toEqual([path, 'refused']);
    for (const name of ['http', 'net', 'tls', 'dgram', 'dns', 'vm', 'inspector', 'cluster'])
      expect([name, await node(`try { require('node:${name}'); console.log('loaded') } catch (error) { console.log('refused') }`)]).toEqual([name, 'refused']);
  });

  it('leaves the shell, its folders and its scratch place no more than a program does', async () => {
    for (const command of [
      'curl http://127.0.0.1/',
      'wget http://a.example/',
      'cat /etc/passwd',
      'cat ../../../../etc/passwd',
      'echo x > /tmp/../etc/x',
      'echo x > /dev/tcp/127.0.0.1/80',
      'ln -s /etc g && cat g/passwd',
      'ln -s .git g && echo x > g/config',
    ])
      expect([command, (await shell(command)).code === 0]).toEqual([command, false]);
    expect((await shell('ls /')).output.split('\n').filter(Boolean)).toEqual(['tmp', 'workspace']);
  });

  it('runs under a policy that closes the network, further workers and everything that is loaded', () => {
    for (const runs of [true, false]) {
      const policy = programPolicy(runs);
      expect([policy.includes("default-src 'none'"), policy.includes("worker-src 'none'"), /https?:|connect-src|'self'/.test(policy)]).toEqual([
        true,
        true,
        false,
      ]);
    }
    expect(programPolicy(false)).toContain("script-src 'none'");
  });
});
