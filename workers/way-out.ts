import type { FetchWeb } from '@/lib/contracts/network';
import { createFetcher } from '@/lib/net/fetcher';
import { createPageHop } from '@/lib/net/page-hop';
import { createProxiedHop } from '@/lib/net/proxied-hop';

/** What lets a page without a server reach more; `npm start` has it on. */
const proxyWords =
  'A fetch proxy can: this page has none (its setting is GATEHOUSE_FETCH_PROXY, the path of the proxy, when the page is built; `npm start` brings one).';

/**
 * The way from a page's engine to public pages: through the server's fetch route, or by the browser alone.
 *
 * In     `proxyPath` such as `/api/fetch`, '' = there is none; `origin` of the page.
 */
export function createWayOut(proxyPath: string, origin: string): FetchWeb {
  const ask: typeof fetch = (input, init) => fetch(input, init);
  if (proxyPath === '') return createFetcher({ hop: createPageHop({ fetch: ask, proxyWords }), proxyWords });
  return createFetcher({ hop: createProxiedHop({ fetch: ask, proxyUrl: new URL(proxyPath, origin).href }), proxyWords });
}
