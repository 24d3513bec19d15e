import { describe, expect, it } from 'vitest';
import { utf8Length } from '@/lib/shared/bytes';
import { readFile } from '@/lib/tools/files/read-file';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

async function read(files: Record<string, string | Uint8Array>, input: unknown): Promise<string> {
  return (await runTool(readFile, input, createMemoryContext({ files }).context)).content;
}

describe('read_file', () => {
  it('numbers the lines', async () => {
    const { context } = createMemoryContext({ files: { 'src/a.ts': 'one\ntwo\n' } });
    expect(await runTool(readFile, { path: './src//a.ts' }, context)).toEqual({
      ok: true,
      content: 'src/a.ts, lines 1-2 of 2 (8 bytes)\n1\tone\n2\ttwo',
      data: { path: 'src/a.ts', bytes: 8, totalLines: 2, startLine: 1, endLine: 2 },
    });
  });

  it('shows 200 lines and says how to go on', async () => {
    const content = await read({ a: numbered(1234) }, { path: 'a' });
    expect(content.split('\n').slice(0, 2)).toEqual(['a, lines 1-200 of 1234 (11.0 KB; no line ending at the end)', '  1\tline 1']);
    expect(content.endsWith('200\tline 200\n\n1,034 more lines: call read_file with path="a" and start_line=201.')).toBe(true);
  });

  it('starts where asked and ends without a hint at the end', async () => {
    expect(await read({ a: numbered(12) }, { path: 'a', start_line: 11, max_lines: 5 })).toBe(
      'a, lines 11-12 of 12 (86 bytes; no line ending at the end)\n11\tline 11\n12\tline 12',
    );
  });

  it('shows at most 16 KiB, whole lines only, and goes on with the first line left out', async () => {
    const content = await read({ a: Array.from({ length: 300 }, () => 'é'.repeat(100)).join('\n') }, { path: 'a' });
    expect(utf8Length(content)).toBeLessThan(16 * 1024 + 300);
    const last = Number(/lines 1-(\d+) of/.exec(content)?.[1]);
    expect(last).toBeGreaterThan(70);
    expect(content).toContain(`start_line=${last + 1}.`);
  });

  it('cuts a very long line and says how long it is', async () => {
    expect(await read({ a: `${'x'.repeat(500_000)}\nend` }, { path: 'a' })).toBe(
      `a, lines 1-2 of 2 (488.3 KB; no line ending at the end)\n1\t${'x'.repeat(2000)}… [line cut: 488.3 KB]\n2\tend`,
    );
  });

  it('tells what the text itself does not show: CRLF, byte-order mark, bytes that are not UTF-8', async () => {
    expect(await read({ a: '\ufeffone\r\ntwo\r\n' }, { path: 'a' })).toBe(
      'a, lines 1-2 of 2 (13 bytes; lines end with CRLF; begins with a byte-order mark)\n1\tone\n2\ttwo',
    );
    expect(await read({ a: new Uint8Array([...new TextEncoder().encode('a long enough line with '), 0xe9, 0x0a]) }, { path: 'a' })).toBe(
      'a, lines 1-1 of 1 (26 bytes; some bytes are not UTF-8 and show as \ufffd)\n1\ta long enough line with \ufffd',
    );
  });

  it('describes images and other binary files, never dumps them', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 64, 0, 0, 0, 32, 8]);
    expect(await read({ 'logo.png': png }, { path: 'logo.png' })).toBe(
      'logo.png is a PNG image, 64 × 32 pixels, 25 bytes. It is not text, so its content is not shown.',
    );
    expect(await read({ 'a.bin': new Uint8Array([1, 2, 0, 3]) }, { path: 'a.bin' })).toBe(
      'a.bin is a binary file, 4 bytes. It is not text, so its content is not shown.',
    );
    expect(await read({ 'a.pdf': '%PDF-1.7' }, { path: 'a.pdf' })).toBe('a.pdf is a PDF document, 8 bytes. It is not text, so its content is not shown.');
  });

  it('says that an empty file is empty', async () => {
    expect(await read({ a: '' }, { path: 'a' })).toBe('a is empty (0 bytes).');
  });

  it('names similar files when there is none of the name', async () => {
    const files = { 'src/user-service.ts': '', 'src/main.ts': '', 'test/user-service.test.ts': '' };
    await expect(read(files, { path: 'src/userservice.ts' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no file "src/userservice.ts" in the workspace. Did you mean: src/user-service.ts, test/user-service.test.ts?',
    });
    await expect(read(files, { path: 'main.ts' })).rejects.toMatchObject({
      message: 'There is no file "main.ts" in the workspace. Did you mean: src/main.ts?',
    });
    await expect(read(files, { path: 'qqqq' })).rejects.toMatchObject({
      message: 'There is no file "qqqq" in the workspace. Call file_search with part of its name, or list_dir, to find it.',
    });
  });

  it('sends a folder to list_dir and a line past the end back', async () => {
    await expect(read({ 'src/a': '' }, { path: 'src/' })).rejects.toMatchObject({
      code: 'is-directory',
      message: 'src is a folder. Call list_dir with path="src" to see what is in it.',
    });
    await expect(read({ a: 'x\ny' }, { path: 'a', start_line: 3 })).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'a has 2 lines; start_line=3 is past its end. Send a start_line from 1 to 2.',
    });
  });
});
