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
  return new Scan();
}

class Scan implements RootValueScan {
  #state: RootState = 'blank';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #root = 0;
  #hasContent = false;

  push(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (!this.#inString) this.#outsideString(unit);
      else if (this.#escaped) this.#escaped = false;
      else if (unit === BACKSLASH) this.#escaped = true;
      else if (unit === QUOTE) {
        this.#inString = false;
        if (this.#depth === 0) this.#state = 'complete';
      }
    }
  }
  get state(): RootState {
    return this.#state;
  }
  get isEmptyObject(): boolean {
    return this.#state === 'complete' && this.#root === 0x7b && !this.#hasContent;
  }
  #outsideString(unit: number): void {
    if (isSpace(unit)) return;
    if (this.#state === 'complete') {
      this.#state = 'overrun';
    } else if (this.#state === 'blank') {
      this.#root = unit;
      this.#inString = unit === QUOTE;
      this.#depth = isOpener(unit) ? 1 : 0;
      this.#state = this.#inString || this.#depth === 1 ? 'open' : 'scalar';
    } else if (this.#state === 'open') {
      if (unit === QUOTE) this.#inString = true;
      if (isOpener(unit)) this.#depth++;
      if (isCloser(unit)) this.#depth--;
      if (this.#depth === 0) this.#state = 'complete';
      else this.#hasContent = true;
    }
  }
}
