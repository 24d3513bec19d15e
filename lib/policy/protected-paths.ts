import { createGlob } from '@/lib/shared/glob';
import { resolveSegments } from '@/lib/shared/workspace-path';
import { programOf } from '@/lib/shell/lookup';
import { type MadeFiles, madeFiles } from '@/lib/shell/made-files';
import { optionValues } from '@/lib/shell/option-values';
import { anyText, type ShellPart, type ShellReading, type ShellWord, unknownText } from '@/lib/shell/part';
import { folderChangers } from '@/lib/shell/programs';
import { protectedPaths } from '@/lib/shell/tables';
import { unescapePattern } from '@/lib/shell/word';
import { wordPatterns } from '@/lib/shell/word-patterns';
import { writtenWords } from '@/lib/shell/written-words';

const folders = protectedPaths.filter((entry) => entry.endsWith('/')).map((entry) => entry.slice(0, -1));
const rootFiles = protectedPaths.filter((entry) => !entry.endsWith('/'));

// Few paths hold one of these names, and the others need no reading.
const protectedName = new RegExp(protectedPaths.map((entry) => entry.replace(/\/$/, '').replace(/\W/g, '\\$&')).join('|'), 'i');

/**
 * True for a path whose writing is always asked for: the policy file, and anything under a `.git` folder.
 *
 * In     a path from the workspace's root, in any spelling. Capitals count as small letters and a backslash as a slash: a workspace is carried to
 *        file systems that take them so. Of the policy file the name suffices where the path leaves the workspace.
 * Source governance 9, "the law protects itself".
 */
export function isProtectedPath(path: string): boolean {
  if (!protectedName.test(path)) return false;
  const spelled = path.toLowerCase().replaceAll('\\', '/');
  const { segments, climbs } = resolveSegments(spelled);
  if (segments.some((segment) => folders.includes(segment))) return true;
  return rootFiles.includes(segments[segments.length - 1] ?? '') && (segments.length === 1 || climbs || spelled.startsWith('/'));
}

/**
 * The first protected path that a part of a command writes to, as written.
 *
 * In     `cwd`: folder that the command runs in, relative to the workspace.
 * Source cases, kind shell-policy: targets of redirections that write, and the words of programs that change the files they name; beyond them
 *        what governance 9 asks of any command: values of options, and files that are made under a name that no word is.
 */
export function protectedWrite(part: ShellPart, reading: ShellReading, cwd: string): string | undefined {
  for (const { kind, target } of part.redirects) if (kind === 'write' && target !== undefined && namesProtected(target, reading, cwd)) return target.text;
  if (part.words.length < 2) return undefined;
  const written = writtenWords(part.words).find((word) => namesProtected(word, reading, cwd));
  if (written !== undefined) return written.text;
  const named = optionValues(part.words).find((word) => namesProtected(word, reading, cwd, 'perhaps'));
  if (named !== undefined) return named.text;
  const made = madeProtected(madeFiles(part.words), reading, cwd);
  return made === undefined ? undefined : unescapePattern(made.replaceAll(unknownText, '…'));
}

function madeProtected({ folders, names }: MadeFiles, reading: ShellReading, cwd: string): string | undefined {
  const counts = (path: string) => patternIsProtected(path, reading, cwd, 'made');
  if (folders === undefined) return names.find(counts);
  // One name of a kind stands for all of them.
  const telling = [names.find(spellsLaw), names.find(isOfGit)].filter((name) => name !== undefined);
  return telling.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(counts);
}

/** What would fit any file of its kind (`*`, `*.json`) says nothing of the law. */
function spellsLaw(name: string): boolean {
  return rootFiles.some((one) => fits(name, one)) && !fits(name, 'package.json');
}

/** How a name is known: as what is written, as what is made without being a word, or as what may be either read or written. */
type Naming = 'written' | 'made' | 'perhaps';

type Place = 'protected' | 'unknown' | 'elsewhere';

// A command of many words asks for its place at each of them.
const places = new WeakMap<ShellReading, { readonly cwd: string; readonly place: Place }>();

function placeOf(reading: ShellReading, cwd: string): Place {
  if (!reading.changesFolder) return 'elsewhere';
  const known = places.get(reading);
  if (known?.cwd === cwd) return known.place;
  const place = findPlace(reading, cwd);
  places.set(reading, { cwd, place });
  return place;
}

/** Where a command goes: into a protected folder, or to a place that only the shell knows. */
function findPlace(reading: ShellReading, cwd: string): Place {
  let place: Place = 'elsewhere';
  for (const { words } of reading.parts) {
    if (!folderChangers.has(programOf(words))) continue;
    for (const word of words.slice(1)) {
      const patterns = word.value === '-' ? undefined : wordPatterns(word);
      if (word.value.startsWith('-') && patterns !== undefined) continue;
      if (patterns?.some((pattern) => isInside(resolve(pattern, cwd).kept)) === true) return 'protected';
      if (patterns === undefined || word.expands) place = 'unknown';
    }
  }
  return place;
}

function namesProtected(word: ShellWord, reading: ShellReading, cwd: string, naming: Naming = 'written'): boolean {
  const patterns = wordPatterns(word);
  // What cannot be seen through is taken for a path that is protected.
  if (patterns === undefined) return true;
  const counts = (pattern: string) => patternIsProtected(pattern, reading, cwd, naming);
  return patterns.some((pattern) => {
    const at = pattern.indexOf('=');
    return counts(pattern) || (at !== -1 && counts(pattern.slice(at + 1)));
  });
}

function resolve(pattern: string, cwd: string): { readonly kept: readonly string[]; readonly isAbsolute: boolean; readonly climbs: boolean } {
  const isAbsolute = pattern.startsWith('/') || pattern.startsWith(unknownText);
  const kept: string[] = [];
  let climbs = false;
  for (const segment of [...(isAbsolute ? [] : cwd.split('/')), ...pattern.split('/')]) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) climbs = true;
  }
  return { kept, isAbsolute, climbs };
}

function isInside(segments: readonly string[]): boolean {
  return segments.some((segment) => folders.some((name) => fits(segment, name)));
}

function patternIsProtected(pattern: string, reading: ShellReading, cwd: string, naming: Naming): boolean {
  const { kept, isAbsolute, climbs } = resolve(pattern, cwd);
  if (isInside(kept)) return true;
  const place = isAbsolute ? 'elsewhere' : placeOf(reading, cwd);
  if (place === 'protected' || (place === 'unknown' && naming !== 'perhaps' && (kept[0] === undefined || isOfGit(kept[0])))) return true;
  const last = kept[kept.length - 1];
  if (last === undefined || !(naming === 'written' ? rootFiles.some((name) => fits(last, name)) : spellsLaw(last))) return false;
  // Where the path leads is not known here, so the name alone counts.
  return kept.length === 1 || isAbsolute || climbs || reading.changesFolder || pattern.includes(unknownText) || pattern.includes(anyText);
}

// What git reads in its folder, by name; a file of another name does nothing there.
const ofGit = [
  ...['HEAD', 'config', 'config.worktree', 'index', 'packed-refs', 'shallow', 'hooks', 'info', 'objects', 'refs', 'worktrees', 'commondir', 'gitdir'],
  ...['exclude', 'attributes', 'grafts', 'alternates', 'heads', 'tags', 'rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'MERGE_MSG'],
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  ...['pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update', 'post-rewrite'],
  ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
].map((name) => name.toLowerCase());

function isOfGit(segment: string): boolean {
  return ofGit.some((name) => fits(segment, name));
}

const globMark = new RegExp(`[*?[\\\\${anyText}]`);

/** A glob of the shell: a leading dot has to be written; capitals count as small letters, as in `isProtectedPath`. */
function fits(segment: string, name: string): boolean {
  if (!globMark.test(segment)) return segment.toLowerCase() === name;
  if (name.startsWith('.') && !segment.startsWith('.') && !segment.startsWith(anyText)) return false;
  const glob = segment.replaceAll(anyText, '*').replace(/\*+/g, '*');
  return createGlob(glob)(name) || createGlob(glob.toLowerCase())(name);
}
