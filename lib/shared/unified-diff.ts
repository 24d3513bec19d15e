import { identifyBytes } from './file-kind';
import { type DiffRun, diffLines } from './line-diff';

/** A file on both sides; null = it is not there. The ids are named where they are known. */
export interface DiffSides {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly beforeId?: string;
  readonly afterId?: string;
}

const NO_FILE = '0000000';
const MODE = '100644';
/** Bytes of the heading that stands behind the numbers of a hunk. */
const HEADING_LIMIT = 80;

/**
 * The difference of one file as git shows it.
 *
 * In     `context`: unchanged lines around a change.
 * Out    header and hunks, ending with a newline; binary files are named only; '' when both sides are equal.
 */
export function unifiedDiff(sides: DiffSides, context = 3): string {
  const { path, before, after } = sides;
  const name = (side: 'a' | 'b') => quotePath(`${side}/${path}`);
  const header = [`diff --git ${name('a')} ${name('b')}`];
  if (before === null) header.push(`new file mode ${MODE}`);
  if (after === null) header.push(`deleted file mode ${MODE}`);
  const ids = `${shortId(sides.beforeId, before)}..${shortId(sides.afterId, after)}`;
  if (sides.beforeId !== undefined || sides.afterId !== undefined) header.push(`index ${ids}${before === null || after === null ? '' : ` ${MODE}`}`);
  const from = before === null ? '/dev/null' : name('a');
  const to = after === null ? '/dev/null' : name('b');
  if (isBinary(before) || isBinary(after)) return `${[...header, `Binary files ${from} and ${to} differ`].join('\n')}\n`;
  const hunks = hunksOf(textLines(before), textLines(after), context);
  if (hunks.length === 0) return before === null || after === null ? `${header.join('\n')}\n` : '';
  return `${[...header, `--- ${from}`, `+++ ${to}`, ...hunks].join('\n')}\n`;
}

/** Lines added and removed of one file; undefined for binary ones. */
export function countChanges(sides: DiffSides): { readonly added: number; readonly removed: number } | undefined {
  if (isBinary(sides.before) || isBinary(sides.after)) return undefined;
  const runs = diffLines(textLines(sides.before), textLines(sides.after));
  return { added: runs.reduce((sum, run) => sum + run.after.length, 0), removed: runs.reduce((sum, run) => sum + run.before.length, 0) };
}

/** A path as git prints it: in quotes with escapes where it holds quotes, control characters or bytes beyond ASCII. */
export function quotePath(path: string): string {
  if (/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(path)) return path;
  const escapes: Readonly<Record<number, string>> = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' };
  const bytes = [...new TextEncoder().encode(path)];
  return `"${bytes.map((byte) => escapes[byte] ?? (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`)).join('')}"`;
}

function shortId(id: string | undefined, content: Uint8Array | null): string {
  return content === null || id === undefined ? NO_FILE : id.slice(0, 7);
}

function isBinary(content: Uint8Array | null): boolean {
  return content !== null && content.length > 0 && identifyBytes(content).kind !== 'text';
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Lines without their newline; a last line that has none says so, as git prints it, and so differs from one that has. */
function textLines(content: Uint8Array | null): readonly string[] {
  const text = content === null ? '' : decoder.decode(content);
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() as string;
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function hunksOf(before: readonly string[], after: readonly string[], context: number): readonly string[] {
  const groups: DiffRun[][] = [];
  for (const run of diffLines(before, after).map((one) => slide(one, before, after))) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && run.beforeStart - (last.beforeStart + last.before.length) <= context * 2) groups.at(-1)?.push(run);
    else groups.push([run]);
  }
  return groups.map((runs) => hunk(runs, before, context));
}

/** A pure insertion or removal that could stand at several places stands as low as it can, where git has it. */
function slide(run: DiffRun, before: readonly string[], after: readonly string[]): DiffRun {
  if (run.before.length > 0 === run.after.length > 0) return run;
  const inserted = run.after.length > 0;
  const lines = inserted ? after : before;
  const length = inserted ? run.after.length : run.before.length;
  let start = inserted ? run.afterStart : run.beforeStart;
  let moved = 0;
  while (start + length < lines.length && lines[start] === lines[start + length]) {
    start++;
    moved++;
  }
  if (moved === 0) return run;
  const fresh = lines.slice(start, start + length);
  return { beforeStart: run.beforeStart + moved, afterStart: run.afterStart + moved, before: inserted ? [] : fresh, after: inserted ? fresh : [] };
}

function hunk(runs: readonly DiffRun[], before: readonly string[], context: number): string {
  const first = runs[0] as DiffRun;
  const last = runs.at(-1) as DiffRun;
  const start = Math.max(0, first.beforeStart - context);
  const end = Math.min(before.length, last.beforeStart + last.before.length + context);
  const lines: string[] = [];
  let at = start;
  let grown = 0;
  for (const run of runs) {
    for (; at < run.beforeStart; at++) lines.push(` ${before[at]}`);
    lines.push(...run.before.map((line) => `-${line}`), ...run.after.map((line) => `+${line}`));
    at += run.before.length;
    grown += run.after.length - run.before.length;
  }
  for (; at < end; at++) lines.push(` ${before[at]}`);
  const afterStart = first.afterStart - (first.beforeStart - start);
  return [`@@ -${range(start, end - start)} +${range(afterStart, end - start + grown)} @@${heading(before, start)}`, ...lines].join('\n');
}

/** Line numbers of a hunk; an empty side names the line before it. */
function range(start: number, count: number): string {
  const line = count === 0 ? start : start + 1;
  return count === 1 ? `${line}` : `${line},${count}`;
}

/** The nearest line above that looks like the head of something, as git names it. */
function heading(before: readonly string[], start: number): string {
  for (let at = start - 1; at >= 0; at--) {
    const line = before[at] as string;
    if (/^[A-Za-z_$]/.test(line)) return ` ${line.slice(0, HEADING_LIMIT).trimEnd()}`;
  }
  return '';
}
