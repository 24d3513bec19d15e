import { compileGlob, createGlob, expandBraces, type GlobSegment, type GlobToken } from '@/lib/shared/glob';
import { globsMeet, mayFitBelow } from '@/lib/shared/glob-meets';
import { WORKSPACE_ROOT } from '@/lib/shared/workspace-path';
import { anyText, hereText, homeText, type ShellWord, unknownText } from '@/lib/shell/part';
import { globSequences } from '@/lib/shell/sequence';
import { escapePattern } from '@/lib/shell/word';

/** The path of a rule, read. */
export interface PolicyPath {
  /** It can be a path of the workspace; no tool reaches another. */
  readonly isInside: boolean;
  /** The pattern fits this workspace-relative path; what an allow rule asks. */
  fits(path: string): boolean;
  /** It fits the path or a folder above it; what a deny or ask rule asks. */
  covers(path: string): boolean;
  /** It may fit something below this folder. */
  reachesBelow(folder: string): boolean;
  /** Whether a word of a command names what the pattern covers: `maybe` where only the shell knows. `isPath`: the word can be nothing but a path. */
  named(word: ShellWord, place: ShellPlace, isPath: boolean): 'yes' | 'maybe' | 'no';
}

/** Where a command runs: its folder relative to the workspace, and whether it goes elsewhere. */
export interface ShellPlace {
  readonly cwd: string;
  readonly changesFolder: boolean;
}

// Stands before every path, so that a pattern of one part is held to its place.
const TOP = '@';
const root = WORKSPACE_ROOT.slice(1);
const known = new Map<string, PolicyPath>();
const KNOWN_LIMIT = 500;

/**
 * Reads the path of a rule.
 *
 * In     a glob. `~`, `$HOME` and the root as programs see it are the home directory, which is the workspace; a leading slash is the machine's
 *        root; a pattern of one part fits a name at any depth; anything else is relative to the workspace.
 */
export function readPolicyPath(text: string): PolicyPath {
  const read = known.get(text) ?? compile(text);
  if (known.size > KNOWN_LIMIT) known.clear();
  known.set(text, read);
  return read;
}

function compile(text: string): PolicyPath {
  const whole = spell(text);
  const bare = whole.replace(/\/\*\*$/, '');
  const fits = createGlob(whole);
  const covering = [createGlob(bare), createGlob(`${bare}/**`)];
  const strong = [...compileGlob(whole), ...compileGlob(`${whole}/**`)];
  const folder = bare === whole ? [] : compileGlob(bare);
  const isNamed = (segments: readonly GlobSegment[]) => strong.some((pattern) => globsMeet(pattern, segments));
  const isFolder = (segments: readonly GlobSegment[]) => folder.some((pattern) => globsMeet(pattern, segments));
  return {
    isInside: reachesRoot(whole.split('/')),
    fits: (path) => fits(fullPath(path)),
    covers: (path) => covering.some((one) => one(fullPath(path))),
    reachesBelow: (path) => strong.some((pattern) => mayFitBelow(pattern, fitsName, fullPath(path).split('/'))),
    named(word, place, isPath) {
      let answer: 'yes' | 'maybe' | 'no' = 'no';
      for (const { segments, sure, isWritten } of readings(word, place)) {
        if (isNamed(segments)) {
          if (sure) return 'yes';
          answer = 'maybe';
        } else if (isFolder(segments)) {
          // The bare name of a folder, or a star, may mean anything else.
          if (sure && (isPath || isWritten)) return 'yes';
          answer = 'maybe';
        }
      }
      return answer;
    },
  };
}

function spell(text: string): string {
  const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(text)?.[0];
  const written = home === undefined ? text : `${WORKSPACE_ROOT}${text.slice(home.length)}`;
  if (!written.replace(/\/+$/, '').includes('/')) return `${TOP}/**/${written.endsWith('/') ? `${written}**` : written}`;
  const segments = resolve(written.startsWith('/') ? [] : [root], written.split('/'));
  return [TOP, ...segments, ...(written.endsWith('/') ? ['**'] : [])].join('/');
}

function reachesRoot([, first = '', second]: readonly string[]): boolean {
  if (first === '**') return second !== '.' && second !== '..';
  return createGlob(`./${first}`)(root);
}

function fullPath(path: string): string {
  return [TOP, ...resolve(path.startsWith('/') ? [] : [root], path.split('/'))].join('/');
}

function resolve(from: readonly string[], segments: readonly string[]): readonly string[] {
  const kept = [...from];
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept[kept.length - 1] !== '**') kept.pop();
  }
  return kept;
}

interface Reading {
  readonly segments: readonly GlobSegment[];
  /** Nothing in it is known only when it runs. */
  readonly sure: boolean;
  /** It is written as a path, without a wildcard. */
  readonly isWritten: boolean;
}

const read = new WeakMap<ShellWord, { readonly place: string; readonly readings: readonly Reading[] }>();

/** The paths that a word may stand for: the word itself, and what follows an option letter or one of `= : @ ,` in it. */
function readings(word: ShellWord, place: ShellPlace): readonly Reading[] {
  const at = `${place.cwd}\0${place.changesFolder}`;
  const before = read.get(word);
  if (before?.place === at) return before.readings;
  const written = word.resolved ?? word.pattern;
  const pattern = written === undefined ? escapePattern(word.value) : globSequences(written);
  const candidates = new Set([pattern]);
  for (const mark of pattern.matchAll(/[=:@]|\\,/g)) candidates.add(pattern.slice(mark.index + mark[0].length));
  if (/^-[^-]./.test(pattern)) candidates.add(pattern.slice(2));
  const readings = [...candidates].flatMap((candidate) => expandBraces(candidate).map((one) => readOne(one, place)));
  read.set(word, { place: at, readings });
  return readings;
}

function readOne(pattern: string, { cwd, changesFolder }: ShellPlace): Reading {
  const here = resolve([root], cwd.split('/'));
  let from: readonly string[] = changesFolder ? ['**'] : here;
  let rest = pattern;
  let sure = !changesFolder;
  if (pattern.startsWith(homeText) || /^~(?=\/|$)/.test(pattern)) {
    from = [root];
    rest = pattern.slice(1);
    sure = true;
  } else if (pattern.startsWith(hereText)) rest = pattern.slice(1);
  else if (pattern.startsWith('/')) {
    from = [];
    sure = true;
  }
  const segments = resolve(
    from,
    rest.split('/').map((segment) => {
      if (![unknownText, homeText, hereText].some((text) => segment.includes(text))) return segment.replaceAll(anyText, '*');
      sure = false;
      return '**';
    }),
  );
  const compiled = compileGlob([TOP, ...segments].join('/'))[0] ?? [];
  // An unclosed or over-long brace is read as text by one and expanded by another.
  if (/(?<!\\)\{[^}]*(?<!\\),/.test(rest)) sure = false;
  const isWritten = pattern.includes('/') && compiled.every((segment) => segment === '**' || segment.every((token) => token.kind === 'literal'));
  return { segments: sure || compiled.includes('**') ? compiled : ['**'], sure, isWritten: isWritten || pattern.startsWith(homeText) };
}

function fitsName(tokens: readonly GlobToken[], name: string): boolean {
  return globsMeet([tokens], [[...name].map((value) => ({ kind: 'literal', value }))]);
}
