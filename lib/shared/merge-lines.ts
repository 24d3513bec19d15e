import { diffLines } from './line-diff';

/**
 * Brings two changes of one text together.
 *
 * In     `base`: what both began with.
 * Out    the text with both changes; undefined where they touch the same or neighbouring lines.
 */
export function mergeLines(base: string, one: string, other: string): string | undefined {
  const lines = linesOf(base);
  const runs = [...diffLines(lines, linesOf(one)), ...diffLines(lines, linesOf(other))].sort((a, b) => a.beforeStart - b.beforeStart);
  const merged: string[] = [];
  let at = 0;
  let free = true;
  for (const run of runs) {
    // A line between two changes keeps them apart; without one nobody can say in which order they belong.
    if (!free && run.beforeStart <= at) return undefined;
    merged.push(...lines.slice(at, run.beforeStart), ...run.after);
    at = run.beforeStart + run.before.length;
    free = false;
  }
  return [...merged, ...lines.slice(at)].join('');
}

/** Lines with their endings, so that every byte comes back. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
