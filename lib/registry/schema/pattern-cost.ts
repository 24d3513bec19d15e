/** Steps that a pattern may take on one text. */
const STEPS_MOST = 5_000_000;

/**
 * True for a pattern that is matched within a bounded time, by what can be seen of it.
 *
 * In     a regular expression that a stranger wrote; `units` of the text it is held against.
 * Out    false also for harmless ones that repeat a group which repeats or chooses itself: nothing less than a run tells them from those that never end.
 */
export function isQuickPattern(pattern: string, units: number): boolean {
  let steps = pattern.startsWith('^') ? 1 : units + 1;
  /** For each open group: something in it repeats or chooses. */
  const open: boolean[] = [];
  let varies = false;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    let closed = false;
    if (sign === '\\') {
      at++;
      // A reference back has to be tried at every length.
      if (/[1-9k]/.test(pattern[at] ?? '')) return false;
    } else if (sign === '[') {
      while (++at < pattern.length && pattern[at] !== ']') if (pattern[at] === '\\') at++;
    } else if (sign === '(') {
      open.push(varies);
      varies = false;
      if (pattern[at + 1] === '?') at++;
      continue;
    } else if (sign === '|') {
      varies = true;
      steps *= 2;
      continue;
    } else if (sign === ')') closed = true;
    const inside = closed && varies;
    if (closed) varies = (open.pop() ?? false) || varies;
    const repeat = repeatAt(pattern, at + 1);
    if (repeat === undefined) continue;
    at += repeat.units;
    if (repeat.most <= 1 && repeat.least === repeat.most) continue;
    const choices = Math.min(repeat.most, units) - repeat.least + 1;
    if (inside && repeat.most > 1) return false;
    if (choices > 1) {
      varies = true;
      steps *= choices;
    }
    if (steps > STEPS_MOST) return false;
  }
  return steps <= STEPS_MOST;
}

function repeatAt(pattern: string, at: number): { readonly least: number; readonly most: number; readonly units: number } | undefined {
  const [text, sign, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at, at + 24)) ?? [];
  if (text === undefined) return undefined;
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY, units: text.length };
  const least = Number(from);
  return { least, most: comma === '' ? least : to === '' ? Number.POSITIVE_INFINITY : Number(to), units: text.length };
}
