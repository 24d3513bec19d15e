import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8, utf8Length } from '@/lib/shared/bytes';
import { identifyBytes } from '@/lib/shared/file-kind';
import { countDiff, diffLines, showDiff } from '@/lib/shared/line-diff';
import { headBytes, lineAt, lineEndingOf, splitLines, tailBytes } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, workspacePathProblem } from '@/lib/shared/workspace-path';

const line = fc.constantFrom('a', 'b', 'c', '', 'long line');
const text = fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '\n', '\r\n') });

function apply(before: readonly string[], runs: ReturnType<typeof diffLines>): readonly string[] {
  const out = [...before];
  for (const run of [...runs].reverse()) {
    expect(out.slice(run.beforeStart, run.beforeStart + run.before.length)).toEqual(run.before);
    out.splice(run.beforeStart, run.before.length, ...run.after);
  }
  return out;
}

describe('diffLines', () => {
  it('always leads from before to after', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.array(line, { maxLength: 40 }), (before, after) => {
        expect(apply(before, diffLines(before, after))).toEqual(after);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the fewest changed lines', () => {
    expect(diffLines(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd', 'e'])).toEqual([
      { beforeStart: 1, afterStart: 1, before: ['b'], after: ['x'] },
      { beforeStart: 4, afterStart: 4, before: [], after: ['e'] },
    ]);
    expect(countDiff(diffLines(['a', 'b'], ['b', 'a']))).toEqual({ added: 1, removed: 1 });
    expect(diffLines(['a'], ['a'])).toEqual([]);
  });

  it('stays cheap and right when everything differs', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 20_000 }, (_, index) => `new ${index}`);
    expect(diffLines(before, after)).toEqual([{ beforeStart: 0, afterStart: 0, before, after }]);
    expect(showDiff(diffLines(before, after), 2)).toBe('@@ line 1 @@\n-old 0\n… 39999 more lines of the diff');
  });
});

describe('cutting at bytes', () => {
  it('keeps the longest start and end that fit, never half a character', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (value, limit) => {
        const head = headBytes(value, limit);
        const tail = tailBytes(value, limit);
        expect(value.startsWith(head) && value.endsWith(tail)).toBe(true);
        for (const kept of [head, tail]) {
          expect(utf8Length(kept)).toBeLessThanOrEqual(limit);
          expect(decodeUtf8(encodeUtf8(kept))).toBe(kept);
          if (kept !== value) expect(utf8Length(kept) + 4).toBeGreaterThan(limit);
        }
      }),
    );
  });
});

describe('lines', () => {
  it('are the same whichever way they end, and the last ending makes no empty line', () => {
    expect([splitLines(''), splitLines('\n'), splitLines('a'), splitLines('a\r\nb\n'), splitLines('a\n\n')]).toEqual([[], [''], ['a'], ['a', 'b'], ['a', '']]);
    expect([lineEndingOf('a'), lineEndingOf('a\n'), lineEndingOf('a\r\n'), lineEndingOf('a\r\nb\n')]).toEqual(['none', 'lf', 'crlf', 'mixed']);
  });

  it('are found by position', () => {
    fc.assert(
      fc.property(text, fc.nat(), (value, at) => {
        const offset = value.length === 0 ? 0 : at % value.length;
        expect(lineAt(value, offset)).toBe(value.slice(0, offset).split('\n').length);
      }),
    );
  });
});

describe('workspace paths', () => {
  it('have one spelling, which names no step up and no root', () => {
    const part = fc.constantFrom('a', 'b', '.', '..', '', 'c.ts');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = parts.join('/');
        if (workspacePathProblem(path) !== undefined) return;
        const normal = normalizeWorkspacePath(path);
        expect(normal.split('/').some((segment) => segment === '.' || segment === '..')).toBe(false);
        expect(normalizeWorkspacePath(normal)).toBe(normal);
      }),
    );
  });

  it('that leave the workspace are refused, even when they come back', () => {
    expect(['..', 'a/../..', '../workspace/a', '/a', 'C:\\a', 'a\0'].map((path) => workspacePathProblem(path) === undefined)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(['a/../b', '', '.', 'a/./b/', '...', '..a'].map(normalizeWorkspacePath)).toEqual(['b', '', '', 'a/b', '...', '..a']);
    expect(workspacePathProblem('/workspace/src/a.ts')).toBe(
      '"/workspace/src/a.ts" is an absolute path. Paths are relative to the workspace root: send "src/a.ts".',
    );
  });
});

describe('identifyBytes', () => {
  it('gives back every UTF-8 text exactly', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
        (value) => {
          const file = identifyBytes(encodeUtf8(`text ${value}`));
          expect(file).toEqual({ kind: 'text', text: `text ${value}`, bom: false, exact: true });
        },
      ),
    );
  });

  it('never throws, whatever the bytes', () => {
    const signature = fc.constantFrom(
      [],
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [0xff, 0xd8, 0xff, 0xe0],
      [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
      [0x42, 0x4d],
      [0xef, 0xbb, 0xbf],
    );
    fc.assert(
      fc.property(signature, fc.uint8Array({ maxLength: 60 }), (start, rest) =>
        ['text', 'image', 'binary'].includes(identifyBytes(new Uint8Array([...start, ...rest])).kind),
      ),
      { numRuns: 2000 },
    );
  });

  it('reads the size of a JPEG behind other segments', () => {
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 48, 0, 64, 3]);
    expect(identifyBytes(bytes)).toEqual({ kind: 'image', format: 'JPEG', width: 64, height: 48 });
  });
});
