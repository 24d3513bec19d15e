import type { WebHop } from '@/lib/contracts/network';
import { CodedError } from '@/lib/shared/coded-error';
import { withoutLogin } from './page-hop';
import { answerHeader, hopLimitBytes, proxyHeader, readHopHead, readHopProblem } from './proxy-messages';
import { readUpTo } from './read-up-to';

/** Requests made by the fetch route of the server that the page came from: it resolves names and checks their addresses. */
export function createProxiedHop(ports: { readonly fetch: typeof fetch; readonly proxyUrl: string }): WebHop {
  return {
    resolves: 'checked',
    async request(url, maxBytes, signal) {
      let response: Response;
      try {
        response = await ports.fetch(ports.proxyUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json', [proxyHeader]: '1' },
          body: JSON.stringify({ url: withoutLogin(url), maxBytes: Math.min(maxBytes, hopLimitBytes) }),
          credentials: 'omit',
          cache: 'no-store',
          signal,
        });
      } catch (error) {
        signal.throwIfAborted();
        throw new CodedError('not-available', `The fetch proxy of this page (${ports.proxyUrl}) does not answer. ${url.host} was not asked. Try again later.`, {
          cause: error,
        });
      }
      const { bytes } = await readUpTo(response.body, hopLimitBytes);
      const head = response.headers.get(answerHeader);
      const answer = response.ok && head !== null ? readHopHead(head, bytes) : undefined;
      if (answer !== undefined) return answer;
      const problem = readHopProblem(new TextDecoder().decode(bytes));
      if (problem !== undefined) throw new CodedError(problem.code, problem.message);
      throw new CodedError('not-available', `What answers at ${ports.proxyUrl} is no fetch proxy (status ${response.status}). ${url.host} was not asked.`);
    },
  };
}
