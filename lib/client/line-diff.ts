export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** 1-based; absent where the side has no such line. */
  readonly beforeLine?: number;
  readonly afterLine?: number;
}

/** A run of lines to show; `skipped` unchanged lines stand before it. */
export interface DiffHunk {
  readonly skipped: number;
  readonly lines: readonly DiffLine[];
}

const contextLines = 3;
const maxCells = 4_000_000;

/**
 * The difference of two texts, line by line, in hunks with three lines around each change.
 *
 * Out    no hunk when they are equal. Where the changed middle is too large to compare (over 4 million cells) it is one removal and one addition.
 */
export function diffHunks(before: string, after: string): readonly DiffHunk[] {
  return group(diffLines(splitLines(before), splitLines(after)));
}

/** Lines that went and came: `{added: 3, removed: 1}`. */
export function diffCounts(before: string, after: string): { readonly added: number; readonly removed: number } {
  const lines = diffLines(splitLines(before), splitLines(after));
  return { added: lines.filter((line) => line.kind === 'added').length, removed: lines.filter((line) => line.kind === 'removed').length };
}

function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const out: DiffLine[] = [];
  for (let i = 0; i < head; i++) out.push({ kind: 'same', text: before[i] ?? '', beforeLine: i + 1, afterLine: i + 1 });
  compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head, out);
  for (let i = tail; i > 0; i--) {
    const b = before.length - i;
    out.push({ kind: 'same', text: before[b] ?? '', beforeLine: b + 1, afterLine: after.length - i + 1 });
  }
  return out;
}

// The longest common subsequence by the plain table: inputs are capped at 256 KiB and the equal ends are gone already.
function compareMiddle(before: readonly string[], after: readonly string[], offset: number, out: DiffLine[]): void {
  const width = after.length + 1;
  const fits = before.length * after.length <= maxCells;
  const table = fits ? new Uint32Array((before.length + 1) * width) : new Uint32Array(0);
  const cell = (b: number, a: number): number => table[b * width + a] ?? 0;
  if (fits) {
    for (let b = before.length - 1; b >= 0; b--) {
      for (let a = after.length - 1; a >= 0; a--)
        table[b * width + a] = before[b] === after[a] ? cell(b + 1, a + 1) + 1 : Math.max(cell(b + 1, a), cell(b, a + 1));
    }
  }
  let b = 0;
  let a = 0;
  while (b < before.length || a < after.length) {
    if (fits && b < before.length && a < after.length && before[b] === after[a]) {
      out.push({ kind: 'same', text: before[b] ?? '', beforeLine: offset + b + 1, afterLine: offset + a + 1 });
      b++;
      a++;
    } else if (b < before.length && (a >= after.length || !fits || cell(b + 1, a) >= cell(b, a + 1))) {
      out.push({ kind: 'removed', text: before[b] ?? '', beforeLine: offset + b + 1 });
      b++;
    } else {
      out.push({ kind: 'added', text: after[a] ?? '', afterLine: offset + a + 1 });
      a++;
    }
  }
}

function group(lines: readonly DiffLine[]): readonly DiffHunk[] {
  const shown = new Uint8Array(lines.length);
  lines.forEach((line, at) => {
    if (line.kind !== 'same') shown.fill(1, Math.max(0, at - contextLines), Math.min(lines.length, at + contextLines + 1));
  });
  const hunks: DiffHunk[] = [];
  let at = 0;
  while (at < lines.length) {
    const from = shown.indexOf(1, at);
    if (from < 0) break;
    const end = shown.indexOf(0, from);
    const to = end < 0 ? lines.length : end;
    hunks.push({ skipped: from - at, lines: lines.slice(from, to) });
    at = to;
  }
  return hunks;
}
