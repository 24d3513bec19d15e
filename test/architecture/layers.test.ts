import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, packageOf, projectRoot, readLayers, refusal } from '@/scripts/layers.mjs';
import { importsOf, sourceFiles } from './source-files';

const layers = readLayers();
const files = sourceFiles(['lib', 'components', 'workers', 'app', 'shims', 'test']);

describe('layers', () => {
  it('no file imports what its folder may not', () => {
    const refused = files.flatMap(({ path, text }) =>
      importsOf(text).flatMap((specifier) => {
        const reason = refusal(layers, path, specifier);
        return reason ? [`${path}: '${specifier}': ${reason}`] : [];
      }),
    );
    expect(refused).toEqual([]);
  });

  it('every folder of lib has a row', () => {
    const without = files.filter(({ path }) => path.startsWith('lib/') && !folderOf(layers, path));
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('the arrows of the table point one way', () => {
    const order: string[] = [];
    const visit = (folder: string, trail: readonly string[]): void => {
      expect(trail).not.toContain(folder);
      if (order.includes(folder)) return;
      for (const next of layers.folders[folder]?.mayImport ?? []) visit(next, [...trail, folder]);
      order.push(folder);
    };
    for (const folder of Object.keys(layers.folders)) visit(folder, []);
    expect(order.toSorted()).toEqual(Object.keys(layers.folders).toSorted());
  });

  it('every package that is shipped has an owner, and every owned package is installed', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const owned = [...Object.values(layers.folders), ...Object.values(layers.roots), layers.rootFiles]
      .flatMap((rules) => rules.owns)
      .filter((name) => name !== '*');
    expect(Object.keys(dependencies).filter((name) => !owned.includes(name))).toEqual([]);
    expect(owned.map(packageOf).filter((name) => !(name in dependencies) && !(name in devDependencies))).toEqual([]);
  });
});
