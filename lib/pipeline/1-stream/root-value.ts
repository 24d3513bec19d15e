/** Follows argument text as it arrives and tells when its root value is complete. */
export interface RootValue {
  /** Takes the next text; answers whether the root value is complete now, with nothing but white space after it. */
  push(text: string): boolean;
  readonly complete: boolean;
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/**
 * Makes one for a call on a wire that has no block ends.
 *
 * Out    complete when the brackets are balanced outside of strings; a root string at its closing quote; a number only
 *        once white space follows, since it could go on.
 * Order  one running depth count, linear in the text.
 * Source governance 4, speculative start.
 */
export function createRootValue(): RootValue {
  let state: 'before' | 'inside' | 'bare' | 'after' | 'broken' = 'before';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let bare = '';

  const step = (unit: number) => {
    if (inString) {
      if (escaped) escaped = false;
      else if (unit === 0x5c) escaped = true;
      else if (unit === 0x22) {
        inString = false;
        if (depth === 0) state = 'after';
      }
      return;
    }
    const space = unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
    if (state === 'after') {
      if (!space) state = 'broken';
    } else if (state === 'bare') {
      if (space) state = 'after';
      else if (bare.length < 5) bare += String.fromCharCode(unit);
    } else if (unit === 0x22) {
      inString = true;
      state = 'inside';
    } else if (unit === 0x7b || unit === 0x5b) {
      depth++;
      state = 'inside';
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--;
      if (depth <= 0) state = depth === 0 ? 'after' : 'broken';
    } else if (state === 'before' && !space) {
      state = 'bare';
      bare = String.fromCharCode(unit);
    }
  };

  return {
    push(text) {
      for (let i = 0; i < text.length && state !== 'broken'; i++) step(text.charCodeAt(i));
      return this.complete;
    },
    get complete() {
      return state === 'after' || (state === 'bare' && LITERALS.has(bare));
    },
  };
}
