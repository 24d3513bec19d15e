import { diffText } from '@/lib/shared/file-change';
import { type DiffRun, diffLines } from '@/lib/shared/line-diff';
import type { FolderChange } from './folder-changes';
import { printable } from './printable';

const contextLines = 3;

/** Every change as a person reads it: unified diffs of texts, one line for the rest. */
export function showChanges(changes: readonly FolderChange[]): string {
  return changes.map(showChange).join('');
}

function showChange(change: FolderChange): string {
  const path = printable(change.path);
  switch (change.kind) {
    case 'add-folder':
      return `new folder ${path}/\n`;
    case 'remove-folder':
      return `deleted folder ${path}/\n`;
    case 'add':
      return fileDiff(path, null, change.after);
    case 'modify':
      return fileDiff(path, change.before, change.after);
    case 'remove':
      return fileDiff(path, change.before, null);
  }
}

function fileDiff(path: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const head = before === null ? `new file ${path}` : after === null ? `deleted file ${path}` : `changed file ${path}`;
  const [was, is] = [diffText(before), diffText(after)];
  if (was === undefined || is === undefined) {
    const sizes = [before, after].map((side) => (side === null ? 'nothing' : `${side.length} bytes`));
    return `${head}: binary or large, ${sizes.join(' → ')}\n`;
  }
  const hunks = unifiedHunks(linesOf(was ?? ''), linesOf(is ?? ''));
  return `${head}\n--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ ${after === null ? '/dev/null' : `b/${path}`}\n${hunks}`;
}

/** Lines without their endings; a last line without one carries the sentence that says so. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function unifiedHunks(before: readonly string[], after: readonly string[]): string {
  const groups: DiffRun[][] = [];
  for (const run of diffLines(before, after)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && run.beforeStart - (last.beforeStart + last.before.length) <= 2 * contextLines) group.push(run);
    else groups.push([run]);
  }
  return groups.map((group) => hunk(group, before)).join('');
}

function hunk(runs: readonly DiffRun[], before: readonly string[]): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return '';
  const from = Math.max(0, first.beforeStart - contextLines);
  const to = Math.min(before.length, last.beforeStart + last.before.length + contextLines);
  const lines: string[] = [];
  let at = from;
  for (const run of runs) {
    lines.push(...before.slice(at, run.beforeStart).map((line) => ` ${line}`), ...run.before.map((line) => `-${line}`), ...run.after.map((line) => `+${line}`));
    at = run.beforeStart + run.before.length;
  }
  lines.push(...before.slice(at, to).map((line) => ` ${line}`));
  const grown = runs.reduce((sum, run) => sum + run.after.length - run.before.length, 0);
  const afterFrom = first.afterStart - (first.beforeStart - from);
  return `@@ -${span(from, to - from)} +${span(afterFrom, to - from + grown)} @@\n${lines.map((line) => `${printable(line)}\n`).join('')}`;
}

/** Start (1-based; for no lines the line before) and count, as a unified diff writes them. */
function span(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`;
}
