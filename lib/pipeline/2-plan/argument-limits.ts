import type { Json, JsonObject } from '@/lib/shared/json';

export const ARGUMENT_LIMIT_BYTES = 1_048_576;
export const ARGUMENT_LIMIT_LEVELS = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Strings are short as a rule: so many bytes are read one by one before jumping to the next quote. */
const WALKED_BYTES = 32;

const encoder = new TextEncoder();
let scratch: Uint8Array | undefined;

/** True over 1 MiB of UTF-8. */
export function isTooLarge(text: string): boolean {
  if (text.length * 3 <= ARGUMENT_LIMIT_BYTES) return false;
  if (text.length > ARGUMENT_LIMIT_BYTES) return true;
  // Encoding into room of just that size is the quickest way to ask whether the bytes fit.
  return encoder.encodeInto(text, room()).read < text.length;
}

/**
 * True when text of at most 1 MiB nests too deep, JSON or not.
 *
 * In     one running count outside of strings: `{` and `[` add one, `}` and `]` take one off, never below 0.
 * Order  one pass over the bytes, several times quicker than over UTF-16 units; few brackets in all need none.
 */
export function isTextTooDeep(text: string): boolean {
  return hasManyOpeners(text) && nestsTooDeep(room(), encoder.encodeInto(text, room()).written);
}

/** The same for text that did parse, asked of its value, where long strings cost nothing. `length`: of the text. */
export function isValueTooDeep(value: Json, length: number): boolean {
  return length > 2 * ARGUMENT_LIMIT_LEVELS && exceeds(value, ARGUMENT_LIMIT_LEVELS);
}

function exceeds(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if (typeof item === 'object' && exceeds(item, levels - 1)) return true;
    return false;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const member = members[key] as Json;
    if (typeof member === 'object' && exceeds(member, levels - 1)) return true;
  }
  return false;
}

function room(): Uint8Array {
  scratch ??= new Uint8Array(ARGUMENT_LIMIT_BYTES);
  return scratch;
}

function hasManyOpeners(text: string): boolean {
  if (text.length <= ARGUMENT_LIMIT_LEVELS) return false;
  let openers = 0;
  for (const opener of ['{', '[']) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++openers > ARGUMENT_LIMIT_LEVELS) return true;
  }
  return false;
}

function nestsTooDeep(bytes: Uint8Array, length: number): boolean {
  let depth = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      const walkTo = Math.min(length, i + WALKED_BYTES);
      let isClosed = false;
      for (i++; i < walkTo; i++) {
        const inside = bytes[i] as number;
        if (inside === QUOTE) {
          isClosed = true;
          break;
        }
        if (inside === BACKSLASH) i++;
      }
      if (!isClosed) i = endOfString(bytes, i, length);
    } else if ((byte | 0x20) === 0x7b) {
      // Bit 5 set makes one of `[` and `{`, and one of `]` and `}`.
      if (++depth > ARGUMENT_LIMIT_LEVELS) return true;
    } else if ((byte | 0x20) === 0x7d && depth > 0) depth--;
  }
  return false;
}

/** Index of the quote that ends a string of which every byte before `from` is settled; at least `length` when none does. */
function endOfString(bytes: Uint8Array, from: number, length: number): number {
  let settled = from;
  for (let quote = bytes.indexOf(QUOTE, settled); quote >= 0 && quote < length; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let backslashes = 0;
    while (quote - 1 - backslashes >= settled && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    settled = quote + 1;
  }
  return length;
}
