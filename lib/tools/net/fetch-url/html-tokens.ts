import { decodeEntities } from './html-entities';

export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** Elements whose content is no markup: it ends only at their own closing tag. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'noscript', 'iframe', 'xmp', 'noembed', 'noframes', 'plaintext']);
const NAME = /[a-zA-Z][^\s/>]*/y;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/y;

/**
 * Splits HTML into tags and text, in one pass.
 *
 * In     any text; broken markup is read the way browsers mostly do, and what is no tag is text.
 * Out    names in lower case, entities decoded in text and attributes; comments, doctypes and processing instructions left out.
 */
export function* readHtml(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    if (tag < 0) break;
    const next = html.charAt(tag + 1);
    if (next === '!' || next === '?') {
      if (tag > at) yield text(html.slice(at, tag));
      at = afterDeclaration(html, tag);
      continue;
    }
    NAME.lastIndex = tag + (next === '/' ? 2 : 1);
    const name = NAME.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      // A lone `<` is text; the search goes on behind it.
      yield text(html.slice(at, tag + 1));
      at = tag + 1;
      continue;
    }
    if (tag > at) yield text(html.slice(at, tag));
    if (next === '/') {
      const end = html.indexOf('>', NAME.lastIndex);
      at = end < 0 ? html.length : end + 1;
      yield { kind: 'close', name };
      continue;
    }
    const { attributes, end } = readAttributes(html, NAME.lastIndex);
    at = end;
    yield { kind: 'open', name, attributes };
    if (!RAW.has(name)) continue;
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    closing.lastIndex = at;
    const found = closing.exec(html);
    const stop = found === null ? html.length : found.index;
    if (stop > at) yield text(html.slice(at, stop));
    const close = found === null ? -1 : html.indexOf('>', stop);
    at = close < 0 ? html.length : close + 1;
    yield { kind: 'close', name };
  }
  if (at < html.length) yield text(html.slice(at));
}

function text(raw: string): HtmlToken {
  return { kind: 'text', text: decodeEntities(raw) };
}

function readAttributes(html: string, from: number): { readonly attributes: ReadonlyMap<string, string>; readonly end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    at = ATTRIBUTE.lastIndex;
    const name = (found[1] as string).toLowerCase();
    if (!attributes.has(name)) attributes.set(name, decodeEntities(found[2] ?? found[3] ?? found[4] ?? ''));
  }
  const end = html.indexOf('>', at);
  return { attributes, end: end < 0 ? html.length : end + 1 };
}

function afterDeclaration(html: string, tag: number): number {
  const isComment = html.startsWith('<!--', tag);
  const end = isComment ? html.indexOf('-->', tag + 4) : html.indexOf('>', tag);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}
