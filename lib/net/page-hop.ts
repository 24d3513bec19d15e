import type { WebHop } from '@/lib/contracts/network';
import { CodedError } from '@/lib/shared/coded-error';
import { readUpTo } from './read-up-to';

/**
 * Requests made by the browser itself: names cannot be resolved before, and redirects stay hidden.
 *
 * In     `proxyWords`: how a person lets this place reach what does not let pages read it.
 */
export function createPageHop(ports: { readonly fetch: typeof fetch; readonly proxyWords: string }): WebHop {
  return {
    resolves: 'none',
    async request(url, maxBytes, signal) {
      let response: Response;
      try {
        response = await ports.fetch(withoutLogin(url), { redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', signal });
      } catch (error) {
        signal.throwIfAborted();
        throw new CodedError(
          'not-available',
          `${url.host} could not be read from this page: it does not answer, or it does not let other pages read it. ${ports.proxyWords}`,
          { cause: error },
        );
      }
      if (response.type === 'opaqueredirect' || response.status === 0) return { kind: 'opaque-redirect' };
      const contentType = (response.headers.get('content-type') ?? '').toLowerCase();
      return { kind: 'body', status: response.status, contentType, ...(await readUpTo(response.body, maxBytes)) };
    },
  };
}

/** Name and password in an address are sent to nobody. */
export function withoutLogin(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  return plain.href;
}
