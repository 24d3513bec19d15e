import { CodedError } from './coded-error';
import { spellPath } from './workspace-path';

/** One line of a hunk, without its mark and line ending. */
export interface PatchLine {
  readonly kind: 'keep' | 'remove' | 'add';
  readonly text: string;
  /** The patch says that no newline follows. */
  readonly endless?: boolean;
}

export interface PatchHunk {
  /** Its header as written. */
  readonly header: string;
  /** 1-based line where the old side begins; undefined when the header gives none. */
  readonly oldStart?: number;
  readonly lines: readonly PatchLine[];
}

/** What a patch does to one file. Paths are as written, without `a/` and `b/`. */
export type PatchFile =
  | { readonly kind: 'update'; readonly path: string; readonly hunks: readonly PatchHunk[] }
  | { readonly kind: 'add'; readonly path: string; readonly hunks: readonly PatchHunk[] }
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly PatchHunk[] }
  | { readonly kind: 'rename'; readonly from: string; readonly path: string; readonly hunks: readonly PatchHunk[] };

interface Section {
  oldPath: string | undefined;
  newPath: string | undefined;
  renameFrom: string | undefined;
  renameTo: string | undefined;
  added: boolean;
  deleted: boolean;
  hunks: PatchHunk[];
}

const hunkHeader = /^@@(?:@*)(?: -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@)?/;

/**
 * Reads a unified diff over any number of files.
 *
 * Out    the files in order. The counts of a hunk's header are a hint: models miscount, and what stands in the hunk is what is meant.
 * Fails  CodedError `invalid-input` that says which line is not understood and how a patch looks.
 */
export function parsePatch(patch: string): readonly PatchFile[] {
  const lines = patch.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n');
  if (lines.some((line) => line.startsWith('*** Begin Patch')))
    throw new CodedError('invalid-input', `The patch is in the "*** Begin Patch" form. Send a unified diff. ${howItLooks}`);
  const sections: Section[] = [];
  let section: Section | undefined;
  const begin = (): Section => {
    section = { oldPath: undefined, newPath: undefined, renameFrom: undefined, renameTo: undefined, added: false, deleted: false, hunks: [] };
    sections.push(section);
    return section;
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    if (line.startsWith('diff --git ')) {
      const named = namesOfGitLine(line);
      Object.assign(begin(), named === undefined ? {} : { oldPath: named[0], newPath: named[1] });
    } else if (isFileHeader(lines, at)) {
      const target = section !== undefined && section.hunks.length === 0 && line !== '' ? section : begin();
      const [oldPath, newPath] = [headerPath(line, 'a/'), headerPath(lines[at + 1] as string, 'b/')];
      target.added ||= oldPath === undefined;
      target.deleted ||= newPath === undefined;
      target.oldPath = oldPath ?? target.oldPath;
      target.newPath = newPath ?? target.newPath;
      at += 2;
      continue;
    } else if (hunkHeader.test(line)) {
      if (section === undefined) throw notUnderstood(lines, at, 'a hunk stands before the names of its file');
      const read = readHunk(lines, at);
      section.hunks.push(read.hunk);
      at = read.next;
      continue;
    } else if (line === '-- ' && section !== undefined) {
      // The signature below a mailed patch, and what stands below it.
      while (at + 1 < lines.length && !(lines[at + 1] as string).startsWith('diff --git ') && !isFileHeader(lines, at + 1)) at++;
    } else if (section !== undefined && section.hunks.length === 0) readExtended(line, section, lines, at);
    else if (line.trim() !== '' && section !== undefined) throw notUnderstood(lines, at, 'it begins with none of "+", "-", " " and "@@"');
    at++;
  }
  if (sections.length === 0) throw new CodedError('invalid-input', `No file is named in the patch. ${howItLooks}`);
  return sections.map(fileOf);
}

/** What the headers of a patch say of their files, also of one that cannot be read: what stands in it is not looked at. */
export function patchHeaders(patch: string): readonly { readonly kind: 'change' | 'delete'; readonly path: string }[] {
  const lines = patch.replace(/\r\n/g, '\n').split('\n');
  const found: { kind: 'change' | 'delete'; path: string }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!isFileHeader(lines, at)) continue;
    const [before, after] = [headerPath(line, 'a/'), headerPath(lines[at + 1] as string, 'b/')];
    const path = after ?? before;
    if (path !== undefined) found.push({ kind: after === undefined ? 'delete' : 'change', path });
  }
  return found;
}

const howItLooks =
  'It looks like this:\n--- a/src/x.ts\n+++ b/src/x.ts\n@@ -10,3 +10,3 @@\n a line that stays\n-the old line\n+the new line\n another line that stays\nA new file comes from /dev/null, a deleted one goes to /dev/null.';

function isFileHeader(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? '').startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ');
}

function readExtended(line: string, section: Section, lines: readonly string[], at: number): void {
  if (line.startsWith('rename from ')) section.renameFrom = unquote(line.slice('rename from '.length));
  else if (line.startsWith('rename to ')) section.renameTo = unquote(line.slice('rename to '.length));
  else if (line.startsWith('new file mode ')) section.added = true;
  else if (line.startsWith('deleted file mode ')) section.deleted = true;
  else if (line.startsWith('copy from ')) throw notUnderstood(lines, at, 'a copy is not part of a patch here: use copy_path');
  else if (line.startsWith('GIT binary patch') || line.startsWith('Binary files ')) throw notUnderstood(lines, at, 'binary files cannot be patched');
}

function readHunk(lines: readonly string[], start: number): { readonly hunk: PatchHunk; readonly next: number } {
  const header = lines[start] as string;
  const [, oldStart, oldCount, , newCount] = hunkHeader.exec(header) ?? [];
  const counted = oldStart !== undefined;
  const wanted = { old: Number(oldCount ?? 1), fresh: Number(newCount ?? 1) };
  const found: PatchLine[] = [];
  let old = 0;
  let fresh = 0;
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] as string;
    const full = counted && old >= wanted.old && fresh >= wanted.fresh;
    if (line.startsWith('diff --git ') || hunkHeader.test(line)) break;
    if (full && line === '-- ') break;
    if (isFileHeader(lines, at) && (full || !counted || hunkHeader.test(lines[at + 2] ?? ''))) break;
    if (line.startsWith('\\')) {
      const last = found.pop();
      if (last !== undefined) found.push({ ...last, endless: true });
      continue;
    }
    const mark = line[0];
    if (mark === '+') found.push({ kind: 'add', text: line.slice(1) });
    else if (mark === '-') found.push({ kind: 'remove', text: line.slice(1) });
    else if (mark === ' ') found.push({ kind: 'keep', text: line.slice(1) });
    // Editors and models drop the one space of an empty line.
    else if (line === '') found.push({ kind: 'keep', text: '' });
    else if (full) break;
    else throw notUnderstood(lines, at, 'it begins with none of "+", "-" and " "');
    if (mark !== '+') old++;
    if (mark !== '-') fresh++;
  }
  // Empty lines at the end belong to the text around the patch, unless the counts want exactly them.
  while (found.length > 0 && found.at(-1)?.kind === 'keep' && found.at(-1)?.text === '' && lines[at - 1] === '' && (!counted || old !== wanted.old)) {
    found.pop();
    old--;
    at--;
  }
  if (!found.some((line) => line.kind !== 'keep')) throw notUnderstood(lines, start, 'its hunk changes nothing');
  return { hunk: { header, ...(counted ? { oldStart: Number(oldStart) } : {}), lines: found }, next: at };
}

function fileOf(section: Section): PatchFile {
  const { oldPath, newPath, renameFrom, renameTo, added, deleted, hunks } = section;
  const path = renameTo ?? (deleted ? oldPath : newPath) ?? oldPath;
  if (path === undefined) throw new CodedError('invalid-input', `A part of the patch names no file. ${howItLooks}`);
  if (added && deleted) throw new CodedError('invalid-input', `${path}: both sides are /dev/null. ${howItLooks}`);
  if (added) return { kind: 'add', path, hunks };
  if (deleted) return { kind: 'delete', path, hunks };
  const from = renameFrom ?? oldPath ?? path;
  if (spellPath(from) !== spellPath(path)) return { kind: 'rename', from, path, hunks };
  if (hunks.length === 0) throw new CodedError('invalid-input', `${path}: the patch names it but changes nothing in it.`);
  return { kind: 'update', path, hunks };
}

/** Path of a `---` or `+++` line; undefined for /dev/null. */
function headerPath(line: string, prefix: string): string | undefined {
  const rest = line.slice(4);
  const name = rest.startsWith('"') ? unquote(rest) : (rest.split('\t', 1)[0] as string).trimEnd();
  if (name === '/dev/null') return undefined;
  return name.startsWith(prefix) ? name.slice(2) : name;
}

/** Both names of a `diff --git` line; undefined when it cannot be told where the first one ends. */
function namesOfGitLine(line: string): readonly [string, string] | undefined {
  const rest = line.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  const strip = (name: string) => unquote(name).replace(/^[ab]\//, '');
  if (quoted !== null) return [strip(quoted[1] as string), strip(quoted[2] as string)];
  // Names with spaces: both halves are equal but for their prefix.
  const half = (rest.length - 1) / 2;
  const [left, right] = [rest.slice(0, half), rest.slice(half + 1)];
  return Number.isInteger(half) && left.slice(2) === right.slice(2) ? [strip(left), strip(right)] : undefined;
}

/** A name in git's quotes as it is. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"') || name.length < 2) return name;
  const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };
  const bytes: number[] = [];
  for (const [part, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function notUnderstood(lines: readonly string[], at: number, why: string): CodedError {
  return new CodedError(
    'invalid-input',
    `Line ${at + 1} of the patch is not understood, ${why}:\n${(lines[at] ?? '').slice(0, 300)}\nNothing was changed. ${howItLooks}`,
  );
}
