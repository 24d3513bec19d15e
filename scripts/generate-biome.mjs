/** Root folders whose files may import every folder but never by `../`. Scripts are left out: plain Node knows no `@/`. */
const rootsWithAlias = ['app', 'workers', 'test'];

const rule = (/** @type {string[]} */ group, /** @type {string} */ message) => ({
  linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: [{ group, message }] } } } } },
});

const allow = (/** @type {string} */ name) => [`!${name}`, `!${name}/**`];

/**
 * The Biome configuration that holds the layer rule: an allow-list per folder, written as "everything but".
 *
 * @param {import('./layers.mjs').Layers} layers
 * @returns {string} The text of `biome.layers.json`.
 */
export function biomeLayers(layers) {
  const overrides = [];
  for (const [folder, rules] of Object.entries(layers.folders)) {
    const own = rules.plugDepth ? ['!./*/**'] : ['!./**', `!@/${folder}/**`];
    const group = [
      '**',
      ...own,
      ...rules.mayImport.map((other) => `!@/${other}/**`),
      ...(rules.except ?? []).map((path) => `@/${path}`),
      ...rules.owns.flatMap(allow),
    ];
    overrides.push({ includes: [`${folder}/**`], ...rule(group, `Not open to ${folder}: see layers.json.`) });
    if (rules.plugDepth) {
      const parts = `${folder}/${'*/'.repeat(rules.plugDepth)}**`;
      overrides.push({ includes: [parts], ...rule(['**', '!./**', ...group.slice(2)], `Not open to ${folder}: see layers.json.`) });
    }
  }
  for (const [root, rules] of Object.entries(layers.roots)) {
    if (!rootsWithAlias.includes(root)) continue;
    const group = rules.owns.includes('*') ? ['../**', '..'] : ['**', '!./**', '!@/**', ...rules.owns.flatMap(allow)];
    overrides.push({ includes: [`${root}/**`], ...rule(group, `Not open to ${root}: see layers.json.`) });
  }
  return `${JSON.stringify({ $schema: './node_modules/@biomejs/biome/configuration_schema.json', overrides }, null, 2)}\n`;
}
