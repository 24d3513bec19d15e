import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, readLayers, refusal } from '@/scripts/layers.mjs';
import { importsOf } from './source-files';

const layers = readLayers();
const folders = Object.keys(layers.folders);
const packages = [...new Set(Object.values(layers.folders).flatMap((rules) => rules.owns))];

interface Planted {
  readonly file: string;
  readonly forbidden: readonly string[];
  readonly allowed: readonly string[];
}

/** For every folder one file: first what the table forbids it, one import a line, then what it allows. */
const planted: readonly Planted[] = folders.map((folder) => {
  const rules = layers.folders[folder];
  if (!rules) throw new Error(folder);
  const open = folders.filter((other) => rules.mayImport.includes(other));
  const closed = folders.filter((other) => other !== folder && !rules.mayImport.includes(other));
  return {
    file: `${folder}/${rules.plugDepth === 1 ? '' : 'group/'}planted.ts`,
    forbidden: [
      ...closed.map((other) => `@/${other}/planted`),
      ...(rules.except ?? []).map((path) => `@/${path}`),
      ...packages.filter((name) => !rules.owns.includes(name)).flatMap((name) => [name, `${name}/inner`]),
      ...(rules.plugDepth ? ['./sibling', `@/${folder}/group/sibling`] : []),
      '../beside',
      'node:fs',
      '@/app/page',
      '@/workers/engine.worker',
    ],
    allowed: [
      ...open.filter((other) => !rules.except?.includes(other)).map((other) => `@/${other}/planted`),
      ...rules.owns.flatMap((name) => [name, `${name}/inner`]),
      ...(rules.plugDepth ? [] : ['./sibling', `@/${folder}/other`]),
    ],
  };
});

const textOf = ({ forbidden, allowed }: Planted): string =>
  [...forbidden, ...allowed]
    .map((specifier, index) => `import type { T as T${index} } from '${specifier}';`)
    .join('\n')
    .concat('\n');

describe('planted violations', () => {
  let temporary: string;
  /** Line numbers that Biome reported, by file. */
  const reported = new Map<string, number[]>();

  beforeAll(() => {
    temporary = mkdtempSync(join(tmpdir(), 'layers-'));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(temporary, path)), { recursive: true });
      writeFileSync(join(temporary, path), text);
    };
    for (const name of ['biome.json', 'biome.layers.json', '.gitignore']) cpSync(join(projectRoot, name), join(temporary, name));
    symlinkSync(join(projectRoot, 'node_modules'), join(temporary, 'node_modules'), 'junction');
    execFileSync('git', ['init', '--quiet'], { cwd: temporary });
    for (const plant of planted) write(plant.file, textOf(plant));
    const biome = join(projectRoot, 'node_modules/@biomejs/biome/bin/biome');
    const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--only=style/noRestrictedImports', '--max-diagnostics=none', '--reporter=json', '.'], {
      cwd: temporary,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    for (const { category, location } of JSON.parse(stdout).diagnostics) {
      if (category !== 'lint/style/noRestrictedImports') continue;
      reported.set(location.path, [...(reported.get(location.path) ?? []), location.start.line]);
    }
  });

  afterAll(() => rmSync(temporary, { recursive: true, force: true }));

  it.each(planted)('both gates refuse in $file what the table forbids, and nothing else', (plant) => {
    const specifiers = [...plant.forbidden, ...plant.allowed];
    const byBiome = (reported.get(plant.file) ?? []).map((line) => specifiers[line - 1]);
    expect(byBiome.toSorted()).toEqual(plant.forbidden.toSorted());
    const byTypeScript = importsOf(textOf(plant)).filter((specifier) => refusal(layers, plant.file, specifier));
    expect(byTypeScript.toSorted()).toEqual(plant.forbidden.toSorted());
  });

  it('the second gate also sees types in place, require and dynamic import', () => {
    const hidden = [
      "let a: import('idb').DBSchema;",
      "const b = require('comlink');",
      "const c = await import('react');",
      "export * from '@/lib/engine/turn';",
    ].join('\n');
    expect(importsOf(hidden).filter((specifier) => refusal(layers, 'lib/policy/decide.ts', specifier))).toEqual([
      'idb',
      'comlink',
      'react',
      '@/lib/engine/turn',
    ]);
  });

  it('a plug may use the parts in the folder of its own name only', () => {
    expect(refusal(layers, 'lib/tools/files/read-file.ts', './read-file/page')).toBeUndefined();
    expect(refusal(layers, 'lib/tools/files/read-file/page.ts', './numbers')).toBeUndefined();
    expect(refusal(layers, 'lib/tools/files/write-file.ts', './read-file/page')).toBe('plugs of lib/tools do not import one another');
    expect(refusal(layers, 'lib/providers/anthropic.ts', './openai-chat')).toBe('plugs of lib/providers do not import one another');
    expect(refusal(layers, 'lib/tools/registry.gen.ts', './files/read-file')).toBeUndefined();
  });

  it('the committed rule is the one that the table makes', async () => {
    const { biomeLayers } = await import('@/scripts/generate-biome.mjs');
    expect(readFileSync(join(projectRoot, 'biome.layers.json'), 'utf8')).toBe(biomeLayers(layers));
  });
});
