import type { ShellWord } from './part';
import { globSequences } from './sequence';
import { escapePattern } from './word';

/** The paths that a word may stand for, as globs, its braces taken apart; undefined for more than anyone writes. */
export function wordPatterns({ pattern, value }: ShellWord): readonly string[] | undefined {
  return pattern === undefined ? [escapePattern(value)] : expandBraces(globSequences(pattern));
}

const BRACE_LIMIT = 64;
const BRACED_LENGTH = 1000;

/** What a pattern's unquoted braces stand for, commas and braces of quoted text being escaped in it; undefined for more than anyone writes. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  if (pattern.length > BRACED_LENGTH) return /(?<!\\)\{/.test(pattern) ? undefined : open;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = /(?<!\\)\{((?:[^{}\\]|\\.)*(?<!\\),(?:[^{},\\]|\\.)*)\}/.exec(next);
    if (group === null) done.push(next);
    else
      for (const option of (group[1] as string).split(/(?<!\\),/)) open.push(next.slice(0, group.index) + option + next.slice(group.index + group[0].length));
    if (done.length + open.length > BRACE_LIMIT) return undefined;
  }
  return done;
}
