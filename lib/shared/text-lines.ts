import { utf8Length } from './bytes';
import { fittingHead, fittingTail } from './fitting-text';

/** Lines of `text` without their endings (LF or CRLF); a final line ending makes no empty last line, and '' has no lines. */
export function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** How the lines of `text` end; `none` when it has no line ending. */
export function lineEndingOf(text: string): 'lf' | 'crlf' | 'mixed' | 'none' {
  let lf = 0;
  let crlf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text[at - 1] === '\r') crlf++;
    else lf++;
  }
  if (lf === 0 && crlf === 0) return 'none';
  if (lf === 0) return 'crlf';
  return crlf === 0 ? 'lf' : 'mixed';
}

/** 1-based line in which the UTF-16 position `offset` lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The longest start of `text` that fits into `limitBytes` UTF-8 bytes; never splits a code point. */
export function headBytes(text: string, limitBytes: number): string {
  return text.slice(0, fittingHead(text, limitBytes).at);
}

/** The longest end of `text` that fits into `limitBytes` UTF-8 bytes; never splits a code point. */
export function tailBytes(text: string, limitBytes: number): string {
  return text.slice(fittingTail(text, limitBytes).at);
}

/** `line` when it is short, else its start and how long it really is. */
export function clipLine(line: string, limitBytes: number): string {
  if (line.length * 3 <= limitBytes) return line;
  const bytes = utf8Length(line);
  return bytes <= limitBytes ? line : `${headBytes(line, limitBytes)}… [line cut: ${formatBytes(bytes)}]`;
}

/** A size for people and models: `812 bytes`, `1.5 KB`, `3.2 MB` (1 KB = 1,024 bytes). */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}

/** `1 line`, `3 lines`: a count with its noun. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** One line of at most `limit` characters for a card: white space folded, the rest cut with an ellipsis. */
export function oneLine(text: string, limit = 120): string {
  const folded = text
    .slice(0, limit * 8)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...folded];
  return characters.length <= limit ? folded : `${characters.slice(0, limit - 1).join('')}…`;
}
