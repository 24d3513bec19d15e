/**
 * A copy of a text that was cut from a longer one: engines let a part hold on to the whole, which then stays in memory as long as the part.
 *
 * Out    the same text, with its lone surrogates.
 */
export function ownText(text: string): string {
  return structuredClone(text);
}
