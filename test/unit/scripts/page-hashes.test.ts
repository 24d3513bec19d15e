import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inlineScriptHashes, withPolicy } from '@/scripts/static/page-hashes';

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const html =
  '<!DOCTYPE html><html><head><meta charSet="utf-8"/><link rel="stylesheet" href="/a.css"/><script src="/a.js" async=""></script></head><body><script>one()</script><script id="x">two()\n</script><script>one()</script></body></html>';

describe('the policy of a page made at build time', () => {
  it('names each script that stands in the page once, by its exact text, and none that is loaded', () => {
    expect(inlineScriptHashes(html)).toEqual([hash('one()'), hash('two()\n')]);
  });

  it('stands before everything that loads or runs, without what a meta cannot say', () => {
    const page = withPolicy(html);
    const [, policy = ''] = /<head><meta charSet="utf-8"\/><meta http-equiv="Content-Security-Policy" content="([^"]*)"\/><link/.exec(page) ?? [];
    expect(policy.split('; ').find((directive) => directive.startsWith('script-src'))).toBe(
      `script-src 'self' '${hash('one()')}' '${hash('two()\n')}' 'wasm-unsafe-eval'`,
    );
    expect([policy.includes("unsafe-eval'"), policy.includes("'unsafe-eval'"), policy.includes('frame-ancestors')]).toEqual([true, false, false]);
  });

  it('a page that begins otherwise is refused', () => {
    expect(() => withPolicy('<html><head><script>x</script><meta charSet="utf-8"/></head></html>')).toThrow('its policy has no place');
  });
});
