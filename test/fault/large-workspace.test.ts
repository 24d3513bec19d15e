import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { Runtime } from '@/lib/contracts/runtime';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createEmbeddedRuntime } from '@/lib/runtime/embedded/create-embedded-runtime';
import { createSearch } from '@/lib/runtime/search';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import type { JsonObject } from '@/lib/shared/json';
import { builtInTools } from '@/lib/tools/registry.gen';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { createMemoryContext } from '@/test/support/memory-context';

const encoder = new TextEncoder();
const strange = ['with space.txt', "it's.txt", 'say "hi".txt', 'emoji-🚢.txt', 'ünïcode/naïve.txt'];
let runtime: Runtime;
let context: ToolContext;
let tools: ToolDispatcher;

beforeAll(async () => {
  const spawnWorker = await createThreadSpawner();
  runtime = await createEmbeddedRuntime({ spawnWorker, sharedMemory: true });
  const many = Array.from({ length: 5_000 }, (_, n) => ({
    path: `many/folder-${n % 50}/file-${n}.ts`,
    bytes: encoder.encode(`export const value${n} = ${n};\n`),
  }));
  const binary = new Uint8Array(100_000).map((_, index) => (index * 31) % 256);
  const big = encoder.encode(`${'a line of a big file\n'.repeat(250_000)}the needle in it\n`);
  await runtime.mount([
    ...many,
    { path: 'data.bin', bytes: binary },
    { path: 'big.txt', bytes: big },
    ...strange.map((path) => ({ path, bytes: encoder.encode('strange but true\n') })),
  ]);
  const search = createSearch(spawnWorker);
  const signal = new AbortController().signal;
  context = { ...createMemoryContext().context, files: createWorkspaceFiles(runtime), search: (request) => search(request, signal), signal };
  tools = createToolDispatcher(builtInTools);
}, 60_000);

afterAll(() => runtime.dispose());

async function run(tool: string, input: JsonObject): Promise<{ readonly ok: boolean; readonly content: string }> {
  const valid = tools.validateInput(tool, input);
  if (!valid.ok) throw new Error(valid.error.message);
  return tools.execute(tool, valid.input, context);
}

describe('a workspace of 5,000 files, a 5 MB file, a binary one and strange names', () => {
  test('is listed within bounds', async () => {
    const { ok, content } = await run('list_dir', { path: '.', depth: 3 });
    expect([ok, content.length < 102_400]).toEqual([true, true]);
    expect(content).toContain('Only the first 500 entries are shown');
  });

  test('is searched by name and by content; what is too large to search is said', async () => {
    expect((await run('file_search', { query: 'file-4321' })).content).toContain('many/folder-21/file-4321.ts');
    expect((await run('grep_files', { pattern: 'value4999\\b' })).content).toContain('many/folder-49/file-4999.ts');
    const needle = await run('grep_files', { pattern: 'the needle in it', path: 'big.txt' });
    expect([needle.ok, needle.content.includes('Skipped, larger than 2.0 MB: big.txt')]).toEqual([true, true]);
  });

  test('shows a part of the 5 MB file and says how to go on', async () => {
    const { ok, content } = await run('read_file', { path: 'big.txt', start_line: 249_999 });
    expect([ok, content.length <= 17_000, content.includes('the needle in it')]).toEqual([true, true, true]);
  });

  test('describes the binary file and dumps nothing of it', async () => {
    const { content } = await run('read_file', { path: 'data.bin' });
    expect([content.length < 1_000, content.includes('\u0000'), /binary/i.test(content)]).toEqual([true, false, true]);
  });

  test.each(strange)('reads and edits %s', async (path) => {
    expect((await run('read_file', { path })).content).toContain('strange but true');
    const edited = await run('edit_file', { path, search: 'strange', replace: 'odd' });
    expect(edited.ok).toBe(true);
    expect(new TextDecoder().decode(await runtime.fs.readFile(path))).toBe('odd but true\n');
  });
});
