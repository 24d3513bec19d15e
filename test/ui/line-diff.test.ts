import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffCounts, diffHunks } from '@/lib/client/line-diff';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 }).map((parts) => parts.map((part) => `${part}\n`).join(''));

describe('the difference of two texts', () => {
  it('shows a change with three lines around it and says what it skipped', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].join('\n');
    expect(diffHunks(before, before.replace('6', 'six'))).toEqual([
      {
        skipped: 2,
        lines: [
          { kind: 'same', text: '3', beforeLine: 3, afterLine: 3 },
          { kind: 'same', text: '4', beforeLine: 4, afterLine: 4 },
          { kind: 'same', text: '5', beforeLine: 5, afterLine: 5 },
          { kind: 'removed', text: '6', beforeLine: 6 },
          { kind: 'added', text: 'six', afterLine: 6 },
          { kind: 'same', text: '7', beforeLine: 7, afterLine: 7 },
          { kind: 'same', text: '8', beforeLine: 8, afterLine: 8 },
          { kind: 'same', text: '9', beforeLine: 9, afterLine: 9 },
        ],
      },
    ]);
  });

  it('is empty for equal texts, and all added for a new file', () => {
    expect(diffHunks('a\nb\n', 'a\nb\n')).toEqual([]);
    expect(diffCounts('', 'a\nb\n')).toEqual({ added: 2, removed: 0 });
  });

  it('names every line that went and came, in order', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const shown = diffHunks(before, after).flatMap((hunk) => hunk.lines);
        const kept = (side: string, kind: 'removed' | 'added', number: 'beforeLine' | 'afterLine'): void => {
          const all = side === '' ? [] : side.slice(0, -1).split('\n');
          for (const line of shown) if (line.kind === kind) expect(all[(line[number] ?? 0) - 1]).toBe(line.text);
        };
        kept(before, 'removed', 'beforeLine');
        kept(after, 'added', 'afterLine');
        const { added, removed } = diffCounts(before, after);
        expect(added - removed).toBe(after.split('\n').length - before.split('\n').length);
      }),
    );
  });
});
