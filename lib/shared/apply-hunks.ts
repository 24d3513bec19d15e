import { explainNearest } from './nearest-match';
import type { PatchHunk, PatchLine } from './parse-patch';
import { clipLine } from './text-lines';

const SHOWN_AROUND = 3;
const SHOWN_LINES = 12;
const SHOWN_BYTES = 300;

export type Patched = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/**
 * Applies hunks to a text, in order.
 *
 * In     `text` as it is; its line endings are kept, also for added lines.
 * Out    the new text, or which hunk does not fit and what stands there instead. A hunk's old lines have to be there exactly;
 *        the line number only says which place is meant where there are several.
 */
export function applyHunks(path: string, text: string, hunks: readonly PatchHunk[]): Patched {
  const eol = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.split(eol);
  let ends = lines.length > 0 && lines.at(-1) === '';
  if (ends) lines.pop();
  const wasEmpty = lines.length === 0;
  let from = 0;
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
    const expected = hunk.oldStart === undefined ? undefined : (old.length === 0 ? hunk.oldStart : hunk.oldStart - 1) + shift;
    const found = findPlace(lines, old, from, expected);
    if (typeof found !== 'number') return { ok: false, message: failure(path, hunk, index, hunks.length, lines, old, from, expected, found) };
    const fresh = mixed(hunk.lines, lines, found);
    const touchesEnd = found + old.length === lines.length;
    lines.splice(found, old.length, ...fresh);
    if (touchesEnd) ends = endsWithNewline(hunk, ends, wasEmpty);
    from = found + fresh.length;
    shift = hunk.oldStart === undefined ? shift : found - (old.length === 0 ? hunk.oldStart : hunk.oldStart - 1) + fresh.length - old.length;
  }
  return { ok: true, text: lines.length === 0 ? '' : lines.join(eol) + (ends ? eol : '') };
}

/** The new side; lines that stay are taken from the text itself. */
function mixed(hunk: readonly PatchLine[], lines: readonly string[], start: number): readonly string[] {
  const fresh: string[] = [];
  let at = start;
  for (const line of hunk) {
    if (line.kind === 'add') fresh.push(line.text);
    else {
      if (line.kind === 'keep') fresh.push(lines[at] as string);
      at++;
    }
  }
  return fresh;
}

function endsWithNewline(hunk: PatchHunk, before: boolean, wasEmpty: boolean): boolean {
  const last = hunk.lines.filter((line) => line.kind !== 'remove').at(-1);
  const saysNone = hunk.lines.some((line) => line.kind === 'remove' && line.endless === true);
  if (last === undefined) return before || saysNone;
  if (last.endless === true) return false;
  return last.kind === 'add' || saysNone || wasEmpty ? true : before;
}

/** Where the old lines stand: the place nearest to the expected one; `several` when nothing says which is meant. */
function findPlace(lines: readonly string[], old: readonly string[], from: number, expected: number | undefined): number | 'absent' | 'several' {
  if (old.length === 0) {
    if (lines.length === 0) return 0;
    return expected === undefined ? 'several' : Math.min(Math.max(expected, from), lines.length);
  }
  const fits = (start: number): boolean => old.every((line, offset) => lines[start + offset] === line || lines[start + offset] === `${line}\r`);
  const places: number[] = [];
  for (let start = from; start + old.length <= lines.length; start++) if (fits(start)) places.push(start);
  const [first, second] = places;
  if (first === undefined) return 'absent';
  if (second === undefined) return first;
  if (expected === undefined) return 'several';
  return places.reduce((best, place) => (Math.abs(place - expected) < Math.abs(best - expected) ? place : best), first);
}

function failure(
  path: string,
  hunk: PatchHunk,
  index: number,
  count: number,
  lines: readonly string[],
  old: readonly string[],
  from: number,
  expected: number | undefined,
  why: 'absent' | 'several',
): string {
  const name = `${path}: hunk ${index + 1} of ${count} (${hunk.header.trim()}) does not fit.`;
  if (why === 'several')
    return old.length === 0
      ? `${name} It only adds lines and gives no line number. Add the lines around the place, or a header such as @@ -10,0 +11,2 @@.`
      : `${name} Its old lines stand in the file more than once. Add lines around them, or the line number in the header.`;
  const fresh = hunk.lines.filter((line) => line.kind !== 'remove').map((line) => line.text);
  if (
    fresh.length > 0 &&
    lines.some((_, start) => fresh.every((line, offset) => lines[start + offset] === line)) &&
    hunk.lines.some((line) => line.kind === 'add')
  )
    return `${name} Its new lines are in the file already; it may have been applied before. Read the file again.`;
  const wanted = `It looks for:\n${clipped(old.map((line) => `  ${line}`))}`;
  const nearest = explainNearest(old, lines.slice(from));
  const where = Math.max(0, Math.min(expected ?? from, lines.length));
  const start = Math.max(0, where - SHOWN_AROUND);
  const around = lines.slice(start, where + old.length + SHOWN_AROUND).map((line, offset) => `${start + offset + 1}\t${line}`);
  const there = lines.length === 0 ? 'The file is empty.' : `The file has there:\n${clipped(around)}`;
  return [name, wanted, there, ...(nearest === undefined || from > 0 ? [] : [nearest])].join('\n');
}

function clipped(lines: readonly string[]): string {
  const shown = lines.slice(0, SHOWN_LINES).map((line) => clipLine(line, SHOWN_BYTES));
  return lines.length > SHOWN_LINES ? [...shown, `  … ${lines.length - SHOWN_LINES} more lines`].join('\n') : shown.join('\n');
}
