import { type Closer, closerOf, createOpenerMatcher, foldUnit, isSpace } from './forged-shapes';
import { createFenceWatch } from './tagged-fence';

/** `offset`: UTF-16 position in the block's visible text at which `text` was hidden. */
export interface StrippedSpan {
  readonly offset: number;
  readonly text: string;
}

export interface FilterOutput {
  /** Text that may be shown now. */
  readonly visible: string;
  /** Spans that ended now. */
  readonly stripped: readonly StrippedSpan[];
  /** Something was hidden, or a fence is tagged as a call: the turn needs its notice. */
  readonly notice: boolean;
}

export interface ForgeryFilter {
  push(text: string): FilterOutput;
  /** The block is over; `insideAtEnd`: a hidden span was still open. */
  end(): FilterOutput & { readonly insideAtEnd: boolean };
}

const NOTHING_STRIPPED: readonly StrippedSpan[] = [];
const NO_CLOSER: Closer = { literal: '', mayPad: false, last: 0 };

const LESS = 0x3c;
const SQUARE = 0x5b;
const NEWLINE = 0x0a;
const BACKTICK = 0x60;
const PARENTHESIS = 0x28;
const SLASH = 0x2f;

/**
 * text: shown. opener: may become a forged call. tag: inside its tag. decide: opener complete, the next unit tells
 * whether it is a link or a mention. ticked: a backtick followed it. body: hidden up to the closer.
 */
type Where = 'text' | 'opener' | 'tag' | 'decide' | 'ticked' | 'body';

/**
 * Hides calls that were written as text from one text block of a model.
 *
 * In     the block's text in any chunks.
 * Out    the same visible text, spans and notice however it was cut; what might be an opener is held back until decided.
 * Fails  never.
 * Order  linear in the text, whatever it holds; a hidden span is kept in memory until it ends.
 * Source governance 4; an opener alone between two single backticks is talk about it and stays.
 */
export function createForgeryFilter(): ForgeryFilter {
  const matcher = createOpenerMatcher();
  const fence = createFenceWatch();
  let where: Where = 'text';
  /** Backticks directly before the current place, 2 = two or more. */
  let ticks = 0;
  /** The opener under way stands after one single backtick. */
  let mentionable = false;
  let selfClosing = false;
  let lastOfTagIsSlash = false;
  let closer = NO_CLOSER;
  let closerAt = 0;
  /** Everything since the opener's first unit, up to the current chunk. */
  let held = '';
  let shown = 0;

  function ticksBefore(text: string, from: number, to: number): number {
    let count = 0;
    let i = to;
    while (i > from && count < 2 && text.charCodeAt(i - 1) === BACKTICK) {
      i--;
      count++;
    }
    return i === from ? Math.min(2, count + ticks) : count;
  }

  /** Nearly all text is plain: this path makes nothing but its answer. */
  function push(text: string): FilterOutput {
    if (where !== 'text') return pushMarked(text, 0, false);
    const { length } = text;
    let notice = false;
    let i = fence.idle ? plainTo(text, 0) : 0;
    while (i < length) {
      const unit = text.charCodeAt(i);
      if (unit === LESS || unit === SQUARE) return pushMarked(text, i, notice);
      if (fence.step(unit)) notice = true;
      i++;
      if (fence.idle) i = plainTo(text, i);
    }
    if (i > 0) ticks = text.charCodeAt(i - 1) === BACKTICK ? ticksBefore(text, 0, i) : 0;
    shown += i;
    return { visible: text, stripped: NOTHING_STRIPPED, notice };
  }

  /** `scanned` units of `text` are plain and the fence watch has seen them. */
  function pushMarked(text: string, scanned: number, noticed: boolean): FilterOutput {
    const length = text.length;
    let visible = '';
    let stripped: StrippedSpan[] | undefined;
    let notice = noticed;
    let start = 0;
    let i = scanned;

    const show = (piece: string) => {
      visible = visible === '' ? piece : visible + piece;
      shown += piece.length;
    };
    const takeHeld = (to: number): string => {
      const piece = held === '' ? text.slice(start, to) : held + text.slice(start, to);
      held = '';
      start = to;
      return piece;
    };
    const backToText = (ticksHere: number) => {
      where = 'text';
      ticks = ticksHere;
    };
    const hide = (span: string) => {
      stripped ??= [];
      stripped.push({ offset: shown, text: span });
    };

    while (i < length) {
      if (where === 'text') {
        let unit = 0;
        for (; i < length; i++) {
          unit = text.charCodeAt(i);
          if (unit === LESS || unit === SQUARE) break;
          if ((unit === NEWLINE || !fence.idle) && fence.step(unit)) notice = true;
        }
        ticks = ticksBefore(text, start, i);
        if (i > start) show(text.slice(start, i));
        start = i;
        if (i === length) break;
        if (fence.brokeOff()) notice = true;
        mentionable = ticks === 1;
        matcher.begin(unit);
        where = 'opener';
        i++;
      } else if (where === 'opener') {
        const step = matcher.feed(text.charCodeAt(i));
        if (step === 'no') {
          show(takeHeld(i));
          backToText(0);
        } else if (step === 'tag') {
          where = 'tag';
          lastOfTagIsSlash = false;
          if (!mentionable) notice = true;
        } else {
          i++;
          if (step === 'whole') {
            where = 'decide';
            selfClosing = false;
          }
        }
      } else if (where === 'tag') {
        const close = text.indexOf('>', i);
        const to = close < 0 ? length : close;
        if (to > i) lastOfTagIsSlash = text.charCodeAt(to - 1) === SLASH;
        i = to;
        if (close >= 0) {
          i++;
          selfClosing = lastOfTagIsSlash;
          where = 'decide';
        }
      } else if (where === 'decide') {
        const unit = text.charCodeAt(i);
        if (unit === BACKTICK && mentionable) {
          where = 'ticked';
          i++;
        } else if (unit === PARENTHESIS && isBracket(held, text, start)) {
          show(takeHeld(i));
          backToText(0);
        } else {
          notice = true;
          if (selfClosing) {
            hide(takeHeld(i));
            backToText(0);
          } else enterBody(held === '' ? text.slice(start, i) : held + text.slice(start, i));
        }
      } else if (where === 'ticked') {
        if (text.charCodeAt(i) !== BACKTICK) {
          show(takeHeld(i));
          backToText(1);
        } else {
          notice = true;
          const opener = (held + text.slice(start, i)).slice(0, -1);
          if (selfClosing) {
            takeHeld(i);
            hide(opener);
            show('`');
            backToText(1);
          } else enterBody(opener);
        }
      } else {
        i = scanBody(text, i);
        if (closerAt < 0) {
          hide(takeHeld(i));
          backToText(0);
        }
      }
    }
    if (where !== 'text' && start < length) held = held === '' ? text.slice(start) : held + text.slice(start);
    return { visible, stripped: stripped ?? NOTHING_STRIPPED, notice };
  }

  function enterBody(opener: string): void {
    where = 'body';
    closer = closerOf(opener);
    closerAt = 0;
  }

  /** Index after what was read of the body; `closerAt` is -1 once the closer is complete. */
  function scanBody(text: string, from: number): number {
    const { literal, mayPad, last } = closer;
    let i = from;
    while (i < text.length) {
      if (closerAt === 0) {
        const next = text.indexOf(literal.charAt(0), i);
        if (next < 0) return text.length;
        closerAt = 1;
        i = next + 1;
        continue;
      }
      const unit = text.charCodeAt(i);
      if (closerAt < literal.length) {
        // Only the first unit of a closer can begin one, so a mismatch is looked at once more as a beginning.
        if (foldUnit(unit) === literal.charCodeAt(closerAt)) {
          closerAt++;
          i++;
        } else closerAt = 0;
      } else if (unit === last) {
        closerAt = -1;
        return i + 1;
      } else if (mayPad && isSpace(unit)) i++;
      else closerAt = 0;
    }
    return i;
  }

  function end(): FilterOutput & { readonly insideAtEnd: boolean } {
    const rest = held;
    const ended = where;
    held = '';
    where = 'text';
    if (ended === 'text' || ended === 'opener' || ended === 'ticked') {
      return { visible: rest, stripped: NOTHING_STRIPPED, notice: fence.brokeOff(), insideAtEnd: false };
    }
    return { visible: '', stripped: [{ offset: shown, text: rest }], notice: true, insideAtEnd: !(ended === 'decide' && selfClosing) };
  }

  return { push, end };
}

/** Where from `from` on something may open, or a line begins: all before it is plain while no fence may begin. */
function plainTo(text: string, from: number): number {
  let i = from;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Letters, most of all text, are through after one question.
    if (unit <= SQUARE && (unit === NEWLINE || unit === LESS || unit === SQUARE)) break;
  }
  return i;
}

function isBracket(held: string, text: string, start: number): boolean {
  return (held === '' ? text.charCodeAt(start) : held.charCodeAt(0)) === SQUARE;
}
