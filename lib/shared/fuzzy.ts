import { baseName } from './workspace-path';

/**
 * How well `query` names `path`; undefined when it does not.
 *
 * In     words of the query, split at white space, must all fit; case does not count.
 * Out    higher is better: whole name, start of the name, part of the name, part of the path, letters in order.
 */
export function fuzzyScore(query: string, path: string): number | undefined {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  let total = 0;
  for (const word of words) {
    const score = wordScore(word, path.toLowerCase());
    if (score === undefined) return undefined;
    total += score;
  }
  // Of equal fits the shorter path is the likelier one.
  return total / words.length - path.length / 1000;
}

/** The best `limit` of `paths` for `query`, best first; equal ones in path order. */
export function rankPaths(query: string, paths: readonly string[], limit: number): readonly string[] {
  return best(paths, (path) => fuzzyScore(query, path), limit);
}

/** Up to `limit` of `paths` whose name or path is spelt like `wanted`, likeliest first; empty when none is. */
export function similarPaths(wanted: string, paths: readonly string[], limit: number): readonly string[] {
  const name = baseName(wanted).toLowerCase();
  const whole = wanted.toLowerCase();
  return best(
    paths,
    (path) => {
      const other = baseName(path).toLowerCase();
      if (other === name) return 2 + similarity(whole, path.toLowerCase());
      const score = similarity(name, other) + similarity(whole, path.toLowerCase()) / 4;
      return score >= 0.6 ? score : undefined;
    },
    limit,
  );
}

/** Share of letter pairs that two texts have in common, 0 to 1 (Dice's coefficient); order and position count little. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let i = 0; i < a.length - 1; i++) {
    const pair = a.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let i = 0; i < b.length - 1; i++) {
    const pair = b.slice(i, i + 2);
    const left = pairs.get(pair) ?? 0;
    if (left > 0) {
      pairs.set(pair, left - 1);
      shared++;
    }
  }
  return (2 * shared) / (a.length + b.length - 2);
}

function wordScore(word: string, path: string): number | undefined {
  const name = baseName(path);
  if (name === word) return 100;
  if (name.replace(/\.[^.]+$/, '') === word) return 95;
  if (name.startsWith(word)) return 85;
  const inName = name.indexOf(word);
  if (inName !== -1) return isBoundary(name, inName) ? 75 : 65;
  if (path.includes(word)) return 55;
  const letters = lettersInOrder(word, name);
  if (letters !== undefined) return 20 + letters;
  const acrossPath = lettersInOrder(word, path);
  if (acrossPath !== undefined) return acrossPath;
  return Math.max(similarity(word, name), similarity(word, name.replace(/\.[^.]+$/, ''))) >= 0.6 ? 5 : undefined;
}

function isBoundary(text: string, at: number): boolean {
  return at === 0 || /[^a-z0-9]/.test(text[at - 1] as string);
}

/** 0 to 20: letters that begin a word or follow the one before count more. */
function lettersInOrder(word: string, text: string): number | undefined {
  let at = -1;
  let points = 0;
  for (const letter of word) {
    const found = text.indexOf(letter, at + 1);
    if (found === -1) return undefined;
    if (found === at + 1 || isBoundary(text, found)) points++;
    at = found;
  }
  return (20 * points) / [...word].length;
}

function best(paths: readonly string[], score: (path: string) => number | undefined, limit: number): readonly string[] {
  const scored: { readonly path: string; readonly score: number }[] = [];
  for (const path of paths) {
    const value = score(path);
    if (value !== undefined) scored.push({ path, score: value });
  }
  scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.path);
}
