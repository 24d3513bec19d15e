const TAG = 'external_content';
const SOURCE_UNITS = 200;

/** Signs that show nothing, so that letters on both sides of them read as neighbours. */
const UNSEEN = String.raw`\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}`;
/** A letter of the tag in any case, also in its full width. */
const letter = (sign: string) => {
  if (sign === '_') return '[_＿﹍﹎﹏]';
  const wide = String.fromCharCode(sign.charCodeAt(0) - 0x61 + 0xff41);
  return `[${sign}${sign.toUpperCase()}${wide}${wide.toUpperCase()}]`;
};
const LESS = '[<＜﹤]';
/** Both classes hold neither `<` nor a letter, so each place is looked at once and the search stays linear. */
const FORGED = new RegExp(`${LESS}(?=[\\s/\\\\／＼${UNSEEN}]*${[...TAG].map(letter).join(`[${UNSEEN}]*`)})`, 'gu');
/** What the name of a source may not hold; a plain space is as good as a letter, servers are called so. */
const UNFIT = new RegExp(`(?:["'\`<>&\\p{Surrogate}${UNSEEN}]|[^\\S ])+`, 'gu');

/**
 * Wraps text from outside, so that the model can tell it from what this project says.
 *
 * In     `text` already cut; `source` the host or server it came from, undefined = unknown.
 * Out    one opening tag, the text, one closing tag. Inside nothing can be read as either: the `<` of a tag of this name becomes `&lt;`; all else stays as it is.
 * Fails  never.
 * Source governance 10.
 */
export function wrapExternal(text: string, source: string | undefined): string {
  return `<${TAG} source="${plainSource(source)}">\n${text.replace(FORGED, '&lt;')}\n</${TAG}>`;
}

/** The text inside a wrapped one; undefined when `text` is not wrapped. */
export function insideExternal(text: string): { readonly source: string; readonly body: string } | undefined {
  const found = new RegExp(`^<${TAG} source="([^"<>\\n]*)">\\n([\\s\\S]*)\\n</${TAG}>`).exec(text);
  return found === null ? undefined : { source: found[1] as string, body: found[2] as string };
}

function plainSource(source: string | undefined): string {
  const plain = (source ?? '')
    .replace(UNFIT, '_')
    .slice(0, SOURCE_UNITS)
    .replace(/\p{Surrogate}/gu, '_')
    .trim();
  return /^[_ ]*$/.test(plain) ? 'unknown' : plain;
}
