import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type StandInServer, serveAnswers } from '@/test/support/stand-in-server';
import { streamedAnswer } from '@/test/support/streamed-answer';
import { dropFolder, readTree, tempFolder } from '@/test/support/temp-folder';

const key = 'sk-turn-0123456789abcdef';
const files = { 'greet.js': 'console.log("hello");\n', 'data.bin': Uint8Array.of(0, 1, 2) };

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a person runs it, its own process, in the folder `cwd`. */
function turn(args: readonly string[], cwd?: string): Promise<Ran> {
  const child = spawn(process.execPath, [path.resolve('scripts/turn.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GATEHOUSE_API_KEY: key, ...(cwd === undefined ? {} : { INIT_CWD: cwd }) },
  });
  const out: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (out[name] += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...out })));
}

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const run of undo.splice(0)) await run();
});
const folder = async (holding: Parameters<typeof tempFolder>[0] = files): Promise<string> => {
  const made = await tempFolder(holding);
  undo.push(() => dropFolder(made));
  return made;
};
const serve = async (...answers: readonly ((response: ServerResponse) => void)[]): Promise<StandInServer> => {
  const server = await serveAnswers(...answers);
  undo.push(() => server.close());
  return server;
};

const edits = {
  text: 'I greet the world.',
  calls: [
    { name: 'write_file', input: { path: 'src/new.txt', content: 'new\n' } },
    { name: 'exec_shell', input: { command: 'sed -i s/hello/world/ greet.js && node greet.js && rm data.bin' } },
  ],
};

// Each starts a process, and that its program workers.
describe('npm run turn over a folder', { timeout: 120_000 }, () => {
  it.each(['openai-chat', 'anthropic'] as const)('%s: works on a copy, shows the diff, and writes it back with --write', async (wire) => {
    const dir = await folder();
    const server = await serve(streamedAnswer(wire, edits), streamedAnswer(wire, { text: 'Done.' }));
    const ran = await turn(
      [
        '--prompt',
        'Greet the world',
        '--provider',
        wire,
        '--base-url',
        server.url,
        '--model',
        'stand-in',
        '--dir',
        path.basename(dir),
        '--approve',
        'all',
        '--write',
      ],
      path.dirname(dir),
    );
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(await readTree(dir)).toEqual({ 'greet.js': 'console.log("world");\n', 'src/': '', 'src/new.txt': 'new\n' });
    const diff = [
      'deleted file data.bin: binary or large, 3 bytes → nothing',
      'new folder src/',
      '-console.log("hello");\n+console.log("world");',
      '+new',
      '4 of 4 changes written',
    ];
    expect(diff.filter((part) => !ran.stdout.includes(part))).toEqual([]);
    const keys = server.requests.map(({ headers }) => (wire === 'anthropic' ? headers['x-api-key'] : headers.authorization));
    expect(keys).toEqual(wire === 'anthropic' ? [key, key] : [`Bearer ${key}`, `Bearer ${key}`]);
    expect(server.requests.some(({ body }) => body.includes(key))).toBe(false);
  });

  it('without --write nothing is written, and with --json stdout holds events only', async () => {
    const dir = await folder();
    const server = await serve(streamedAnswer('openai-chat', edits), streamedAnswer('openai-chat', { text: 'Done.' }));
    const ran = await turn([
      '--prompt',
      'Greet',
      '--provider',
      'openai-chat',
      '--base-url',
      server.url,
      '--model',
      'stand-in',
      '--dir',
      dir,
      '--approve',
      'all',
      '--json',
    ]);
    const types = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect([ran.code, types[0], types.at(-1), ran.stdout.includes(key)]).toEqual([0, 'session-start', 'turn-end', false]);
    expect([ran.stderr.includes('+console.log("world");'), ran.stderr.includes('--write does that')]).toEqual([true, true]);
    expect(await readTree(dir)).toEqual({ 'data.bin': '\0\x01\x02', 'greet.js': 'console.log("hello");\n' });
  });

  it('the policy file of the folder decides only with --accept-policy', async () => {
    const calls = { calls: [{ name: 'exec_shell', input: { command: 'node greet.js' } }] };
    const run = async (...more: readonly string[]) => {
      const dir = await folder({ ...files, 'gatehouse.policy.json': '{"version": 1, "shell": {"deny": ["node *"]}}' });
      const server = await serve(streamedAnswer('anthropic', calls), streamedAnswer('anthropic', { text: 'Done.' }));
      const { code, stdout } = await turn([
        ...['--prompt', 'Greet', '--provider', 'anthropic', '--base-url', server.url, '--model', 'stand-in', '--dir', dir, '--approve', 'all', '--json'],
        ...more,
      ]);
      const events = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; outcome?: { status?: string } });
      return [code, events.filter(({ type }) => type === 'policy-change').length, events.find(({ type }) => type === 'call-settled')?.outcome?.status];
    };
    expect([await run(), await run('--accept-policy')]).toEqual([
      [0, 1, 'ok'],
      [0, 2, 'denied'],
    ]);
  });

  it('a no to every prompt changes nothing, and the turn still yields', async () => {
    const dir = await folder();
    const server = await serve(streamedAnswer('anthropic', edits), streamedAnswer('anthropic', { text: 'Then not.' }));
    const ran = await turn([
      '--prompt',
      'Greet',
      '--provider',
      'anthropic',
      '--base-url',
      server.url,
      '--model',
      'stand-in',
      '--dir',
      dir,
      '--approve',
      'none',
      '--write',
    ]);
    expect([ran.code, ran.stdout.includes('Nothing was changed.')]).toEqual([0, true]);
  });

  it('a turn that fails half-way writes nothing and exits 1', async () => {
    const dir = await folder();
    const server = await serve(streamedAnswer('openai-chat', edits), (response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"bad key"}}'),
    );
    const ran = await turn([
      '--prompt',
      'Greet',
      '--provider',
      'openai-chat',
      '--base-url',
      server.url,
      '--model',
      'stand-in',
      '--dir',
      dir,
      '--approve',
      'all',
      '--write',
    ]);
    expect([ran.code, ran.stdout.includes('+console.log("world");'), ran.stdout.includes('the turn did not come to its own end')]).toEqual([1, true, true]);
    expect(await readTree(dir)).toEqual({ 'data.bin': '\0\x01\x02', 'greet.js': 'console.log("hello");\n' });
  });

  it('a command line that cannot be meant is explained and exits 1', async () => {
    const ran = await turn(['--prompt', 'Hi', '--dir', '.']);
    expect([ran.code, ran.stderr.startsWith('--prompt needs a model: --provider and --model (the practice model plays tasks only)\n\nusage:')]).toEqual([
      1,
      true,
    ]);
    const absent = await turn(['--prompt', 'Hi', '--dir', 'no-such-folder', '--provider', 'anthropic', '--model', 'm'], '/');
    expect([absent.code, absent.stderr]).toEqual([1, 'the engine failed: the folder /no-such-folder does not exist\n']);
  });
});
