import { createHash } from 'node:crypto';
import { staticPagePolicy } from '@/security-headers';

/** Hashes of the scripts that stand in a page itself, each once, as a content policy writes them. */
export function inlineScriptHashes(html: string): readonly string[] {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].filter(([, attributes = '']) => !/\ssrc=/.test(attributes));
  return [...new Set(scripts.map(([, , text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`))];
}

/**
 * The page with its policy in a `meta` element, before anything that loads or runs.
 *
 * Fails  where the page does not begin as expected: a policy in the wrong place would protect nothing.
 */
export function withPolicy(html: string): string {
  const begin = /<head><meta charSet="utf-8"\/>/.exec(html);
  if (begin === null || /<(script|link|style)\b/.test(html.slice(0, begin.index)))
    throw new Error('The page does not begin with <head> and its charset, so its policy has no place.');
  const at = begin.index + begin[0].length;
  const policy = staticPagePolicy(inlineScriptHashes(html)).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `${html.slice(0, at)}<meta http-equiv="Content-Security-Policy" content="${policy}"/>${html.slice(at)}`;
}
