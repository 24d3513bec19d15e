import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { policyPath } from '@/lib/policy/policy-file';
import { projectRoot } from '@/scripts/layers.mjs';
import { clonedFiles } from './source-files';

const topLevel = ['lib', 'components', 'workers', 'app', 'public', 'scripts', 'server', 'test', 'docs', 'shims', '.ci'];
const bareName = /^[\w.-]+\.(md|json|ts|tsx|mjs)$/;
// The policy file stands in a person's workspace, not here.
const baseNames = new Set([...clonedFiles().map((path) => basename(path)), policyPath]);

function documents(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? documents(`${folder}/${entry.name}`) : entry.name.endsWith('.md') ? [`${folder}/${entry.name}`] : [],
  );
}

/** Paths and npm scripts that a document names in backticks or links, and that are not there. */
function missing(document: string, text: string, scripts: readonly string[]): string[] {
  const words = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => join(dirname(document), link));
  const paths = words
    // A name with a hole (`lib/tools/<group>/…`, `*.test.ts`) is a pattern, not a path.
    .filter((word) => !/[<>*…{}$ ]/.test(word))
    .map((word) => word.replace(/^\.\//, '').replace(/^@\//, '').replace(/\/$/, ''))
    .filter((word) => {
      if (topLevel.some((top) => word === top || word.startsWith(`${top}/`)))
        return !['', '.ts', '.tsx'].some((ending) => existsSync(join(projectRoot, word + ending)));
      return bareName.test(word) && !baseNames.has(word);
    });
  const runs = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name).filter((name) => !scripts.includes(name));
  return [...paths, ...links.filter((link) => !existsSync(join(projectRoot, link))), ...runs.map((name) => `npm run ${name}`)];
}

describe('documents', () => {
  const scripts = Object.keys(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).scripts);
  const names = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CONTRIBUTING.md', ...documents('docs')];

  it.each(names)('%s names only what exists', (name) => {
    expect(missing(name, readFileSync(join(projectRoot, name), 'utf8'), scripts)).toEqual([]);
  });

  it('a path, a link and a script that are not there are found', () => {
    const text =
      'See `lib/gone/nowhere.ts`, `gone.json`, `tsconfig.json`, `zod.ts`, `lib/contracts/tool.ts`, [this](docs/gone.md) and `npm run vanish`; `lib/tools/<group>/x.ts` is a pattern.';
    expect(missing('README.md', text, scripts)).toEqual(['lib/gone/nowhere.ts', 'gone.json', 'docs/gone.md', 'npm run vanish']);
  });
});
