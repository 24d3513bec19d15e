import type { Runtime } from '@/lib/contracts/runtime';
import { loadWebContainer, webContainerHost } from '@/lib/runtime/webcontainer/load-webcontainer';
import { createWebContainerStarter } from '@/lib/runtime/webcontainer/start-webcontainer';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { systemClock } from '@/lib/shared/system-clock';
import type { SmokeCheck, SmokeReport } from './report';

declare global {
  /** Given by the program that opened this page. */
  var smokeReport: (report: SmokeReport) => void;
}

const checkLimitMs = 30_000;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** What the driver promises, each with what it should come to. */
const checks: readonly { readonly name: string; readonly expected: unknown; readonly run: (runtime: Runtime) => Promise<unknown> }[] = [
  {
    name: 'bytes come back as they were written',
    expected: [0, 127, 128, 255],
    async run({ fs }) {
      await fs.writeFile('bytes.bin', Uint8Array.of(0, 127, 128, 255));
      return [...(await fs.readFile('bytes.bin'))];
    },
  },
  {
    name: 'each failure of the files has its code',
    expected: ['not-found', 'is-directory', 'not-found', 'not-a-directory', 'already-exists', 'not-empty', 'not-found'],
    async run({ fs }) {
      await fs.mkdir('folder');
      await fs.writeFile('folder/file', 'x');
      const attempts = [
        fs.readFile('none'),
        fs.readFile('folder'),
        fs.writeFile('none/a', 'x'),
        fs.readdir('folder/file'),
        fs.mkdir('folder'),
        fs.rm('folder'),
        fs.rename('none', 'other'),
      ];
      return Promise.all(attempts.map((attempt: Promise<unknown>) => attempt.then(() => 'done', codeOf)));
    },
  },
  {
    name: 'stat tells kind and size, and nothing of what is absent',
    expected: [{ kind: 'file', size: 1 }, { kind: 'directory', size: 0 }, null],
    async run({ fs }) {
      const found = await Promise.all(['folder/file', 'folder', 'none'].map((path) => fs.stat(path)));
      return found.map((stat) => (stat ? { kind: stat.kind, size: stat.size } : null));
    },
  },
  {
    name: 'what is mounted is exported, hidden files and bytes too',
    expected: [
      ['.git/HEAD', 'ref'],
      ['a/ü 🌱.txt', 'grün'],
      ['bytes.bin', '4 bytes'],
      ['folder/file', 'x'],
    ],
    async run(runtime) {
      await runtime.mount([
        { path: '.git/HEAD', bytes: encodeUtf8('ref') },
        { path: 'a/ü 🌱.txt', bytes: encodeUtf8('grün') },
      ]);
      return (await runtime.exportFiles()).map(({ path, bytes }) => [path, path.endsWith('.bin') ? `${bytes.length} bytes` : text(bytes)]);
    },
  },
  {
    name: 'a watcher is told of what a program writes',
    expected: 'watched.txt',
    async run(runtime) {
      const told = new Promise<string>((resolve) => {
        const stop = runtime.fs.watch('', (changes) => {
          const change = changes.find(({ path }) => path === 'watched.txt');
          if (!change) return;
          stop();
          resolve(change.path);
        });
      });
      await shell(runtime, 'echo hi > watched.txt');
      return told;
    },
  },
  {
    name: 'output comes in order, with plain newlines and no echo of the input',
    expected: [0, 'one\ntwo\n'],
    run: (runtime) => shell(runtime, 'echo one; echo two'),
  },
  { name: 'an exit code is the program’s own', expected: 7, run: async (runtime) => (await shell(runtime, 'exit 7'))[0] },
  { name: 'an unknown program exits 127', expected: 127, run: async (runtime) => (await program(runtime, 'no-such-program', []))[0] },
  { name: 'the input has an end', expected: [0, 'one\n'], run: (runtime) => program(runtime, 'cat', [], 'one\n') },
  {
    name: 'node runs, in the folder and with the variables it was given',
    expected: [0, 'a it’s $5\n'],
    run: (runtime) =>
      program(runtime, 'node', ['-p', 'require("path").basename(process.cwd()) + " " + process.env.WORD'], '', { cwd: 'a', env: { WORD: 'it’s $5' } }),
  },
  {
    name: 'a program that is killed ends at once with 130',
    expected: 130,
    async run(runtime) {
      const child = await runtime.spawn('node', ['-e', 'setInterval(() => {}, 1000)']);
      child.kill();
      return child.exit;
    },
  },
];

function shell(runtime: Runtime, line: string): Promise<readonly [number, string]> {
  const [command, ...args] = runtime.info.shell;
  return program(runtime, command, [...args, line]);
}

async function program(
  runtime: Runtime,
  command: string,
  args: readonly string[],
  input = '',
  options: Parameters<Runtime['spawn']>[2] = {},
): Promise<readonly [number, string]> {
  const child = await runtime.spawn(command, args, options);
  const writer = child.input.getWriter();
  await writer.write(input);
  await writer.close();
  let output = '';
  const reader = child.output.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) output += part.value;
  return [await child.exit, output];
}

async function tried(runtime: Runtime, { name, expected, run }: (typeof checks)[number]): Promise<SmokeCheck> {
  const late = new Promise<string>((resolve) => systemClock.after(checkLimitMs, () => resolve(`nothing within ${checkLimitMs / 1000} s`)));
  const seen = await Promise.race([run(runtime).catch((error: unknown) => `failed: ${messageOf(error)}`), late]);
  const held = JSON.stringify(seen) === JSON.stringify(expected);
  return held ? { name, held } : { name, held, seen: JSON.stringify(seen) };
}

async function main(): Promise<SmokeReport> {
  const starter = createWebContainerStarter({
    boot: loadWebContainer,
    probe: (signal) => fetch(`${webContainerHost}/headless`, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal }),
    page: { secure: isSecureContext, isolated: crossOriginIsolated },
    bootMark: { get: () => false, set: () => undefined },
    after: systemClock.after,
  });
  let runtime: Runtime;
  try {
    runtime = await starter.start('by-hand');
  } catch (error) {
    return { booted: false, why: messageOf(error) };
  }
  const found: SmokeCheck[] = [];
  for (const check of checks) found.push(await tried(runtime, check));
  await runtime.dispose();
  return { booted: true, checks: found };
}

main().then((report) => globalThis.smokeReport(report));
