import type { NameResolution } from '@/lib/contracts/dispatcher';
import { editDistance } from '@/lib/shared/edit-distance';

type Rung = Extract<NameResolution, { resolved: string }>['rung'];

const SHORTEST_PREFIX = 3;
const FARTHEST_TYPO = 3;
const MOST_SUGGESTIONS = 3;
/** Not `trim`, which takes U+FEFF for white space: what cannot be seen is no part of a name, and none is made of it. */
const WHITE_SPACE_AT_ENDS = /^\p{White_Space}+|\p{White_Space}+$/gu;

/**
 * Finds the registered tool that a requested name means, or what it may have meant.
 *
 * In     `mutating`: registered names that are not both read-only and auto.
 * Out    the name and the rung that found it. More than one candidate on a rung, or a guess by prefix that could change
 *        something: nothing, with up to three suggestions, the nearest first.
 * Source governance 5, name repair.
 */
export function resolveName(requested: string, registered: readonly string[], mutating: ReadonlySet<string>): NameResolution {
  const name = requested.replace(WHITE_SPACE_AT_ENDS, '');
  if (name === '') return { resolved: null, rung: null, suggestions: [] };
  const names = [...new Set(registered)];
  const wanted = snake(name);
  const once = withoutSuffix(wanted);
  const twice = once === undefined ? undefined : withoutSuffix(once);
  const rungs: readonly (readonly [Rung, (candidate: string) => boolean])[] = [
    ['exact', (candidate) => candidate === name],
    ['case', (candidate) => lower(candidate) === lower(name)],
    ['hyphen', (candidate) => fold(candidate) === fold(name)],
    ['camel', (candidate) => snake(candidate) === wanted],
    ['suffix', (candidate) => snake(candidate) === once],
    ['suffix', (candidate) => snake(candidate) === twice],
    ['prefix', (candidate) => isPrefix(wanted, snake(candidate))],
  ];
  for (const [rung, fits] of rungs) {
    const [found, ...others] = names.filter(fits);
    if (found === undefined) continue;
    if (others.length > 0 || (rung === 'prefix' && mutating.has(found))) break;
    return { resolved: found, rung };
  }
  return { resolved: null, rung: null, suggestions: suggest(name, names) };
}

/** ASCII only: a look-alike letter whose lower case is a plain one must not match. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function fold(text: string): string {
  return lower(text).replace(/[- ]/g, '_');
}

function snake(text: string): string {
  return fold(text.replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_').replace(/([a-z0-9])(?=[A-Z])/g, '$1_')).replace(/_+/g, '_');
}

function withoutSuffix(text: string): string | undefined {
  return text.endsWith('_tool') ? text.slice(0, -'_tool'.length) : undefined;
}

function isPrefix(a: string, b: string): boolean {
  return a.length >= SHORTEST_PREFIX && b.length >= SHORTEST_PREFIX && (a.startsWith(b) || b.startsWith(a));
}

function suggest(requested: string, names: readonly string[]): readonly string[] {
  const wanted = lower(requested);
  const found: { readonly name: string; readonly rank: number; readonly distance: number }[] = [];
  for (const name of names) {
    const candidate = lower(name);
    const prefix = candidate.startsWith(wanted) || wanted.startsWith(candidate);
    if (prefix || candidate.includes(wanted) || wanted.includes(candidate)) {
      // One holds the other, so what is left over is the distance.
      found.push({ name, rank: prefix ? 0 : 1, distance: Math.abs([...candidate].length - [...wanted].length) });
      continue;
    }
    const distance = editDistance(wanted, candidate, FARTHEST_TYPO);
    if (distance <= FARTHEST_TYPO) found.push({ name, rank: 2, distance });
  }
  found.sort((a, b) => a.rank - b.rank || a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, MOST_SUGGESTIONS).map((one) => one.name);
}
