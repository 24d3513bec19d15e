import { describe, expect, it } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import { createIgnoreRules } from '@/lib/git/ignore-rules';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import { createGlob } from '@/lib/shared/glob';
import { boundedIgnoreLines } from '@/lib/shared/ignore-lines';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const name = 'a'.repeat(200);
const lines = [
  `${'*a'.repeat(30)}b`,
  `${'a*'.repeat(30)}b`,
  `${'**/'.repeat(40)}b`,
  `${'*/'.repeat(40)}b`,
  `${'[a]*'.repeat(30)}b`,
  `${'?*'.repeat(30)}b`,
  `!${'*a'.repeat(30)}b`,
  `${' '.repeat(100_000)}b`,
  `${'\\ '.repeat(50_000)}b`,
  '*'.repeat(100_000),
];

describe('a .gitignore of a stranger', () => {
  it('holds no listing up, and what it says in plain lines counts', async () => {
    const began = performance.now();
    for (const line of lines) {
      const fs = createMemoryRuntimeFs({ '.gitignore': `${line}\ndist/\n`, [name]: '1', 'dist/x': '2', [`${'d/'.repeat(20)}${name}`]: '3' });
      const listed = await createWorkspaceFiles({ ...emptyRuntime, fs }).listFiles();
      expect([line.slice(0, 12), listed.filter((path) => path.startsWith('dist'))]).toEqual([line.slice(0, 12), []]);
      const isIgnored = createIgnoreRules({ fs: { promises: { readFile: async () => `${line}\ndist/\n` } } } as never);
      expect([await isIgnored(name, false), await isIgnored('dist', true)]).toEqual([false, true]);
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('keeps every line that people write', () => {
    const plain = ['node_modules', '/dist/', '*.log', '!keep.log', '**/*.min.*', '**/.cache/**/*.tmp', '.env*', 'a?b[0-9]', '# words', ''].join('\n');
    expect(boundedIgnoreLines(plain)).toBe(plain);
  });
});

describe('a glob', () => {
  it('of many stars costs no more than its length with the path', () => {
    const began = performance.now();
    for (const pattern of ['*a'.repeat(100), '**/'.repeat(100), `{${'a,'.repeat(500)}b}*`.repeat(1), `${'?*'.repeat(100)}b`])
      createGlob(pattern)(`${'d/'.repeat(100)}${name}`);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
