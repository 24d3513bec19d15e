const legal = /^[a-zA-Z0-9_-]{1,64}$/;
const LIMIT = 64;

/** True for an id or tool name that every provider takes. */
export function isLegalId(text: string): boolean {
  return legal.test(text);
}

/**
 * A text that every provider takes as an id or tool name.
 *
 * Out    `^[a-zA-Z0-9_-]{1,64}$`; a legal text is left as it is, others are the same whenever they are given again.
 * Order  a text that had to be cut ends in a hash of the whole, so that two long ones do not become equal.
 */
export function legalId(text: string, whenEmpty: string): string {
  if (isLegalId(text)) return text;
  const clean = text.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (clean === '') return whenEmpty;
  return clean.length <= LIMIT ? clean : `${clean.slice(0, LIMIT - 9)}_${shortHash(text)}`;
}

/** `wanted`, or its first variant with a number that `taken` does not hold; the answer is added to `taken`. */
export function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) {
    const ending = `_${n}`;
    id = wanted.slice(0, LIMIT - ending.length) + ending;
  }
  taken.add(id);
  return id;
}

/** A stable hash of a text, no secret: FNV-1a over its UTF-16 units as 8 lower-case hexadecimal digits. */
export function shortHash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
