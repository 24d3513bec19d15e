import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from '@/lib/shared/apply-hunks';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { parsePatch } from '@/lib/shared/parse-patch';
import { unifiedDiff } from '@/lib/shared/unified-diff';
import { applyPatch } from '@/lib/tools/files/apply-patch';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const lines = (...texts: string[]) => `${texts.join('\n')}\n`;
const numbered = (count: number) => lines(...Array.from({ length: count }, (_, index) => `line ${index + 1}`));

async function patched(files: Record<string, string | Uint8Array>, patch: string) {
  const world = createMemoryContext({ files });
  const result = await runTool(applyPatch, { patch }, world.context).catch((error: { code: string; message: string }) => ({
    code: error.code,
    message: error.message,
  }));
  return { world, result };
}

describe('apply_patch', () => {
  it('takes two spellings of one path for one file', async () => {
    const { world, result } = await patched({ 'src/a.ts': 'x\n' }, '--- a/src/a.ts\n+++ b/./src//a.ts\n@@ -1 +1 @@\n-x\n+y\n');
    expect(result).toMatchObject({ ok: true, changes: [{ path: 'src/a.ts', before: 'x\n', after: 'y\n' }] });
    expect(world.text('src/a.ts')).toBe('y\n');
  });

  it('changes, adds, deletes and renames in one call', async () => {
    const patch = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
@@ -5,2 +5,3 @@ five
 five
+five and a half
 six
diff --git a/new file.md b/new file.md
new file mode 100644
--- /dev/null
+++ b/new file.md
@@ -0,0 +1,2 @@
+hello
+there
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/name.ts b/lib/name.ts
similarity index 100%
rename from name.ts
rename to lib/name.ts
`;
    const { world, result } = await patched({ 'src/a.ts': lines('one', 'two', 'three', 'four', 'five', 'six'), 'old.txt': 'gone\n', 'name.ts': 'x\n' }, patch);
    expect(result).toEqual({
      ok: true,
      content:
        'Patched 5 files:\n  added lib/name.ts (+1 −0)\n  deleted name.ts (+0 −1)\n  added new file.md (+2 −0)\n  deleted old.txt (+0 −1)\n  changed src/a.ts (+2 −1)',
      data: { files: ['lib/name.ts', 'name.ts', 'new file.md', 'old.txt', 'src/a.ts'] },
      changes: [
        { path: 'lib/name.ts', before: null, after: 'x\n' },
        { path: 'name.ts', before: 'x\n', after: null },
        { path: 'new file.md', before: null, after: 'hello\nthere' },
        { path: 'old.txt', before: 'gone\n', after: null },
        {
          path: 'src/a.ts',
          before: lines('one', 'two', 'three', 'four', 'five', 'six'),
          after: lines('one', 'TWO', 'three', 'four', 'five', 'five and a half', 'six'),
        },
      ],
    });
    expect(world.paths()).toEqual(['lib/name.ts', 'new file.md', 'src/a.ts']);
  });

  it('touches nothing when one hunk does not fit, and shows what stands there', async () => {
    const files = { 'a.txt': numbered(20), 'b.txt': 'x\n' };
    const { world, result } = await patched(
      files,
      '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-x\n+y\n--- a/a.txt\n+++ b/a.txt\n@@ -9,3 +9,3 @@\n line 9\n-line ten\n+line X\n line 11\n',
    );
    expect(result).toEqual({
      code: 'execution-failed',
      message: [
        'The patch was not applied; no file was changed.',
        'a.txt: hunk 1 of 1 (@@ -9,3 +9,3 @@) does not fit.',
        'It looks for:\n  line 9\n  line ten\n  line 11',
        'The file has there:\n6\tline 6\n7\tline 7\n8\tline 8\n9\tline 9\n10\tline 10\n11\tline 11\n12\tline 12\n13\tline 13\n14\tline 14',
        'The nearest is line 10; it differs from column 6 on.\n  file:   "line 10"\n  search: "line ten"',
      ].join('\n'),
    });
    expect([world.text('a.txt'), world.text('b.txt')]).toEqual([files['a.txt'], 'x\n']);
  });

  it('finds a hunk whose numbers are off, and takes the nearest of several places', async () => {
    const text = lines('a', 'same', 'b', 'same', 'c', 'same', 'd');
    const at = async (header: string) =>
      (await patched({ f: text }, `--- a/f\n+++ b/f\n${header}\n-same\n+HERE\n`)).world.text('f')?.split('\n').indexOf('HERE');
    expect([await at('@@ -1 +1 @@'), await at('@@ -4,9 +4,7 @@'), await at('@@ -60 +60 @@')]).toEqual([1, 3, 5]);
    expect((await patched({ f: text }, '--- a/f\n+++ b/f\n@@\n-same\n+HERE\n')).result).toMatchObject({
      code: 'execution-failed',
      message: expect.stringContaining('stand in the file more than once'),
    });
    expect((await patched({ f: text }, '--- a/f\n+++ b/f\n@@ class X\n b\n-same\n+HERE\n')).world.text('f')).toBe(
      lines('a', 'same', 'b', 'HERE', 'c', 'same', 'd'),
    );
  });

  it('keeps line endings, byte-order marks and the end of the file as they are', async () => {
    const world = createMemoryContext({ files: { 'crlf.txt': 'a\r\nb\r\n', 'bom.txt': '\ufeffa\nb', 'mixed.txt': 'a\r\nb\nc\n' } });
    const patch = ['crlf.txt', 'bom.txt', 'mixed.txt'].map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n`).join('');
    await runTool(applyPatch, { patch }, world.context);
    expect(['crlf.txt', 'mixed.txt'].map((path) => world.text(path))).toEqual(['A\r\nb\r\n', 'A\nb\nc\n']);
    expect(world.bytes('bom.txt')).toEqual(encodeUtf8('\ufeffA\nb'));
  });

  it('adds and takes away the newline at the end where the patch says so', () => {
    const apply = (text: string, hunk: string) => applyHunks('f', text, parsePatch(`--- a/f\n+++ b/f\n${hunk}`)[0]?.hunks ?? []);
    expect(apply('a', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n')).toEqual({ ok: true, text: 'a\n' });
    expect(apply('a\n', '@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n')).toEqual({ ok: true, text: 'a' });
    expect(apply('a\nb', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n')).toEqual({ ok: true, text: 'A\nb' });
  });

  it('says what is wrong with a patch that is none, and how one looks', async () => {
    const problem = (patch: string) => applyPatch.validateInput?.(applyPatch.input.parse({ patch }) as never);
    expect(problem('please change a to b')).toMatchObject({
      kind: 'invalid-input',
      message: expect.stringContaining('No file is named in the patch. It looks like this:'),
    });
    expect(problem('*** Begin Patch\n*** Update File: a\n')).toMatchObject({ message: expect.stringContaining('Send a unified diff') });
    expect(problem('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nwhat is this\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({
      message: expect.stringContaining('Line 6 of the patch is not understood'),
    });
    expect(problem('--- a/f\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({ kind: 'path-escape' });
    expect(problem('--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n')).toMatchObject({ message: expect.stringContaining('changes nothing') });
  });

  it('overwrites nothing, patches no binary file, and knows what was applied already', async () => {
    expect((await patched({ f: 'x\n' }, '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+y\n')).result).toMatchObject({
      message: expect.stringContaining('f: it is there already'),
    });
    expect((await patched({ f: new Uint8Array([0, 1, 2]) }, '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n')).result).toMatchObject({
      message: expect.stringContaining('not UTF-8 text'),
    });
    expect((await patched({ f: 'y\n' }, '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n')).result).toMatchObject({
      message: expect.stringContaining('are in the file already'),
    });
    expect((await patched({ f: 'a\nb\n' }, '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')).result).toMatchObject({
      message: expect.stringContaining('leave lines over'),
    });
    expect((await patched({ 'src/a.ts': 'x\n' }, '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n')).result).toMatchObject({
      message: expect.stringContaining('Did you mean: src/a.ts?'),
    });
  });

  it('reads removed lines that look like headers, quoted names, and patches with text around them', async () => {
    expect((await patched({ f: '-- old\nx\n' }, '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n x\n')).world.text('f')).toBe('++ new\nx\n');
    expect(
      (await patched({ 'ä "q".txt': 'x\n' }, '--- "a/\\303\\244 \\"q\\".txt"\n+++ "b/\\303\\244 \\"q\\".txt"\n@@ -1 +1 @@\n-x\n+y\n')).world.text('ä "q".txt'),
    ).toBe('y\n');
    expect(
      (await patched({ f: 'x\n' }, 'From: me\n\nSubject: y\n---\n f | 2 +-\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n-- \n2.40.1\n\n')).world.text('f'),
    ).toBe('y\n');
  });

  it('names what it needs read, and what it moves', () => {
    const paths = (patch: string) => applyPatch.pathsFor?.(applyPatch.input.parse({ patch }) as never);
    expect(paths('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n')).toEqual({ writes: ['f', 'g'] });
    expect(paths('diff --git a/f b/.git/x\nrename from f\nrename to .git/x\n')).toEqual({ writes: [], places: ['f', '.git/x'] });
  });

  it('applies every diff that we make, whatever the texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', ' d', '-e', '--- f', '@@ g', '\\ h'), { maxLength: 30 })
      .chain((parts) => fc.constantFrom('', '\n').map((end) => (parts.length === 0 ? '' : parts.join('\n') + end)));
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
        const diff = unifiedDiff({ path: 'f', before: encodeUtf8(before), after: encodeUtf8(after) }, context);
        if (diff === '') expect(after).toBe(before);
        else expect(applyHunks('f', before, parsePatch(diff)[0]?.hunks ?? [])).toEqual({ ok: true, text: after });
      }),
      { numRuns: 500 },
    );
  });
});
