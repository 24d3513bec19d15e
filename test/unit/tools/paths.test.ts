import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { copyPath } from '@/lib/tools/files/copy-path';
import { deletePath } from '@/lib/tools/files/delete-path';
import { makeDir } from '@/lib/tools/files/make-dir';
import { movePath } from '@/lib/tools/files/move-path';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const files = { 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n', 'src/deep/.hidden': 'h\n', 'logo.bin': new Uint8Array([0, 1, 2]), 'empty/': '' };

async function run(tool: ToolSpec, input: unknown) {
  const world = createMemoryContext({ files });
  const result = await runTool(tool, input, world.context).catch((error: { code: string; message: string }) => ({ code: error.code, message: error.message }));
  return { world, result };
}

describe('move_path', () => {
  it('moves a file, and makes the folders above it', async () => {
    const { world, result } = await run(movePath, { from: 'src/a.ts', to: 'lib/new/c.ts' });
    expect(result).toEqual({
      ok: true,
      content: 'Moved src/a.ts to lib/new/c.ts.',
      data: { from: 'src/a.ts', to: 'lib/new/c.ts', files: 1 },
      changes: [
        { path: 'lib/new/c.ts', before: null, after: 'a\n' },
        { path: 'src/a.ts', before: 'a\n', after: null },
      ],
    });
    expect(world.paths()).toEqual(['lib/new/c.ts', 'logo.bin', 'src/deep/.hidden', 'src/deep/b.ts']);
  });

  it('moves a folder whole, hidden files too', async () => {
    const { world, result } = await run(movePath, { from: 'src/', to: 'lib' });
    expect(result).toMatchObject({ content: 'Moved src to lib (3 files).' });
    expect(world.paths()).toEqual(['lib/a.ts', 'lib/deep/.hidden', 'lib/deep/b.ts', 'logo.bin']);
  });

  it('overwrites nothing, and says how to move into a folder', async () => {
    expect((await run(movePath, { from: 'src/a.ts', to: 'logo.bin' })).result).toEqual({
      code: 'already-exists',
      message: 'logo.bin is there already, and move_path overwrites nothing. Choose another name, or delete it first.',
    });
    expect((await run(movePath, { from: 'src/a.ts', to: 'empty' })).result).toMatchObject({
      code: 'already-exists',
      message: expect.stringContaining('To move into it send to="empty/a.ts".'),
    });
    expect((await run(movePath, { from: 'src', to: 'src/deep/src' })).result).toMatchObject({ code: 'invalid-input' });
    expect((await run(movePath, { from: 'src/a.ts', to: 'logo.bin/a.ts' })).result).toMatchObject({ code: 'not-a-directory' });
    expect((await run(movePath, { from: 'a.ts', to: 'b.ts' })).result).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('Did you mean: src/a.ts'),
    });
    expect((await run(movePath, { from: '.', to: 'b' })).result).toMatchObject({ code: 'invalid-input' });
  });
});

describe('copy_path', () => {
  it('copies byte for byte, folders with empty ones in them', async () => {
    const { world, result } = await run(copyPath, { from: 'logo.bin', to: 'x/logo.bin' });
    expect(result).toEqual({
      ok: true,
      content: 'Copied logo.bin to x/logo.bin.',
      data: { from: 'logo.bin', to: 'x/logo.bin', files: 1 },
      changes: [{ path: 'x/logo.bin', before: null }],
    });
    expect(world.bytes('x/logo.bin')).toEqual(new Uint8Array([0, 1, 2]));
    const folder = await run(copyPath, { from: 'src', to: 'twin' });
    expect(folder.result).toMatchObject({ content: 'Copied src to twin (3 files).' });
    expect(folder.world.paths()).toEqual(['logo.bin', 'src/a.ts', 'src/deep/.hidden', 'src/deep/b.ts', 'twin/a.ts', 'twin/deep/.hidden', 'twin/deep/b.ts']);
    const empty = await run(copyPath, { from: 'empty', to: 'also' });
    expect((await empty.world.context.files.stat('also'))?.kind).toBe('directory');
  });

  it('overwrites nothing and does not copy a folder into itself', async () => {
    expect((await run(copyPath, { from: 'src/a.ts', to: 'src/deep/b.ts' })).result).toMatchObject({ code: 'already-exists' });
    expect((await run(copyPath, { from: 'src', to: 'src/deep/again' })).result).toMatchObject({ code: 'invalid-input' });
    expect((await run(copyPath, { from: '.', to: 'all' })).result).toMatchObject({ code: 'invalid-input' });
  });
});

describe('delete_path', () => {
  it('deletes a file, or a folder with all in it, and shows what goes', async () => {
    const file = await run(deletePath, { path: 'src/a.ts' });
    expect(file.result).toEqual({
      ok: true,
      content: 'Deleted src/a.ts.',
      data: { path: 'src/a.ts', files: 1 },
      changes: [{ path: 'src/a.ts', before: 'a\n', after: null }],
    });
    const folder = await run(deletePath, { path: 'src' });
    expect(folder.result).toMatchObject({ content: 'Deleted the folder src (3 files).', data: { files: 3 } });
    expect(folder.world.paths()).toEqual(['logo.bin']);
  });

  it('leaves the root alone, and always asks', async () => {
    expect((await run(deletePath, { path: './' })).result).toMatchObject({ code: 'invalid-input' });
    expect(deletePath.capabilities).toContain('requires-approval');
  });
});

describe('make_dir', () => {
  it('makes a folder with its parents, once', async () => {
    const { world, result } = await run(makeDir, { path: 'a/b/' });
    expect(result).toEqual({ ok: true, content: 'Made the folder a/b.', data: { path: 'a/b', made: true } });
    expect((await world.context.files.stat('a/b'))?.kind).toBe('directory');
    expect((await run(makeDir, { path: 'src' })).result).toMatchObject({ content: 'src is there already; nothing was changed.' });
    expect((await run(makeDir, { path: 'src/a.ts' })).result).toMatchObject({ code: 'not-a-directory' });
  });
});
