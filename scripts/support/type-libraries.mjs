import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The text without its explanations, which take more room than all the rest and which nobody reads here. */
const textOf = (/** @type {string} */ file) =>
  readFileSync(file, 'utf8')
    .replace(/\/\*\*?[\s\S]*?\*\//g, '')
    .replace(/\n\s*\n+/g, '\n');

/**
 * The declarations that the language worker brings along: those of the compiler's libraries, and those of Node, since programs here run on it.
 *
 * In     `root` the project's folder.
 * Out    text by path: `lib.es2023.d.ts` and the like, `@types/node/…`, `undici-types/…`.
 */
export function readTypeLibraries(root) {
  const modules = path.join(root, 'node_modules');
  /** @type {Record<string, string>} */
  const libraries = {};
  const compiler = path.join(modules, 'typescript/lib');
  for (const name of readdirSync(compiler)) if (/^lib(\..+)?\.d\.ts$/.test(name)) libraries[name] = textOf(path.join(compiler, name));
  const take = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(path.join(modules, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      // Folders such as ts5.6 are for older compilers.
      if (entry.isDirectory()) {
        if (!/^ts\d/.test(entry.name)) take(name);
      } else if (entry.name.endsWith('.d.ts') || entry.name === 'package.json') libraries[name] = textOf(path.join(modules, name));
    }
  };
  take('@types/node');
  take('undici-types');
  return libraries;
}
