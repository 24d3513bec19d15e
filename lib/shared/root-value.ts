/**
 * blank: white space only. open: inside the root value. scalar: the root is a number or a word, which only the end of the
 * text completes. complete: the root value has ended. overrun: something else follows it.
 */
export type RootState = 'blank' | 'open' | 'scalar' | 'complete' | 'overrun';

export interface RootValueScan {
  push(text: string): void;
  readonly state: RootState;
  /** The text is `{}` and white space so far. */
  readonly isEmptyObject: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
const isOpener = (unit: number): boolean => unit === 0x7b || unit === 0x5b;
const isCloser = (unit: number): boolean => unit === 0x7d || unit === 0x5d;

/**
 * Says, while JSON text arrives in fragments, whether its root value has ended, by one running depth count.
 *
 * In     fragments in order, cut anywhere.
 * Out    `state`; the count does not validate: `{x}` is complete and still no JSON.
 * Order  linear in the text, constant memory.
 */
export function createRootValueScan(): RootValueScan {
  let state: RootState = 'blank';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let root = 0;
  let hasContent = false;

  const outsideString = (unit: number): void => {
    if (isSpace(unit)) return;
    if (state === 'complete') {
      state = 'overrun';
    } else if (state === 'blank') {
      root = unit;
      inString = unit === QUOTE;
      depth = isOpener(unit) ? 1 : 0;
      state = inString || depth === 1 ? 'open' : 'scalar';
    } else if (state === 'open') {
      if (unit === QUOTE) inString = true;
      if (isOpener(unit)) depth++;
      if (isCloser(unit)) depth--;
      if (depth === 0) state = 'complete';
      else hasContent = true;
    }
  };

  return {
    push(text) {
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (!inString) outsideString(unit);
        else if (escaped) escaped = false;
        else if (unit === BACKSLASH) escaped = true;
        else if (unit === QUOTE) {
          inString = false;
          if (depth === 0) state = 'complete';
        }
      }
    },
    get state() {
      return state;
    },
    get isEmptyObject() {
      return state === 'complete' && root === 0x7b && !hasContent;
    },
  };
}
