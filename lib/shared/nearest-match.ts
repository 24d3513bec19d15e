import { similarity } from './fuzzy';
import { clipLine } from './text-lines';

const LINES_LOOKED_AT = 20_000;
const SHOWN_BYTES = 300;

/**
 * Where in `lines` something like `wanted` stands, and how it differs: for a reader whose exact text was not found.
 *
 * In     both without line endings; `wanted` has at least one line.
 * Out    sentences that name the line (1-based) and quote both sides; undefined when nothing is alike.
 */
export function explainNearest(wanted: readonly string[], lines: readonly string[]): string | undefined {
  const anchor = wanted.findIndex((line) => line.trim() !== '');
  if (anchor === -1) return undefined;
  const anchorLine = wanted[anchor] as string;
  let best = -1;
  let bestScore = 0;
  for (let i = 0; i < Math.min(lines.length, LINES_LOOKED_AT); i++) {
    const score = likeness(anchorLine, lines[i] as string) + followers(wanted, anchor, lines, i) / 100;
    if (score > bestScore) {
      best = i;
      bestScore = score;
    }
  }
  if (best === -1 || bestScore < 0.5) return undefined;
  for (let offset = anchor; offset < wanted.length; offset++) {
    const mine = wanted[offset] as string;
    const at = best + offset - anchor;
    const theirs = lines[at];
    if (theirs === undefined) return `It fits up to line ${at} (the file's last line), but \`search\` goes on after it.`;
    if (mine !== theirs && !(isEdge(offset, anchor, wanted) && theirs.includes(mine))) return describe(mine, theirs, at + 1);
  }
  return `Line ${best + 1} is the nearest:\n  file:   ${quote(lines[best] as string)}\nIts lines are alike one by one; check blank lines and line endings around them.`;
}

/** The first and last line of a search may be parts of lines. */
function isEdge(offset: number, anchor: number, wanted: readonly string[]): boolean {
  return offset === anchor || offset === wanted.length - 1;
}

function describe(mine: string, theirs: string, line: number): string {
  const sides = `\n  file:   ${quote(theirs)}\n  search: ${quote(mine)}`;
  if (mine.trim() === theirs.trim()) {
    const indentation =
      mine.trimEnd() === theirs.trimEnd() ? 'white space at its end' : `indentation: the file has ${indentOf(theirs)}, search has ${indentOf(mine)}`;
    return `Line ${line} differs only in ${indentation}.${sides}`;
  }
  if (mine.replace(/\s+/g, '') === theirs.replace(/\s+/g, '')) return `Line ${line} differs only in white space inside the line.${sides}`;
  if (mine.toLowerCase() === theirs.toLowerCase()) return `Line ${line} differs only in upper and lower case.${sides}`;
  return `The nearest is line ${line}; it differs from column ${firstDifference(mine, theirs) + 1} on.${sides}`;
}

function firstDifference(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

function indentOf(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  if (indent === '') return 'none';
  const tabs = indent.split('\t').length - 1;
  const spaces = indent.length - tabs;
  return [tabs > 0 ? `${tabs} tab${tabs === 1 ? '' : 's'}` : '', spaces > 0 ? `${spaces} space${spaces === 1 ? '' : 's'}` : '']
    .filter((part) => part !== '')
    .join(' and ');
}

function likeness(a: string, b: string): number {
  const left = a.trim().slice(0, 500);
  const right = b.trim().slice(0, 500);
  if (left === right) return 1;
  if (right === '' || left === '') return 0;
  if (right.includes(left)) return 0.95;
  if (left.replace(/\s+/g, '').toLowerCase() === right.replace(/\s+/g, '').toLowerCase()) return 0.9;
  return similarity(left, right);
}

/** How many of the lines after the anchor fit as well: tells equal first lines apart. */
function followers(wanted: readonly string[], anchor: number, lines: readonly string[], at: number): number {
  let fitting = 0;
  for (let offset = 1; offset <= 20 && anchor + offset < wanted.length; offset++) {
    if (wanted[anchor + offset]?.trim() === lines[at + offset]?.trim()) fitting++;
  }
  return fitting;
}

/** A line with its tabs made visible, since they are often the difference. */
function quote(line: string): string {
  return JSON.stringify(clipLine(line, SHOWN_BYTES));
}
