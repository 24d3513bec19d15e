import { expect, it } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { Runtime } from '@/lib/contracts/runtime';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const over = (files: Readonly<Record<string, string>>) => createWorkspaceFiles({ ...emptyRuntime, fs: createMemoryRuntimeFs(files) } satisfies Runtime);

const PROJECT = {
  '.gitignore': 'node_modules/\n*.log\n!keep.log\n/build\n',
  '.git/HEAD': 'ref',
  '.env': 'x',
  'a.log': '',
  'keep.log': '',
  'build/out.js': '',
  'src/build/in.ts': '',
  'src/.gitignore': 'secret*\n!a.log\n',
  'src/secret.txt': '',
  'src/a.log': '',
  'src/main.ts': '',
  'node_modules/x/index.js': '',
  'node_modules/x/.git/HEAD': '',
};

it('listing obeys every .gitignore, hides dot files, and never shows .git', async () => {
  expect(await over(PROJECT).listFiles()).toEqual(['keep.log', 'src/a.log', 'src/build/in.ts', 'src/main.ts']);
  expect(await over(PROJECT).listFiles({ includeHidden: true })).toEqual([
    '.env',
    '.gitignore',
    'keep.log',
    'src/.gitignore',
    'src/a.log',
    'src/build/in.ts',
    'src/main.ts',
  ]);
  expect(await over(PROJECT).listFiles({ includeIgnored: true })).toEqual([
    'a.log',
    'build/out.js',
    'keep.log',
    'node_modules/x/index.js',
    'src/a.log',
    'src/build/in.ts',
    'src/main.ts',
    'src/secret.txt',
  ]);
});

it('a folder is listed by the rules above it too; a file lists itself', async () => {
  const files = over(PROJECT);
  expect(await files.listFiles({ path: './src/' })).toEqual(['src/a.log', 'src/build/in.ts', 'src/main.ts']);
  expect(await files.listFiles({ path: 'node_modules/x' })).toEqual([]);
  expect(await files.listFiles({ path: 'node_modules/x', includeIgnored: true })).toEqual(['node_modules/x/index.js']);
  expect(await files.listFiles({ path: '.git', includeIgnored: true, includeHidden: true })).toEqual([]);
  expect(await files.listFiles({ path: 'src/main.ts' })).toEqual(['src/main.ts']);
  await expect(files.listFiles({ path: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  expect((await files.readDirectory('')).map((entry) => entry.name)).not.toContain('.git');
});

it('writing makes the folders above, reading gives back the text', async () => {
  const files = over({});
  await files.writeText('a/b/../c/d.txt', 'hi');
  await files.move('a/c/d.txt', 'x/y/z.txt');
  expect(await files.readText('x/y/z.txt')).toBe('hi');
  await files.remove('x');
  expect(await files.stat('x')).toBeUndefined();
});

it('a path that leaves the workspace is refused', async () => {
  const files = over({});
  for (const path of ['../x', '/etc/passwd', 'a/../../b']) {
    for (const attempt of [
      files.readBytes(path),
      files.readText(path),
      files.readDirectory(path),
      files.stat(path),
      files.listFiles({ path }),
      files.writeText(path, ''),
      files.writeBytes(path, new Uint8Array()),
      files.makeDirectory(path),
      files.move(path, 'a'),
      files.remove(path),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'path-escape' });
    }
  }
  await expect(files.writeText('', 'x')).rejects.toMatchObject({ code: 'is-directory' });
});
