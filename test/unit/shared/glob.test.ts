import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGlob } from '@/lib/shared/glob';

describe('createGlob', () => {
  it.each([
    ['*.ts', ['a.ts', 'src/a.ts', '.hidden.ts'], ['a.tsx', 'ts']],
    ['src/*.ts', ['src/a.ts'], ['src/x/a.ts', 'lib/src/a.ts']],
    ['/src/*.ts', ['src/a.ts'], ['lib/src/a.ts']],
    ['src/**', ['src/a', 'src/a/b'], ['src', 'srcs/a']],
    ['src/', ['src/a', 'src/a/b'], ['src']],
    ['src/**/*.ts', ['src/a.ts', 'src/a/b/c.ts'], ['a.ts', 'src/a.js']],
    ['**/test/**', ['test/a', 'a/test/b/c'], ['test', 'atest/b']],
    ['*.{ts,tsx}', ['a.ts', 'x/a.tsx'], ['a.t', 'a.{ts,tsx}']],
    ['{src,lib}/*.{j,t}s', ['src/a.ts', 'lib/a.js'], ['app/a.ts']],
    ['a{b,c{d,e}}f', ['abf', 'acdf', 'acef'], ['acf', 'abcf']],
    ['file?.txt', ['file1.txt'], ['file.txt', 'file12.txt']],
    ['[a-c]?', ['a1', 'cz'], ['d1', 'a']],
    ['[!a-c]x', ['dx'], ['ax']],
    ['[unclosed', ['[unclosed'], ['u']],
    ['a\\*b', ['a*b'], ['axb']],
    ['{a}', ['{a}'], ['a']],
  ])('%s', (pattern, fits, misses) => {
    const glob = createGlob(pattern);
    expect([fits.filter((path) => !glob(path)), misses.filter((path) => glob(path))]).toEqual([[], []]);
  });

  it('fits every path that is written out as its pattern', () => {
    const name = fc
      .string({ unit: fc.constantFrom('a', 'b', '.', '-', '1', 'é', '😀'), minLength: 1, maxLength: 5 })
      .filter((part) => part !== '.' && part !== '..');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (parts) => createGlob(parts.join('/'))(parts.join('/')) && createGlob(`**/${parts.at(-1)}`)(parts.join('/')),
      ),
    );
  });

  it('is never slow: stars in a row cost no more than their product with the path', () => {
    const started = performance.now();
    expect(createGlob(`${'*a'.repeat(500)}b`)('a'.repeat(5000))).toBe(false);
    expect(createGlob(`${'**/'.repeat(200)}x`)('a/'.repeat(2000).concat('y'))).toBe(false);
    expect(createGlob('{a,b}'.repeat(40))('c')).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
