import { describe, expect, it } from 'vitest';
import { namedCharacters, visibleText } from '@/lib/shared/visible-text';

describe('text on a card', () => {
  it('names invisible and direction-changing characters (cl-13)', () => {
    expect(visibleText('a\u200bb\u202ec\u{e0041}\u0007\r')).toBe('a⟦zero-width space⟧b⟦right-to-left override⟧c⟦U+E0041⟧⟦U+0007⟧⟦U+000D⟧');
  });

  it('counts padding instead of showing it (cl-13)', () => {
    expect(visibleText(`ls${'\t'.repeat(40)}; rm x${' '.repeat(30)}y\n\n\n\n\nz`)).toBe('ls⟦40 tabs⟧; rm x⟦30 blanks⟧y\n⟦4 empty lines⟧\nz');
  });

  it('stays as it is where nothing hides', () => {
    const plain = 'for f in *; do\n\n        echo "$f"\t# é ✓\ndone\n';
    expect(visibleText(plain)).toBe(plain);
  });
});

it('names what would turn or hide text, and leaves indents alone where they count', () => {
  const line = `${' '.repeat(40)}if (safe\u202e) {`;
  expect(namedCharacters(line)).toBe(`${' '.repeat(40)}if (safe⟦right-to-left override⟧) {`);
});
