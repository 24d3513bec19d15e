import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { biomeLayers } from './generate-biome.mjs';
import { projectRoot, readLayers } from './layers.mjs';

/** The two plug folders: where their files stand, what a file exports, and the list that is made of them. */
const plugFolders = [
  { folder: 'lib/tools', grouped: true, list: 'builtInTools', type: 'ToolSpec', from: '@/lib/contracts/tool-spec' },
  { folder: 'lib/providers', grouped: false, list: 'providers', type: 'Provider', from: '@/lib/contracts/provider' },
];

const registryFile = 'registry.gen.ts';

/** @param {string} name */
function camelCase(name) {
  return name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** The names of the values that a module exports; types are not values. `*` for a re-export, `default` for a default.
 * @param {string} text */
function exportedValues(text) {
  const source = ts.createSourceFile('plug.ts', text, ts.ScriptTarget.ES2023);
  /** @type {string[]} */
  const names = [];
  for (const statement of source.statements) {
    if (ts.isExportAssignment(statement)) names.push('default');
    else if (ts.isExportDeclaration(statement)) {
      if (statement.isTypeOnly) continue;
      if (statement.exportClause && ts.isNamedExports(statement.exportClause)) {
        names.push(...statement.exportClause.elements.filter((element) => !element.isTypeOnly).map((element) => element.name.text));
      } else names.push('*');
    } else if (ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
      if (ts.isVariableStatement(statement)) names.push(...statement.declarationList.declarations.map((declaration) => declaration.name.getText(source)));
      else names.push('name' in statement && statement.name ? /** @type {ts.Identifier} */ (statement.name).text : 'default');
    }
  }
  return names;
}

/** Plug files of a folder, sorted by path, without the ending; parts of a plug (in a folder of its name) are left out.
 * @param {string} root @param {string} folder @param {boolean} grouped @param {string[]} problems */
function plugsIn(root, folder, grouped, problems) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const isPlug = (/** @type {import('node:fs').Dirent} */ entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== registryFile;
  const filesOf = (/** @type {string} */ inner) => {
    const entries = readdirSync(join(path, inner), { withFileTypes: true });
    const files = entries.filter(isPlug).map((entry) => entry.name.slice(0, -3));
    for (const entry of entries) {
      if (!entry.isDirectory() || files.includes(entry.name)) continue;
      if (!grouped || inner !== '.')
        problems.push(
          `${folder}/${inner === '.' ? '' : `${inner}/`}${entry.name}/ belongs to no plug: a folder beside the plugs bears the name of the plug whose parts it holds.`,
        );
    }
    return files.map((file) => (inner === '.' ? file : `${inner}/${file}`));
  };
  if (!grouped) return filesOf('.').sort();
  const top = readdirSync(path, { withFileTypes: true });
  for (const entry of top.filter(isPlug)) problems.push(`${folder}/${entry.name} stands outside a group: move it to ${folder}/<group>/.`);
  return top
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => filesOf(entry.name))
    .sort();
}

/**
 * Every generated file and what it should hold. Problems are plug files that break the rule of their folder.
 *
 * @param {string} [root] Folder of the project.
 */
export function generate(root = projectRoot) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string>} */
  const files = new Map([['biome.layers.json', biomeLayers(readLayers(root))]]);
  for (const { folder, grouped, list, type, from } of plugFolders) {
    const plugs = plugsIn(root, folder, grouped, problems).map((path) => ({ path, name: camelCase(/** @type {string} */ (path.split('/').pop())) }));
    for (const { path, name } of plugs) {
      const values = exportedValues(readFileSync(join(root, folder, `${path}.ts`), 'utf8'));
      if (values.length === 1 && values[0] === name) continue;
      const found = values.length === 0 ? 'nothing' : values.join(', ');
      problems.push(
        `${folder}/${path}.ts must export exactly one value, \`${name}\` (the file's name in camelCase); it exports ${found}. What else it needs goes into the folder ${folder}/${path}/.`,
      );
    }
    const names = plugs.map((plug) => plug.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice) problems.push(`${folder}: two files would export \`${twice}\`; rename one.`);
    if (plugs.length === 0 && !existsSync(join(root, folder))) continue;
    files.set(
      `${folder}/${registryFile}`,
      [
        '// Written by `npm run sync`; do not edit.',
        `import type { ${type} } from '${from}';`,
        ...plugs.map(({ path, name }) => `import { ${name} } from './${path}';`),
        '',
        `/** Every plug of ${folder}, by path. */`,
        `export const ${list}: readonly ${type}[] = [${names.map((name) => `\n  ${name},`).join('')}${names.length > 0 ? '\n' : ''}];`,
        '',
      ].join('\n'),
    );
  }
  return { files, problems };
}

/**
 * Writes what is stale, or with `check` only names it.
 *
 * @param {{ root?: string, check: boolean }} options
 * @returns {{ problems: string[], stale: string[] }}
 */
export function sync({ root = projectRoot, check }) {
  const { files, problems } = generate(root);
  if (problems.length > 0) return { problems, stale: [] };
  const stale = [...files].filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
  if (!check) for (const [path, text] of stale) writeFileSync(join(root, path), text);
  return { problems, stale: stale.map(([path]) => path) };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const check = process.argv.includes('--check');
  const { problems, stale } = sync({ check });
  for (const problem of problems) console.error(problem);
  if (check && stale.length > 0) console.error(`Stale: ${stale.join(', ')}. Run \`npm run sync\` and commit the result.`);
  else if (stale.length > 0) console.log(`Written: ${stale.join(', ')}`);
  process.exitCode = problems.length > 0 || (check && stale.length > 0) ? 1 : 0;
}
