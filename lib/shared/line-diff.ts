/** A run of changed lines: positions are 0-based, `before` and `after` are the lines without endings. */
export interface DiffRun {
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const EDIT_LIMIT = 400;

/**
 * What changed from `before` to `after`, as runs in order.
 *
 * Out    the fewest changed lines; where more than 400 lines differ the differing middle is one run, so that the cost
 *        stays bounded. Replacing every run's `before` by its `after` always gives `after`.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffRun[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let endBefore = before.length;
  let endAfter = after.length;
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--;
    endAfter--;
  }
  const a = before.slice(start, endBefore);
  const b = after.slice(start, endAfter);
  if (a.length === 0 && b.length === 0) return [];
  const kept = a.length === 0 || b.length === 0 ? [] : commonLines(a, b);
  if (kept === undefined) return [{ beforeStart: start, afterStart: start, before: a, after: b }];
  const runs: DiffRun[] = [];
  let x = 0;
  let y = 0;
  for (const [keptX, keptY] of [...kept, [a.length, b.length] as const]) {
    if (keptX > x || keptY > y) runs.push({ beforeStart: start + x, afterStart: start + y, before: a.slice(x, keptX), after: b.slice(y, keptY) });
    x = keptX + 1;
    y = keptY + 1;
  }
  return runs;
}

/** Lines added and removed. */
export function countDiff(runs: readonly DiffRun[]): { readonly added: number; readonly removed: number } {
  return { added: runs.reduce((sum, run) => sum + run.after.length, 0), removed: runs.reduce((sum, run) => sum + run.before.length, 0) };
}

/** The runs as a reader expects a diff: `-` and `+` lines under the line where each begins; at most `limitLines` lines. */
export function showDiff(runs: readonly DiffRun[], limitLines: number): string {
  const lines: string[] = [];
  for (const run of runs) {
    lines.push(`@@ line ${run.afterStart + 1} @@`, ...run.before.map((line) => `-${line}`), ...run.after.map((line) => `+${line}`));
  }
  if (lines.length <= limitLines) return lines.join('\n');
  return [...lines.slice(0, limitLines), `… ${lines.length - limitLines} more lines of the diff`].join('\n');
}

/** Pairs of positions kept on both sides (greedy shortest edit script, Myers 1986); undefined when it costs too much. */
function commonLines(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] | undefined {
  const limit = Math.min(a.length + b.length, EDIT_LIMIT);
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    trail.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trail, a.length, b.length);
    }
  }
  return undefined;
}

function walkBack(trail: readonly Map<number, number>[], endX: number, endY: number): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let x = endX;
  let y = endY;
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const furthest = trail[edits] as Map<number, number>;
    const k = x - y;
    const down = k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (furthest.get(fromK) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  return pairs.reverse();
}
