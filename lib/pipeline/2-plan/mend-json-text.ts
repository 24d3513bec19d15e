export type MendingRung = 'control_chars' | 'trailing_commas' | 'close_brackets' | 'strip_closers';
const RUNGS: readonly MendingRung[] = ['control_chars', 'trailing_commas', 'close_brackets', 'strip_closers'];

/** Strings are walked unit by unit at first; where one is long, the rest up to the next quote, escape or control character is jumped over. */
const WALKED_UNITS = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: raw control characters are what is looked for.
const PLAIN = /[^"\\\x00-\x1f]*/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSER_OF: Readonly<Record<number, number>> = { 0x7b: 0x7d, 0x5b: 0x5d };
const ESCAPES: Readonly<Record<number, string>> = { 0x0a: '\\n', 0x0d: '\\r', 0x09: '\\t' };

/**
 * Mends JSON text that does not parse, all rungs in one scan.
 *
 * In     `text` that failed to parse.
 * Out    the text after every rung that had something to do, and the last of them. Each rung only touches what no valid
 *        text has, so no earlier rung's text could have parsed, and one parse of the answer decides.
 * Fails  undefined: nothing to mend, or beyond the ladder (cut inside a string or number, brackets that cross, a
 *        backslash before a raw control character).
 */
export function mendJsonText(text: string): { readonly text: string; readonly rung: MendingRung } | undefined {
  const pieces: string[] = [];
  let copied = 0;
  let highest = -1;
  // The range from the first comma of a run to its end: a run is commas and white space only.
  let commasFrom = -1;
  const open: number[] = [];
  const openCount = { square: 0, curly: 0 };

  const replace = (from: number, to: number, by: string, rung: number) => {
    pieces.push(text.slice(copied, from), by);
    copied = to;
    if (rung > highest) highest = rung;
  };

  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      commasFrom = -1;
      let walkTo = i + WALKED_UNITS;
      for (i++; i < text.length; i++) {
        if (i >= walkTo) {
          PLAIN.lastIndex = i;
          PLAIN.test(text);
          i = PLAIN.lastIndex;
          if (i >= text.length) break;
          walkTo = i + WALKED_UNITS;
        }
        const inside = text.charCodeAt(i);
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) {
          i++;
          if (i < text.length && text.charCodeAt(i) < 0x20) return undefined;
        } else if (inside < 0x20) replace(i, i + 1, ESCAPES[inside] ?? '', 0);
      }
      if (i >= text.length) return undefined;
    } else if (unit === COMMA) {
      if (commasFrom < 0) commasFrom = i;
    } else if (isWhiteSpace(unit)) {
    } else if (unit === 0x7b || unit === 0x5b) {
      commasFrom = -1;
      open.push(CLOSER_OF[unit] as number);
      if (unit === 0x7b) openCount.curly++;
      else openCount.square++;
    } else if (unit === 0x7d || unit === 0x5d) {
      // The white space stays: a surplus closer may stand between two numbers.
      if (commasFrom >= 0) replace(commasFrom, i, text.slice(commasFrom, i).replaceAll(',', ''), 1);
      commasFrom = -1;
      const kind = unit === 0x7d ? 'curly' : 'square';
      if (openCount[kind] === 0) replace(i, i + 1, '', 3);
      else if (open.at(-1) === unit) {
        open.pop();
        openCount[kind]--;
      } else return undefined;
    } else commasFrom = -1;
  }
  if (endsInNumber(text)) return undefined;
  if (commasFrom >= 0) replace(commasFrom, text.length, '', 1);
  pieces.push(text.slice(copied));
  if (open.length > 0) {
    pieces.push(String.fromCharCode(...open.reverse()));
    if (highest < 2) highest = 2;
  }
  const rung = RUNGS[highest];
  // Joining copies unit by unit; a few large pieces are cheaper added up.
  return rung && { text: pieces.length > 64 ? pieces.join('') : pieces.reduce((whole, piece) => whole + piece, ''), rung };
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
