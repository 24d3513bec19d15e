import { describe, expect, it } from 'vitest';
import { fileSearch } from '@/lib/tools/files/file-search';
import { grepFiles } from '@/lib/tools/files/grep-files';
import { listDir } from '@/lib/tools/files/list-dir';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const project = {
  '.gitignore': 'node_modules/\n*.log\n',
  '.github/workflows/ci.yml': 'run: npm test\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  'package.json': '{"name":"x"}\n',
  'debug.log': 'const hidden\n',
  'node_modules/dep/index.js': 'const dep = 1;\n',
  'src/main.ts': 'import { add } from "./math/add";\nconst a = 1;\nconsole.log(add(a, 2));\n',
  'src/math/add.ts': 'export const add = (a: number, b: number) =>\n  a + b;\n',
  'src/math/deep/er/file.ts': '',
  'empty/': '',
  'logo.bin': new Uint8Array([0, 1, 2]),
};

const context = (files: Record<string, string | Uint8Array> = project) => createMemoryContext({ files }).context;
const listed = async (input: unknown, files?: Record<string, string | Uint8Array>) => (await runTool(listDir, input, context(files))).content;
const grepped = async (input: unknown, files?: Record<string, string | Uint8Array>) => (await runTool(grepFiles, input, context(files))).content;

describe('list_dir', () => {
  it('draws the tree, leaves out what .gitignore ignores and says what it left out', async () => {
    expect(await listed({})).toBe(
      [
        './ (5 files)',
        '  empty/ (empty)',
        '  src/',
        '    math/ (2 files)',
        '    main.ts',
        '  logo.bin',
        '  package.json',
        'Not shown, ignored by .gitignore: node_modules/, debug.log',
        'Not shown: 2 hidden entries; include_hidden=true shows them.',
      ].join('\n'),
    );
  });

  it('opens as many levels as asked and shows hidden entries, .git never', async () => {
    expect(await listed({ path: '.', depth: 1, include_hidden: true })).toBe(
      [
        './ (7 files)',
        '  .github/ (1 file)',
        '  empty/ (empty)',
        '  src/ (3 files)',
        '  .gitignore',
        '  logo.bin',
        '  package.json',
        'Not shown, ignored by .gitignore: node_modules/, debug.log',
      ].join('\n'),
    );
    expect(await listed({ path: 'src/math', depth: 3 })).toBe(['src/math/ (2 files)', '  deep/', '    er/', '      file.ts', '  add.ts'].join('\n'));
  });

  it('shows an ignored folder to whoever names it', async () => {
    expect(await listed({ path: 'node_modules' })).toBe(
      'node_modules/ (1 file)\n  dep/\n    index.js\nNote: .gitignore ignores this folder; it is shown because you named it.',
    );
  });

  it('is bounded', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`f${String(index).padStart(3, '0')}`, '']));
    const lines = (await listed({}, many)).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([502, 'Only the first 500 entries are shown; list a folder below this one, or use a smaller depth.']);
  });

  it('sends a file to read_file, and says when there is nothing', async () => {
    await expect(listed({ path: 'package.json' })).rejects.toMatchObject({
      code: 'not-a-directory',
      message: 'package.json is a file. Call read_file with path="package.json" to read it.',
    });
    await expect(listed({ path: 'nope' })).rejects.toMatchObject({ code: 'not-found' });
    expect(await listed({ path: 'empty' })).toBe('empty/ (0 files; nothing to show)');
  });
});

describe('grep_files', () => {
  it('groups matching lines by file, skips binary and ignored files, looks into hidden ones', async () => {
    expect(await grepped({ pattern: 'const|npm' })).toBe(
      [
        '3 matching lines in 3 files',
        '.github/workflows/ci.yml',
        '1: run: npm test',
        '',
        'src/main.ts',
        '2: const a = 1;',
        '',
        'src/math/add.ts',
        '1: export const add = (a: number, b: number) =>',
        'Skipped: 1 binary file.',
      ].join('\n'),
    );
  });

  it('shows lines around a match once, with a mark between places', async () => {
    const a = ['0', 'hit', '2', '3', '4', '5', 'hit', 'hit', '8'].join('\n');
    expect(await grepped({ pattern: 'hit', context_lines: 1 }, { a })).toBe(
      ['3 matching lines in 1 file', 'a', '1- 0', '2: hit', '3- 2', '--', '6- 5', '7: hit', '8: hit', '9- 8'].join('\n'),
    );
  });

  it('obeys include, exclude, path and case', async () => {
    expect(await grepped({ pattern: 'ADD', include: '*.ts', exclude: '**/main.ts', case_insensitive: true })).toBe(
      '1 matching line in 1 file\nsrc/math/add.ts\n1: export const add = (a: number, b: number) =>',
    );
    expect(await grepped({ pattern: '(?i)ADD', path: 'src', include: 'math/*' })).toContain('src/math/add.ts');
    expect(await grepped({ pattern: 'ADD' })).toBe('No line matches /ADD/ in 6 files (the whole workspace).\nSkipped: 1 binary file.');
    expect(await grepped({ pattern: 'dep', path: 'node_modules' })).toBe(
      '1 matching line in 1 file\nnode_modules/dep/index.js\n1: const dep = 1;\nNote: .gitignore ignores this folder; it was searched because you named it.',
    );
  });

  it('stops at max_results and says so', async () => {
    expect(await grepped({ pattern: 'x', max_results: 2 }, { a: 'x\nx\nx\n' })).toBe(
      '2 matching lines in 1 file\na\n1: x\n2: x\nThere are more: stopped at max_results=2. Narrow the pattern, path or include, or raise max_results.',
    );
    expect(await grepped({ pattern: 'x', max_results: 3 }, { a: 'x\nx\nx\n' })).toBe('3 matching lines in 1 file\na\n1: x\n2: x\n3: x');
  });

  it('is bounded in bytes, also by long lines', async () => {
    const content = await grepped({ pattern: 'x', max_results: 500 }, { a: `${'x'.repeat(4000)}\n`.repeat(400) });
    expect(content.length).toBeLessThan(26_000);
    expect(content).toMatch(/Only the first \d+ are shown \(24 KiB\)/);
  });

  it('teaches when the pattern is no regular expression', async () => {
    await expect(grepped({ pattern: 'foo(' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^The pattern is not a JavaScript regular expression \(.*\)\. To find literal text put a backslash/),
    });
  });

  it('names files that are too large to search', async () => {
    expect(await grepped({ pattern: 'x' }, { big: 'x'.repeat(3_000_000) })).toBe(
      'No line matches /x/ in 0 files (the whole workspace).\nSkipped, larger than 2.0 MB: big.',
    );
  });
});

describe('file_search', () => {
  const found = async (input: unknown) => (await runTool(fileSearch, input, context())).content;

  it('finds by name, by letters in order and by misspelling', async () => {
    expect(await found({ query: 'add' })).toBe('src/math/add.ts');
    expect(await found({ query: 'pkgjson' })).toBe('package.json');
    expect(await found({ query: 'math file' })).toBe('src/math/deep/er/file.ts');
    expect(await found({ query: 'pacakge.json' })).toBe('package.json');
  });

  it('keeps to folder, endings and limit', async () => {
    expect(await found({ query: 'a', path: 'src', extensions: ['.TS'], limit: 1 })).toBe(
      'src/math/add.ts\n2 more paths fit; raise limit or make the query longer.',
    );
    expect(await found({ query: 'zzz', extensions: ['ts'] })).toBe(
      'No file name fits "zzz" among 3 files of the workspace ending in .ts. Try a shorter part of the name, or grep_files for what the file contains.',
    );
    await expect(found({ query: 'a', path: 'nope' })).rejects.toMatchObject({ code: 'not-found' });
  });
});
