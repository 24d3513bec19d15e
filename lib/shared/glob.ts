const BRACE_LIMIT = 64;

export type GlobToken =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };
export type GlobSegment = '**' | readonly GlobToken[];

/**
 * A predicate for paths written with `*`, `**`, `?`, `[a-z]` and `{a,b}`.
 *
 * In     a pattern without a slash fits the last part of a path at any depth; with one it fits the whole path from the
 *        root; `dir/` is everything below `dir`. A leading `/` or `./` is dropped. `*` also fits names that begin with a dot.
 * Fails  never: a bracket or brace that does not close is an ordinary character.
 * Order  work grows with pattern × path, so no pattern can hang its caller (the reason for not compiling to RegExp).
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const alternatives = compileGlob(pattern);
  return (path) => {
    const segments = path.split('/');
    return alternatives.some((alternative) => fitsSegments(alternative, segments));
  };
}

/** The alternatives of a pattern, each as its segments; read as `createGlob` reads it. */
export function compileGlob(pattern: string): readonly (readonly GlobSegment[])[] {
  return expandBraces(pattern.replace(/^(\.?\/)+/, '')).map(compile);
}

function compile(pattern: string): readonly GlobSegment[] {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const parts = whole.split('/').filter((part) => part !== '');
  const segments = parts.map((part): GlobSegment => (part === '**' ? '**' : tokenize(part)));
  return whole.includes('/') ? segments : ['**', ...segments];
}

function fitsSegments(pattern: readonly GlobSegment[], path: readonly string[]): boolean {
  // reachable[j]: the pattern so far can have used up the first j parts of the path.
  let reachable: boolean[] = [true, ...path.map(() => false)];
  for (const [index, segment] of pattern.entries()) {
    const next = reachable.map(() => false);
    if (segment === '**') {
      // A trailing ** needs at least one part: `src/**` is what is below src, not src.
      const last = index === pattern.length - 1;
      let open = false;
      for (let j = 0; j < reachable.length; j++) {
        if (last ? open : open || reachable[j] === true) next[j] = true;
        if (reachable[j] === true) open = true;
      }
    } else {
      for (let j = 0; j < path.length; j++) {
        if (reachable[j] === true && fitsName(segment, path[j] as string)) next[j + 1] = true;
      }
    }
    reachable = next;
  }
  return reachable[path.length] === true;
}

function fitsName(tokens: readonly GlobToken[], name: string): boolean {
  const characters = [...name];
  let t = 0;
  let c = 0;
  let starToken = -1;
  let starCharacter = 0;
  while (c < characters.length) {
    const token = tokens[t];
    if (token?.kind === 'star') {
      starToken = t++;
      starCharacter = c;
    } else if (token !== undefined && fitsCharacter(token, characters[c] as string)) {
      t++;
      c++;
    } else if (starToken !== -1) {
      t = starToken + 1;
      c = ++starCharacter;
    } else return false;
  }
  while (tokens[t]?.kind === 'star') t++;
  return t === tokens.length;
}

function fitsCharacter(token: GlobToken, character: string): boolean {
  if (token.kind === 'any') return true;
  if (token.kind === 'literal') return token.value === character;
  if (token.kind === 'set') return token.ranges.some(([from, to]) => character >= from && character <= to) !== token.negated;
  return false;
}

function tokenize(part: string): readonly GlobToken[] {
  const characters = [...part];
  const tokens: GlobToken[] = [];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    if (character === '*') {
      if (tokens[tokens.length - 1]?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '\\' && i + 1 < characters.length) tokens.push({ kind: 'literal', value: characters[++i] as string });
    else if (character === '[') {
      const set = readSet(characters, i);
      if (set === undefined) tokens.push({ kind: 'literal', value: '[' });
      else {
        tokens.push(set.token);
        i = set.end;
      }
    } else tokens.push({ kind: 'literal', value: character });
  }
  return tokens;
}

function readSet(characters: readonly string[], start: number): { readonly token: GlobToken; readonly end: number } | undefined {
  let i = start + 1;
  const negated = characters[i] === '!' || characters[i] === '^';
  if (negated) i++;
  const ranges: [string, string][] = [];
  for (let first = true; i < characters.length; first = false, i++) {
    const from = characters[i] as string;
    if (from === ']' && !first) return { token: { kind: 'set', negated, ranges }, end: i };
    const to = characters[i + 2];
    if (characters[i + 1] === '-' && to !== undefined && to !== ']') {
      ranges.push([from, to]);
      i += 2;
    } else ranges.push([from, from]);
  }
  return undefined;
}

/** What the braces of a pattern stand for; as it is beyond so many alternatives. */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop() as string;
    const group = findGroup(next);
    if (group === undefined || done.length + open.length + group.options.length > BRACE_LIMIT) done.push(next);
    else for (const option of [...group.options].reverse()) open.push(next.slice(0, group.start) + option + next.slice(group.end));
  }
  return done;
}

/** The first `{…}` that closes and holds a comma at its own level. */
function findGroup(pattern: string): { readonly start: number; readonly end: number; readonly options: readonly string[] } | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    if (pattern[start - 1] === '\\') continue;
    const options: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let i = start; i < pattern.length; i++) {
      const character = pattern[i];
      if (character === '\\') i++;
      else if (character === '{') depth++;
      else if (character === ',' && depth === 1) {
        options.push(pattern.slice(from, i));
        from = i + 1;
      } else if (character === '}' && --depth === 0) {
        if (options.length === 0) break;
        return { start, end: i + 1, options: [...options, pattern.slice(from, i)] };
      }
    }
  }
  return undefined;
}
