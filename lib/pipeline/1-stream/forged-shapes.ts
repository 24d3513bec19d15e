/**
 * The four shapes in which models write calls as text: `[TOOL_CALL]`, `<ns:tool_call …>`, `<｜DSML｜invoke …>`,
 * `<｜tool▁call▁begin｜>`. One opener is matched unit by unit, so that it may be cut anywhere.
 */

/** more: it may still become an opener. no: it is text. tag: an opener whose tag runs to the next `>`. whole: complete. */
export type OpenerStep = 'more' | 'no' | 'tag' | 'whole';

/** What ends a span: the folded `literal`, then white space where allowed, then the unit `last`. */
export interface Closer {
  readonly literal: string;
  readonly mayPad: boolean;
  readonly last: number;
}

export interface OpenerMatcher {
  /** Begins anew at `first`, which is `<` or `[`. */
  begin(first: number): void;
  feed(unit: number): OpenerStep;
}

const NAMES: ReadonlySet<string> = new Set(['tool_call', 'tool_calls', 'invoke', 'function_call', 'function_calls']);
const KINDS: ReadonlySet<string> = new Set(['call', 'calls', 'output', 'outputs']);
const LONGEST_NAME = 14;

const GREATER = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;
const LOWER_BLOCK = 0x2581;
const BAR = 0x7c;
const FULL_BAR = 0xff5c;

/** One UTF-16 unit in lower case. */
export function foldUnit(unit: number): number {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
  const lower = String.fromCharCode(unit).toLowerCase();
  // The one capital whose lower case is two units begins with a plain i, and is none.
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

function fold(text: string): string {
  let folded = '';
  for (let i = 0; i < text.length; i++) folded += String.fromCharCode(foldUnit(text.charCodeAt(i)));
  return folded;
}

export function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x80 && /\s/.test(String.fromCharCode(unit)));
}

function startsNamespace(unit: number): boolean {
  const folded = unit | 0x20;
  return (folded >= 0x61 && folded <= 0x7a) || unit === UNDERSCORE || (unit >= 0x80 && /\p{L}/u.test(String.fromCharCode(unit)));
}

function continuesNamespace(unit: number): boolean {
  return (
    startsNamespace(unit) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2d || unit === 0x2e || (unit >= 0x80 && /\p{Nd}/u.test(String.fromCharCode(unit)))
  );
}

/** Reads openers one unit at a time; memory does not grow with what is fed. */
export function createOpenerMatcher(): OpenerMatcher {
  type Stage = 'literal' | 'head' | 'identifier' | 'after-bar' | 'separator' | 'kind';
  let stage: Stage = 'head';
  let literal = '';
  let at = 0;
  let afterLiteral: 'whole' | Stage = 'whole';
  let bar = 0;
  let separator = 0;
  let word = '';
  let mayBeNamespace = false;

  const expect = (text: string, then: 'whole' | Stage): OpenerStep => {
    stage = 'literal';
    literal = text;
    at = 0;
    afterLiteral = then;
    return 'more';
  };
  const startWord = (namespace: boolean): OpenerStep => {
    stage = 'identifier';
    word = '';
    mayBeNamespace = namespace;
    return 'more';
  };
  const addToWord = (unit: number): OpenerStep => {
    if (word.length <= LONGEST_NAME) word += String.fromCharCode(foldUnit(unit));
    return 'more';
  };

  return {
    begin(first) {
      if (first === 0x5b) expect('tool_call]', 'whole');
      else stage = 'head';
    },
    feed(unit) {
      switch (stage) {
        case 'literal':
          if (foldUnit(unit) !== literal.charCodeAt(at)) return 'no';
          if (++at < literal.length) return 'more';
          if (afterLiteral === 'whole') return 'whole';
          stage = afterLiteral;
          if (stage === 'identifier') return startWord(false);
          word = '';
          return 'more';
        case 'head':
          if (unit === BAR || unit === FULL_BAR) {
            bar = unit;
            stage = 'after-bar';
            return 'more';
          }
          if (!startsNamespace(unit)) return 'no';
          startWord(true);
          return addToWord(unit);
        case 'identifier':
          if (unit === GREATER || unit === SLASH || isSpace(unit)) return NAMES.has(word) ? 'tag' : 'no';
          if (unit === COLON && mayBeNamespace) return startWord(false);
          if (mayBeNamespace ? continuesNamespace(unit) : unit < 0x80 && continuesNamespace(unit) && word.length < LONGEST_NAME) return addToWord(unit);
          return 'no';
        case 'after-bar': {
          const folded = foldUnit(unit);
          if (folded === 0x64) return expect(`sml${String.fromCharCode(bar)}`, 'identifier');
          if (folded === 0x74) return expect('ool', 'separator');
          return 'no';
        }
        case 'separator':
          if (unit !== LOWER_BLOCK && unit !== UNDERSCORE) return 'no';
          separator = unit;
          stage = 'kind';
          return 'more';
        case 'kind':
          if (unit === separator) return KINDS.has(word) ? expect(`begin${String.fromCharCode(bar)}>`, 'whole') : 'no';
          // Letters only: an opener that begins in the middle of this one must end it.
          return word.length < LONGEST_NAME && unit < 0x80 && /[a-z]/i.test(String.fromCharCode(unit)) ? addToWord(unit) : 'no';
      }
    },
  };
}

/** The closer that belongs to `opener`, the text of a matched opener: its whole tag or token, or only its head. */
export function closerOf(opener: string): Closer {
  if (opener.startsWith('[')) return { literal: '[/tool_call', mayPad: false, last: 0x5d };
  const second = opener.charCodeAt(1);
  const isBarred = second === BAR || second === FULL_BAR;
  if (isBarred && fold(opener.charAt(2)) === 't') {
    return { literal: fold(opener.slice(0, -1)).replace('begin', 'end'), mayPad: false, last: GREATER };
  }
  let end = 1;
  while (end < opener.length && opener.charCodeAt(end) !== GREATER && opener.charCodeAt(end) !== SLASH && !isSpace(opener.charCodeAt(end))) end++;
  return { literal: `</${fold(opener.slice(1, end))}`, mayPad: true, last: GREATER };
}
