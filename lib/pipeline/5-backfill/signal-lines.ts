import { utf8Length } from '@/lib/shared/bytes';
import { fittingHead, wellFormed } from '@/lib/shared/fitting-text';

export const SIGNAL_LINES_MOST = 80;
export const SIGNAL_LINES_BYTES = 4_000;
export const SIGNAL_LINE_BYTES = 300;
const ELLIPSIS = '…';
const ELLIPSIS_BYTES = 3;

const SIGNAL = /\berror\b|error[:[]|warning:|panicked at|exception|traceback|fatal|test result:|\b\d+ (?:passed|failed)\b|\bexit (?:code|status) -?\d/i;
const VERDICT = /\b(?:FAIL|FAILED|PASS)\b/;
/**
 * Where a line is worth the exact questions: the first four letters of every word in them. Spelled out like this the
 * search takes about one pass of indexOf; with a flag for any case, or longer words, several.
 */
const HINT =
  /[eE][rR][rR][oO]|[wW][aA][rR][nN]|[pP][aA][nN][iI]|[eE][xX][cC][eE]|[tT][rR][aA][cC]|[fF][aA][tT][aA]|[tT][eE][sS][tT] |[eE][xX][iI][tT]|[fF][aA][iI][lL]|[pP][aA][sS][sS]/g;

/**
 * Finds the lines of note in the part of a text that is left out.
 *
 * In     `range`: UTF-16 places where the part begins and ends; a line that reaches over either is not whole and not taken. The end of a line is no part of it.
 * Out    at most 80 lines in order, 4,000 bytes in all; a line over 300 bytes is cut after it matched.
 * Source governance 11: errors, failed tests, summaries.
 */
export function findSignalLines(text: string, range: { readonly from: number; readonly to: number }): readonly string[] {
  const from = range.from === 0 || text.charAt(range.from - 1) === '\n' ? range.from : afterNewline(text, range.from);
  const to = range.to === text.length || endsLine(text, range.to) ? range.to : text.lastIndexOf('\n', range.to - 1) + 1;
  const lines: string[] = [];
  let bytes = 0;
  const part = text.slice(from, Math.max(from, to));
  // One expression for all texts stays compiled.
  HINT.lastIndex = 0;
  for (let found = HINT.exec(part); found !== null; found = HINT.exec(part)) {
    const start = part.lastIndexOf('\n', found.index) + 1;
    const newline = part.indexOf('\n', found.index);
    const end = newline < 0 ? part.length : newline;
    HINT.lastIndex = end + 1;
    const line = part.slice(start, part.charAt(end - 1) === '\r' ? end - 1 : end);
    if (!isSignalLine(line)) continue;
    const shown = wellFormed(shorten(line));
    bytes += utf8Length(shown);
    if (bytes > SIGNAL_LINES_BYTES) break;
    lines.push(shown);
    if (lines.length === SIGNAL_LINES_MOST) break;
  }
  return lines;
}

export function isSignalLine(line: string): boolean {
  return SIGNAL.test(line) || VERDICT.test(line);
}

/** True between two lines, also where the end of the first stands behind the place. */
function endsLine(text: string, at: number): boolean {
  return text.charAt(at - 1) === '\n' || text.charAt(at) === '\n' || text.startsWith('\r\n', at);
}

function afterNewline(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline + 1;
}

function shorten(line: string): string {
  if (utf8Length(line) <= SIGNAL_LINE_BYTES) return line;
  return line.slice(0, fittingHead(line, SIGNAL_LINE_BYTES - ELLIPSIS_BYTES).at) + ELLIPSIS;
}
