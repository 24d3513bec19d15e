import { describe, expect, it } from 'vitest';
import { editFile } from '@/lib/tools/files/edit-file';
import { writeFile } from '@/lib/tools/files/write-file';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const code = (error: unknown) => error as { code: string; message: string };

describe('write_file', () => {
  it('creates a file, parents included, and says created', async () => {
    const world = createMemoryContext();
    expect(await runTool(writeFile, { path: 'a/b/c.txt', content: 'one\ntwo\n' }, world.context)).toEqual({
      ok: true,
      content: 'Created a/b/c.txt (2 lines, 8 bytes).',
      data: { path: 'a/b/c.txt', action: 'created' },
      changes: [{ path: 'a/b/c.txt', before: null, after: 'one\ntwo\n' }],
    });
    expect(world.text('a/b/c.txt')).toBe('one\ntwo\n');
  });

  it('replaces a file, says so and shows the difference', async () => {
    const world = createMemoryContext({ files: { a: 'one\ntwo\nthree\n' } });
    expect(await runTool(writeFile, { path: './a', content: 'one\n2\nthree\nfour\n' }, world.context)).toEqual({
      ok: true,
      content: 'Replaced a (4 lines, 17 bytes). +2 −1 lines.\n@@ line 2 @@\n-two\n+2\n@@ line 4 @@\n+four',
      data: { path: 'a', action: 'replaced' },
      changes: [{ path: 'a', before: 'one\ntwo\nthree\n', after: 'one\n2\nthree\nfour\n' }],
    });
  });

  it('changes nothing when the content is there already', async () => {
    const { context } = createMemoryContext({ files: { a: 'x' }, readOnly: true });
    expect(await runTool(writeFile, { path: 'a', content: 'x' }, context)).toEqual({
      ok: true,
      content: 'a already has exactly this content; nothing was changed.',
      data: { path: 'a', action: 'unchanged' },
      changes: [],
    });
  });

  it('leaves binary and large text out of the change, and tells of new line endings', async () => {
    const big = 'x'.repeat(300_000);
    const world = createMemoryContext({ files: { bin: new Uint8Array([0, 1]), dos: 'a\r\nb\r\n' } });
    expect((await runTool(writeFile, { path: 'bin', content: big }, world.context)).changes).toEqual([{ path: 'bin', before: undefined, after: undefined }]);
    expect((await runTool(writeFile, { path: 'dos', content: 'a\nc\n' }, world.context)).content).toContain(
      'Note: its lines ended with CRLF before, now with LF.',
    );
  });

  it('previews the change without making it', async () => {
    const world = createMemoryContext({ files: { a: 'x' }, readOnly: true });
    expect(await writeFile.previewChanges?.({ path: 'a', content: 'y' }, world.context)).toEqual([{ path: 'a', before: 'x', after: 'y' }]);
    expect(world.text('a')).toBe('x');
  });

  it('refuses a folder and a path below a file', async () => {
    const { context } = createMemoryContext({ files: { 'src/a.ts': '' } });
    await expect(runTool(writeFile, { path: 'src', content: '' }, context)).rejects.toMatchObject({
      code: 'is-directory',
      message: '"src" is a folder, not a file. Send the path of a file in it, for example "src/notes.md".',
    });
    await expect(runTool(writeFile, { path: 'src/a.ts/b', content: '' }, context)).rejects.toMatchObject({
      code: 'not-a-directory',
      message: 'src/a.ts is a file, so nothing can be written below it. Choose another path.',
    });
    await expect(runTool(writeFile, { path: '../a', content: '' }, context)).rejects.toMatchObject({ code: 'path-escape' });
  });
});

describe('edit_file', () => {
  const source = 'function add(a, b) {\n  return a - b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n';
  const edit = async (input: Record<string, unknown>, text: string | Uint8Array = source) => {
    const world = createMemoryContext({ files: { 'm.js': text } });
    const result = await runTool(editFile, { path: 'm.js', ...input }, world.context);
    return { result, after: world.text('m.js') };
  };
  const failing = async (input: Record<string, unknown>, text: string | Uint8Array = source) => {
    const world = createMemoryContext({ files: { 'm.js': text }, readOnly: true });
    return runTool(editFile, { path: 'm.js', ...input }, world.context).then(
      () => expect.fail('expected an error'),
      (error: unknown) => [code(error).code, code(error).message],
    );
  };

  it('replaces the one place and shows the new lines with their numbers', async () => {
    const { result, after } = await edit({ search: 'add(a, b) {\n  return a - b;', replace: 'add(a, b) {\n  return a + b;' });
    expect(after).toBe(source.replace('a - b', 'a + b'));
    expect(result).toEqual({
      ok: true,
      content: 'Edited m.js: 1 replacement at line 1 (+1 −1 lines).\n1\tfunction add(a, b) {\n2\t  return a + b;\n3\t}',
      data: { path: 'm.js', replacements: 1, added: 1, removed: 1 },
      changes: [{ path: 'm.js', before: source, after }],
    });
  });

  it('treats several matches as an error that gives the line of each', async () => {
    expect(await failing({ search: 'return a - b;', replace: 'x' })).toEqual([
      'execution-failed',
      'The text stands in m.js 2 times, at lines 2, 6; expected 1. Nothing was changed. Add lines around it to search until it is unique, or send expected_count=2 to replace them all.',
    ]);
    expect(await failing({ search: 'add', replace: 'x', expected_count: 3 })).toEqual([
      'execution-failed',
      'The text stands in m.js once, at line 1; expected 3. Nothing was changed. Check the places, then send expected_count=1 to replace it.',
    ]);
  });

  it('replaces all when their number is the expected one', async () => {
    const { result, after } = await edit({ search: 'a - b', replace: 'b - a', expected_count: 2 });
    expect(after).toBe(source.replaceAll('a - b', 'b - a'));
    expect(result.content.split('\n')[0]).toBe('Edited m.js: 2 replacements at lines 2, 6 (+2 −2 lines).');
  });

  it('takes the replacement literally', async () => {
    expect((await edit({ search: 'add', replace: "$&$1$'" })).after).toContain("function $&$1$'(a, b)");
  });

  it('shows the nearest line and how it differs when there is no match', async () => {
    expect(await failing({ search: 'function ad(a, b) {', replace: 'x' })).toEqual([
      'execution-failed',
      'The text to replace is not in m.js. Nothing was changed. The nearest is line 1; it differs from column 12 on.\n  file:   "function add(a, b) {"\n  search: "function ad(a, b) {"\nSend search exactly as the file has it.',
    ]);
    expect((await failing({ search: 'function sub(a, b) {\n\treturn a - b;\n}', replace: 'x' }))[1]).toContain(
      'Line 6 differs only in indentation: the file has 2 spaces, search has 1 tab.\n  file:   "  return a - b;"\n  search: "\\treturn a - b;"',
    );
    expect((await failing({ search: 'Function Sub(a, b) {', replace: 'x' }))[1]).toContain('Line 5 differs only in upper and lower case.');
    expect((await failing({ search: '}\n\n\n\n\n', replace: 'x' }))[1]).toMatch(/nearest|Line/);
    expect((await failing({ search: 'zebra crossing', replace: 'x' }))[1]).toBe(
      'The text to replace is not in m.js. Nothing was changed. Nothing in the file is like it; read it again with read_file, or find the place with grep_files.',
    );
  });

  it('recognises the line numbers of read_file in the search', async () => {
    expect((await failing({ search: '1\tfunction add(a, b) {\n2\t  return a - b;', replace: 'x' }))[1]).toBe(
      'The text to replace is not in m.js. Nothing was changed. search begins its lines with the line numbers of read_file; they are not part of the file. Send it again without them.',
    );
  });

  it('keeps CRLF and a byte-order mark as they are', async () => {
    const world = createMemoryContext({ files: { 'm.js': '\ufeffone\r\ntwo\r\nthree\r\n' } });
    const result = await runTool(editFile, { path: 'm.js', search: 'one\ntwo', replace: '1\n2' }, world.context);
    expect([...(world.bytes('m.js') ?? [])]).toEqual([...new TextEncoder().encode('\ufeff1\r\n2\r\nthree\r\n')]);
    expect(result.content).toContain('The file ends its lines with CRLF; the search and replacement were read so.');
  });

  it('does not touch what it would damage', async () => {
    const latin = new Uint8Array([...new TextEncoder().encode('caf'), 0xe9, ...new TextEncoder().encode(' is a word of the file\n')]);
    expect(await failing({ search: 'word', replace: 'x' }, latin)).toEqual([
      'execution-failed',
      'm.js is not UTF-8 throughout, so editing it as text would damage the other bytes. It was not changed.',
    ]);
    expect((await failing({ search: 'x', replace: 'y' }, new Uint8Array([0, 1])))[1]).toBe('m.js is a binary file, not text; edit_file cannot change it.');
  });

  it('refuses an empty search and one that changes nothing, before any approval', async () => {
    expect(await failing({ search: '', replace: 'x' })).toEqual([
      'invalid-input',
      'search is empty, so there is nothing to find. Send the exact text to replace; to create a file or rewrite it whole use write_file.',
    ]);
    expect(await failing({ search: 'add', replace: 'add' })).toEqual([
      'invalid-input',
      'search and replace are the same, so nothing would change. Send the new text in replace.',
    ]);
    expect((await failing({ path: 'n.js', search: 'a', replace: 'b' }))[1]).toBe(
      'There is no file "n.js" in the workspace. Did you mean: m.js? To create it use write_file.',
    );
  });

  it('previews the change, and throws where the edit would fail', async () => {
    const world = createMemoryContext({ files: { a: 'x y' }, readOnly: true });
    expect(await editFile.previewChanges?.({ path: 'a', search: 'x', replace: 'z', expected_count: 1 }, world.context)).toEqual([
      { path: 'a', before: 'x y', after: 'z y' },
    ]);
    await expect(editFile.previewChanges?.({ path: 'a', search: 'q', replace: 'z', expected_count: 1 }, world.context)).rejects.toMatchObject({
      code: 'execution-failed',
    });
  });
});
