import { describe, expect, it } from 'vitest';
import type { Runtime } from '@/lib/contracts/runtime';
import type { ReadFiles } from '@/lib/contracts/tool-context';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { codeOf } from '@/lib/shared/coded-error';
import { fileSearch } from '@/lib/tools/files/file-search';
import { grepFiles } from '@/lib/tools/files/grep-files';
import { listDir } from '@/lib/tools/files/list-dir';
import { readFile } from '@/lib/tools/files/read-file';
import { createMemoryContext, runTool } from '@/test/support/memory-context';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const files = {
  '.gitignore': 'node_modules/\n*.log\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.github/ci.yml': 'run: npm test\n',
  'a.log': 'x\n',
  'node_modules/dep/index.js': 'const dep = 1;\n',
  'src/main.ts': 'const a = 1;\n',
  'src/math/add.ts': 'export const add = 1;\n',
};

const twin = createMemoryContext({ files }).context;
const real = createWorkspaceFiles({ fs: createMemoryRuntimeFs(files) } as unknown as Runtime);
const answer = (work: Promise<unknown>) => work.catch((error: unknown) => `fails: ${codeOf(error)}`);

const questions: readonly (readonly [string, (from: ReadFiles) => Promise<unknown>])[] = [
  ['the files', (from) => from.listFiles()],
  ['the hidden files', (from) => from.listFiles({ includeHidden: true })],
  ['the ignored files', (from) => from.listFiles({ includeIgnored: true })],
  ['the files of a folder', (from) => from.listFiles({ path: './src/' })],
  ['the files of an ignored folder', (from) => from.listFiles({ path: 'node_modules' })],
  ['the ignored files of an ignored folder', (from) => from.listFiles({ path: 'node_modules', includeIgnored: true })],
  ['a text', (from) => from.readText('src/main.ts')],
  ['an absent file', (from) => from.readBytes('nope')],
  ['a folder as a file', (from) => from.readBytes('src')],
  ['a path outside', (from) => from.readBytes('../x')],
  ['an absolute path', (from) => from.stat('/etc/passwd')],
  ['the kind of a folder', async (from) => (await from.stat('src'))?.kind],
  ['an absent path', (from) => from.stat('nope')],
  ['a folder', async (from) => [...(await from.readDirectory('src'))].sort((a, b) => (a.name < b.name ? -1 : 1))],
];

describe('the files of the test context answer as those over a runtime', () => {
  it.each(questions)('%s', async (_, ask) => {
    expect(await answer(ask(twin.files))).toEqual(await answer(ask(real)));
  });
});

describe('tools give the same results over both', () => {
  it.each([
    ['list_dir', listDir, {}],
    ['list_dir, hidden', listDir, { include_hidden: true, depth: 1 }],
    ['list_dir, ignored', listDir, { path: 'node_modules' }],
    ['grep_files', grepFiles, { pattern: 'const|npm' }],
    ['grep_files, ignored', grepFiles, { pattern: 'const', path: 'node_modules/dep' }],
    ['file_search', fileSearch, { query: 'add' }],
    ['read_file', readFile, { path: 'src/math/add.ts' }],
    ['read_file, absent', readFile, { path: 'src/add.ts' }],
  ] as const)('%s', async (_, tool, input) => {
    const over = (from: ReadFiles) => answer(runTool(tool, input, { ...twin, files: { ...twin.files, ...from } }));
    expect(await over(real)).toEqual(await over(twin.files));
  });
});
