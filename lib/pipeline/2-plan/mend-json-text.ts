import { ARGUMENT_LIMIT_LEVELS } from './argument-limits';

export type MendingRung = 'control_chars' | 'trailing_commas' | 'close_brackets' | 'strip_closers';
const RUNGS: readonly MendingRung[] = ['control_chars', 'trailing_commas', 'close_brackets', 'strip_closers'];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ESCAPES: Readonly<Record<number, string>> = { 0x0a: '\\n', 0x0d: '\\r', 0x09: '\\t' };

/** nothing: no rung has anything to do. beyond: no JSON, and past what the ladder mends. deep: it nests too deep. */
export type Mending = { readonly kind: 'mended'; readonly text: string; readonly rung: MendingRung } | { readonly kind: 'nothing' | 'beyond' | 'deep' };

const NOTHING: Mending = { kind: 'nothing' };
const BEYOND: Mending = { kind: 'beyond' };
const DEEP: Mending = { kind: 'deep' };

/**
 * Mends JSON text, all rungs in one scan.
 *
 * In     `text` that may be damaged.
 * Out    the text after every rung that had something to do, and the last of them. Each rung only touches what no valid
 *        text has, so what was mended or is beyond the ladder was no JSON, and one parse of the answer decides. Beyond it are: a cut
 *        inside a string or number, brackets that cross, a backslash before a raw control character.
 * Fails  never.
 */
export function mendJsonText(text: string): Mending {
  const { length } = text;
  const { units, words } = unitClasses(text);
  // Added up and flattened once, when it is read: many small pieces cost least so.
  let mended = '';
  let copied = 0;
  let highest = -1;
  // The range from the first comma of a run to its end: a run is commas and white space only.
  let commasFrom = -1;
  const open: number[] = [];
  let openCurly = 0;

  const replace = (from: number, to: number, by: string, rung: number) => {
    if (from > copied) mended += text.slice(copied, from);
    if (by !== '') mended += by;
    copied = to;
    if (rung > highest) highest = rung;
  };

  for (let i = 0; i < length; i++) {
    const unit = units[i] as number;
    if (unit === QUOTE) {
      commasFrom = -1;
      for (i++; i < length; i++) {
        if ((i & 3) === 0) i = plainTo(words, i >> 2) << 2;
        const inside = units[i] as number;
        if (inside > BACKSLASH) continue;
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) {
          i++;
          if (i < length && (units[i] as number) < 0x20) return BEYOND;
        } else if (inside < 0x20) {
          let end = i + 1;
          while (end < length && units[end] === inside) end++;
          replace(i, end, (ESCAPES[inside] ?? '').repeat(end - i), 0);
          i = end - 1;
        }
      }
      if (i >= length) return BEYOND;
    } else if (unit === COMMA) {
      if (commasFrom < 0) commasFrom = i;
    } else if (isWhiteSpace(unit)) {
    } else if (unit === 0x7b || unit === 0x5b) {
      commasFrom = -1;
      open.push(unit + 2);
      if (unit === 0x7b) openCurly++;
      if (open.length > ARGUMENT_LIMIT_LEVELS) return DEEP;
    } else if (unit === 0x7d || unit === 0x5d) {
      // The white space stays: a surplus closer may stand between two numbers.
      if (commasFrom >= 0) replace(commasFrom, i, text.slice(commasFrom, i).replaceAll(',', ''), 1);
      commasFrom = -1;
      if ((unit === 0x7d ? openCurly : open.length - openCurly) === 0) {
        let end = i + 1;
        while (end < length && units[end] === unit) end++;
        replace(i, end, '', 3);
        i = end - 1;
      } else if (open[open.length - 1] === unit) {
        open.pop();
        if (unit === 0x7d) openCurly--;
      } else return BEYOND;
    } else commasFrom = -1;
  }
  // A bare number is whole where nothing is open and nothing was mended: then it is JSON.
  if (endsInNumber(text)) return open.length === 0 && highest < 0 ? NOTHING : BEYOND;
  if (commasFrom >= 0) replace(commasFrom, length, '', 1);
  if (open.length > 0) replace(length, length, String.fromCharCode(...open.reverse()), 2);
  const rung = RUNGS[highest];
  if (rung === undefined) return NOTHING;
  return { kind: 'mended', text: copied < length ? mended + text.slice(copied) : mended, rung };
}

/** One byte a unit: those beyond ASCII are alike here. `words`: the same bytes, four at a time. A quotation mark stands behind the last. */
interface UnitClasses {
  readonly units: Uint8Array;
  readonly words: Int32Array;
}

/** Up to so many units a plain walk costs less than a call that copies. */
const COPIED_UNITS = 256;
const encoder = new TextEncoder();
/** One room for all texts, as large as the largest so far (1 MiB at most): no scan begins before the one before it has ended, and fresh memory is dear. */
let scratch = unitRoom(4096);

function unitRoom(length: number): UnitClasses {
  const units = new Uint8Array((length + 7) & ~3);
  return { units, words: new Int32Array(units.buffer) };
}

/** The UTF-16 units of a text. Bytes are looked at twice as fast as units of a string. */
function unitClasses(text: string): UnitClasses {
  const { length } = text;
  if (scratch.units.length < length + 4) scratch = unitRoom(length);
  const { units } = scratch;
  let copied = false;
  if (length > COPIED_UNITS) {
    const { read, written } = encoder.encodeInto(text, units.subarray(0, length));
    // A text that is not all ASCII takes more bytes than it has units.
    copied = read === length && written === length;
  }
  if (!copied) for (let i = 0; i < length; i++) units[i] = Math.min(text.charCodeAt(i), 0xff);
  units.fill(QUOTE, length, length + 4);
  return scratch;
}

/** The first word from `from` on that may hold a quotation mark, a backslash or a control character: each byte is asked in one go, by its sign bit. */
function plainTo(words: Int32Array, from: number): number {
  let at = from;
  for (; ; at++) {
    const word = words[at] as number;
    const control = word - 0x20202020;
    const quote = (word ^ 0x22222222) - 0x01010101;
    const backslash = (word ^ 0x5c5c5c5c) - 0x01010101;
    if (((control | quote | backslash) & ~word & 0x80808080) !== 0) return at;
  }
}

/** The four characters that JSON calls white space. */
export function isWhiteSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** A number with nothing after it may be only its first digits. Asked outside of strings only. */
function endsInNumber(text: string): boolean {
  let from = text.length;
  while (from > 0 && '0123456789+-.eE'.includes(text.charAt(from - 1))) from--;
  const first = text.charAt(from);
  return from < text.length && (first === '-' || (first >= '0' && first <= '9'));
}
