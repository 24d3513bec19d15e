import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '@/scripts/layers.mjs';
import { sync } from '@/scripts/sync.mjs';

let root: string;
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sync-'));
  cpSync(join(projectRoot, 'layers.json'), join(root, 'layers.json'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('sync', () => {
  it('lists the plugs by path, in camelCase of their file names', () => {
    write('lib/tools/shell/exec-shell.ts', 'export const execShell = 1;');
    write('lib/tools/files/read-file.ts', 'export type Page = 1;\nexport interface Line {}\nexport const readFile = 1;');
    write('lib/tools/files/read-file/page.ts', 'export const a = 1;\nexport const b = 2;');
    write('lib/providers/openai-chat.ts', 'export const openaiChat = 1;');
    expect(sync({ root, check: false })).toEqual({ problems: [], stale: ['biome.layers.json', 'lib/tools/registry.gen.ts', 'lib/providers/registry.gen.ts'] });
    expect(readFileSync(join(root, 'lib/tools/registry.gen.ts'), 'utf8')).toBe(
      [
        '// Written by `npm run sync`; do not edit.',
        "import type { ToolSpec } from '@/lib/contracts/tool-spec';",
        "import { readFile } from './files/read-file';",
        "import { execShell } from './shell/exec-shell';",
        '',
        '/** Every plug of lib/tools, by path. */',
        'export const builtInTools: readonly ToolSpec[] = [',
        '  readFile,',
        '  execShell,',
        '];',
        '',
      ].join('\n'),
    );
    expect(readFileSync(join(root, 'lib/providers/registry.gen.ts'), 'utf8')).toContain('export const providers: readonly Provider[] = [\n  openaiChat,\n];');
    expect(sync({ root, check: true })).toEqual({ problems: [], stale: [] });
  });

  it('a check names what is stale and writes nothing', () => {
    write('lib/providers/anthropic.ts', 'export const anthropic = 1;');
    sync({ root, check: false });
    write('lib/providers/openai-chat.ts', 'export const openaiChat = 1;');
    expect(sync({ root, check: true })).toEqual({ problems: [], stale: ['lib/providers/registry.gen.ts'] });
    expect(readFileSync(join(root, 'lib/providers/registry.gen.ts'), 'utf8')).not.toContain('openaiChat');
  });

  it.each([
    ['export const readfile = 1;', 'readfile'],
    ['export const readFile = 1;\nexport function other() {}', 'readFile, other'],
    ['export default 1;', 'default'],
    ["export * from './x';", '*'],
    ['const readFile = 1;', 'nothing'],
  ])('refuses a plug that exports something else: %s', (text, found) => {
    write('lib/tools/files/read-file.ts', text);
    expect(sync({ root, check: false }).problems).toEqual([
      `lib/tools/files/read-file.ts must export exactly one value, \`readFile\` (the file's name in camelCase); it exports ${found}. What else it needs goes into the folder lib/tools/files/read-file/.`,
    ]);
  });

  it('refuses a tool outside a group, a folder of no plug and two plugs of one name', () => {
    write('lib/tools/read-file.ts', 'export const readFile = 1;');
    write('lib/tools/files/shared/x.ts', 'export const x = 1;');
    write('lib/tools/files/list-dir.ts', 'export const listDir = 1;');
    write('lib/tools/other/list-dir.ts', 'export const listDir = 1;');
    expect(sync({ root, check: false }).problems).toEqual([
      'lib/tools/read-file.ts stands outside a group: move it to lib/tools/<group>/.',
      'lib/tools/files/shared/ belongs to no plug: a folder beside the plugs bears the name of the plug whose parts it holds.',
      'lib/tools: two files would export `listDir`; rename one.',
    ]);
  });
});
