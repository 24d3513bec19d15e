import type { GlobSegment, GlobToken } from './glob';

/** No name has more characters, no path of a workspace more parts: what is longer is not looked through. */
const LONGEST = 500;

/**
 * True where some path could fit both patterns: one that a rule names, one that a command writes.
 *
 * In     segments of both. In `word` a wildcard in front does not stand for a leading dot, as in a shell.
 * Out    a bracket counts as any one character, so that the answer errs towards yes.
 */
export function globsMeet(rule: readonly GlobSegment[], word: readonly GlobSegment[]): boolean {
  if (word.length > LONGEST) return true;
  const seen = new Set<number>();
  const visit = (i: number, j: number): boolean => {
    const key = i * (word.length + 1) + j;
    if (seen.has(key)) return false;
    seen.add(key);
    const a = rule[i];
    const b = word[j];
    if (a === undefined && b === undefined) return true;
    // A trailing ** needs at least one part.
    if (a === '**' && i === rule.length - 1) return b !== undefined;
    if (a === '**' && (visit(i + 1, j) || (b !== undefined && visit(i, j + 1)))) return true;
    if (b === '**' && (visit(i, j + 1) || (a !== undefined && visit(i + 1, j)))) return true;
    if (a === undefined || b === undefined || a === '**' || b === '**') return false;
    return namesMeet(a, b) && visit(i + 1, j + 1);
  };
  return visit(0, 0);
}

/** True where the pattern could fit something below the folder whose path has these parts. */
export function mayFitBelow(rule: readonly GlobSegment[], fits: (segment: readonly GlobToken[], name: string) => boolean, folder: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (const name of folder) {
    const next = new Set<number>();
    for (const at of reachable) {
      for (let i = at; i < rule.length; i++) {
        const segment = rule[i] as GlobSegment;
        if (segment === '**') next.add(i);
        else {
          if (fits(segment, name)) next.add(i + 1);
          break;
        }
      }
    }
    reachable = next;
  }
  return [...reachable].some((at) => at < rule.length);
}

function namesMeet(rule: readonly GlobToken[], word: readonly GlobToken[]): boolean {
  const first = rule[0];
  if (first?.kind === 'literal' && first.value === '.' && word[0] !== undefined && word[0].kind !== 'literal') return false;
  if (word.length > LONGEST) return true;
  const seen = new Set<number>();
  const visit = (i: number, j: number): boolean => {
    const key = i * (word.length + 1) + j;
    if (seen.has(key)) return false;
    seen.add(key);
    const a = rule[i];
    const b = word[j];
    if (a === undefined && b === undefined) return true;
    if (a?.kind === 'star' && (visit(i + 1, j) || (b !== undefined && visit(i, j + 1)))) return true;
    if (b?.kind === 'star' && (visit(i, j + 1) || (a !== undefined && visit(i + 1, j)))) return true;
    if (a === undefined || b === undefined || a.kind === 'star' || b.kind === 'star') return false;
    if (a.kind === 'literal' && b.kind === 'literal' && a.value !== b.value) return false;
    return visit(i + 1, j + 1);
  };
  return visit(0, 0);
}
