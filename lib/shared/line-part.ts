import { utf8Length } from './bytes';
import { CodedError } from './coded-error';
import { countOf, formatBytes, headBytes } from './text-lines';

/** Of several lines, each shows this much at most: one endless line must not hide the others. */
export const LINE_BYTES = 2000;
/** Room for a line's number, and for the words at a cut. */
const AROUND_BYTES = 100;

/** Lines counted from 1, both ends included; of a single line, the part from `byte` on. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly byte: number;
}

/** `12-40`, `12..40`, `12:40`, `12`, or `12+2000` for line 12 from byte 2,000 on; undefined when it names no range. */
export function readLineRange(text: string | undefined): LineRange | undefined {
  const parts = /^\s*(\d{1,9})\s*(?:\+\s*(\d{1,12})\s*|(?:-|–|:|,|\.\.)\s*(\d{1,9})\s*)?$/.exec(text ?? '');
  if (parts === null) return undefined;
  const from = Number(parts[1]);
  const to = parts[3] === undefined ? from : Number(parts[3]);
  return from >= 1 && to >= from ? { from, to, byte: Number(parts[2] ?? 0) } : undefined;
}

/**
 * Shows a line, or the part of it that has room.
 *
 * In     `index` counted from 0; `most` UTF-8 bytes; `byte`: where in the line to begin, moved back to the start of a character.
 * Out    a cut line ends in the words of how it goes on, with `field` as the tool calls its lines; it shows one character at least.
 */
export function linePart(lines: readonly string[], index: number, most: number, field: 'lines' | 'range', byte = 0): string {
  const line = lines[index] as string;
  // Three bytes is what one UTF-16 unit takes at most.
  if (byte === 0 && line.length * 3 <= most) return line;
  const rest = fromByte(line, byte);
  const restBytes = utf8Length(rest);
  if (restBytes <= most) return rest;
  const part = headBytes(rest, Math.max(most - AROUND_BYTES, 4));
  const whole = utf8Length(line);
  return `${part}… [line cut: ${formatBytes(whole)}; goes on with ${field}="${index + 1}+${whole - restBytes + utf8Length(part)}"]`;
}

/** `line` from `byte` on. */
export function fromByte(line: string, byte: number): string {
  return byte === 0 ? line : line.slice(headBytes(line, byte).length);
}

/**
 * Shows the lines of a range, each as `write` puts it, as many as `limitBytes` hold.
 *
 * Out    the first is always there, cut when it must be. `whole`: nothing of the range is missing. `more`: how to go on behind the last.
 * Fails  CodedError `invalid-input` for a range that begins past the end.
 */
export function showRange(
  lines: readonly string[],
  { from, to, byte }: LineRange,
  limitBytes: number,
  field: 'lines' | 'range',
  write: (number: number, part: string) => string,
): { readonly title: string; readonly body: readonly string[]; readonly whole: boolean; readonly more?: string } {
  if (from > lines.length)
    throw new CodedError(
      'invalid-input',
      `The stored text has ${countOf(lines.length, 'line')}; line ${from} is past its end. Send lines between 1 and ${lines.length}.`,
    );
  const length = utf8Length(lines[from - 1] as string);
  if (byte > 0 && byte >= length)
    throw new CodedError('invalid-input', `Line ${from} has ${countOf(length, 'byte')}; byte ${byte} is past its end. Send ${field}="${from}" for all of it.`);
  const last = Math.min(to, lines.length);
  const most = from === last ? limitBytes - 12 : Math.min(LINE_BYTES, limitBytes - 12);
  const body: string[] = [];
  let bytes = 0;
  let whole = byte === 0;
  for (let index = from - 1; index < last; index++) {
    const part = linePart(lines, index, most, field, byte);
    const shown = write(index + 1, part);
    bytes += utf8Length(shown) + 1;
    if (bytes > limitBytes && body.length > 0) break;
    body.push(shown);
    whole &&= part === lines[index];
  }
  const end = from + body.length - 1;
  return {
    title: byte > 0 ? `Line ${from} from byte ${byte}` : `Lines ${from}-${end}`,
    body,
    whole: whole && end === last,
    ...(end < last ? { more: `${field}="${end + 1}-${last}" goes on` } : {}),
  };
}
