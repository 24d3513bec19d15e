const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Strings are short as a rule: read this many units one by one before jumping to the next quote. */
const WALKED_UNITS = 24;

/**
 * True when the brackets of `text` nest deeper than `limit`; text need not be valid JSON.
 *
 * In     one running count outside of strings: `{` and `[` add one, `}` and `]` take one off, never below 0.
 * Out    true as soon as the count passes `limit`.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit || !hasMoreOpenersThan(text, limit)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i);
    else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > limit) return true;
    } else if ((unit === 0x7d || unit === 0x5d) && depth > 0) depth--;
  }
  return false;
}

/** Most texts have few brackets in all, which the search of the engine finds out far quicker than a walk. */
function hasMoreOpenersThan(text: string, limit: number): boolean {
  let openers = 0;
  for (const opener of ['{', '[']) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++openers > limit) return true;
  }
  return false;
}

/** Index of the quote that closes the string opened at `from`; the length of `text` when none does. */
function endOfString(text: string, from: number): number {
  const walkTo = Math.min(text.length, from + WALKED_UNITS);
  let i = from + 1;
  for (; i < walkTo; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) return i;
    if (unit === BACKSLASH) i++;
  }
  // Every unit before `i` is settled, so backslashes are counted back to `i` at most.
  for (let quote = text.indexOf('"', i); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - 1 - backslashes >= i && text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    i = quote + 1;
  }
  return text.length;
}
