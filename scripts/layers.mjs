import { readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * @typedef {{ mayImport: string[], owns: string[], except?: string[], plugDepth?: number, dom?: boolean }} Folder
 * @typedef {{ folders: Record<string, Folder>, roots: Record<string, { owns: string[] }>, rootFiles: { owns: string[] } }} Layers
 */

/**
 * Reads `layers.json`.
 *
 * @param {string} [root] Folder of the project.
 * @returns {Layers}
 */
export function readLayers(root = projectRoot) {
  return JSON.parse(readFileSync(resolve(root, 'layers.json'), 'utf8'));
}

/**
 * The folder of `layers.json` that a file lives in; undefined for a file of a root or of no layer.
 *
 * @param {Layers} layers
 * @param {string} path Relative to the project, `/`-separated, with or without an ending.
 */
export function folderOf(layers, path) {
  return Object.keys(layers.folders).find((folder) => path === folder || path.startsWith(`${folder}/`));
}

/**
 * The npm package that an import names: `@xterm/xterm/css/x.css` → `@xterm/xterm`.
 *
 * @param {string} specifier
 * @returns {string}
 */
export function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * Why a file may not import something; undefined when it may. The second gate; the first is the Biome rule, made from the
 * same table by other means.
 *
 * @param {Layers} layers
 * @param {string} file Importing file, relative to the project.
 * @param {string} specifier As written in the import.
 * @returns {string | undefined}
 */
export function refusal(layers, file, specifier) {
  const from = folderOf(layers, file);
  const rootName = Object.keys(layers.roots).find((root) => file.startsWith(`${root}/`));
  if (specifier.startsWith('../') || specifier === '..' || specifier === '.') return 'a folder is left by @/…, not by ../';
  const isLocal = specifier.startsWith('./') || specifier.startsWith('@/');
  if (!isLocal) {
    const owned = from ? layers.folders[from]?.owns : rootName ? layers.roots[rootName]?.owns : layers.rootFiles.owns;
    if (owned?.includes('*') || owned?.includes(packageOf(specifier))) return undefined;
    // Files of the root run in Node; a declaration file runs nowhere and may describe a stand-in by Node's own types.
    if (specifier.startsWith('node:') && ((!from && !rootName) || file.endsWith('.d.ts'))) return undefined;
    return `${from ?? rootName ?? 'a file of the root'} does not own the package ${packageOf(specifier)}`;
  }
  if (!from) return undefined;
  const target = specifier.startsWith('@/') ? specifier.slice(2) : posix.join(posix.dirname(file), specifier);
  const rules = /** @type {Folder} */ (layers.folders[from]);
  if (rules.except?.includes(target)) return `${from} may not see ${target}`;
  const to = folderOf(layers, target);
  if (to !== from) return to !== undefined && rules.mayImport.includes(to) ? undefined : `${from} may not import ${to ?? target}`;
  if (rules.plugDepth === undefined || file.endsWith('.gen.ts')) return undefined;
  // A plug is one file; what outgrows it lives in a folder of its name, which is its own.
  const plug = plugOf(from, rules.plugDepth, file);
  return plugOf(from, rules.plugDepth, target) === plug && target !== plug ? undefined : `plugs of ${from} do not import one another`;
}

/**
 * The plug that a file of a plug folder belongs to: `lib/tools/files/read-file/parse` → `lib/tools/files/read-file`.
 *
 * @param {string} folder
 * @param {number} depth Names below the folder that make a plug's path: 1 = a file, 2 = a group and a file.
 * @param {string} path
 */
function plugOf(folder, depth, path) {
  const parts = path
    .slice(folder.length + 1)
    .replace(/\.tsx?$/, '')
    .split('/');
  return [folder, ...parts.slice(0, depth)].join('/');
}
