import { type FetchWeb, type HostRules, ServersWords, type WebHop, type WebRequest, type WebResponse } from '@/lib/contracts/network';
import { CodedError } from '@/lib/shared/coded-error';
import { checkTarget, redirectsMost, type TargetVerdict } from './check-target';

/**
 * Makes the fetcher: it follows redirects by hand, and decides about each of them anew.
 *
 * In     `hop` makes single requests. `proxyWords`: how a person lets this place follow redirects, as a sentence.
 * Fails  rejects with CodedError `permission-denied`, `not-available`, `invalid-input` (behind a redirect with `ServersWords` of the same codes), or the signal's reason;
 *        the message says what the model can do.
 * Source governance 10.
 */
export function createFetcher(ports: { readonly hop: WebHop; readonly proxyWords: string }): FetchWeb {
  const { hop } = ports;
  const resolution = hop.resolves === 'checked' ? ({ kind: 'at-connect' } as const) : ({ kind: 'none' } as const);
  const follow = async (request: WebRequest, rules: HostRules, signal: AbortSignal, led: (host: string) => void): Promise<WebResponse> => {
    let target = allowed(checkTarget(request.url, rules, resolution), request.url, undefined);
    for (let redirects = 0; ; redirects++) {
      signal.throwIfAborted();
      const answer = await hop.request(target.url, request.maxBytes, signal);
      if (answer.kind === 'body') {
        const { status, contentType, bytes, truncated } = answer;
        return { url: target.url.href, host: target.host, status, contentType, bytes, truncated, redirects };
      }
      if (answer.kind === 'opaque-redirect')
        throw new CodedError(
          'not-available',
          `${target.host} answers with a redirect, and a page cannot see where it leads, so it was not followed. ${ports.proxyWords} Or call with the address that ${target.host} redirects to.`,
        );
      if (redirects >= redirectsMost)
        throw new CodedError(
          'not-available',
          `${target.host}: more than ${redirectsMost} redirects in a row; the last one was not followed. Call with the final address.`,
        );
      led(target.host);
      target = allowed(checkTarget(answer.location, rules, resolution, target.url), answer.location, target.host);
    }
  };
  return async (request, rules, signal) => {
    let from: string | undefined;
    try {
      return await follow(request, rules, signal, (host) => {
        from ??= host;
      });
    } catch (error) {
      // Behind a redirect every address, also a mere name, is what a server wrote.
      if (from === undefined || signal.aborted || !(error instanceof CodedError)) throw error;
      throw new ServersWords(error.code, error.message, from);
    }
  };
}

type Allowed = Extract<TargetVerdict, { verdict: 'allow' }>;

function allowed(target: TargetVerdict, asked: string, from: string | undefined): Allowed {
  if (target.verdict === 'allow') return target;
  const what = target.host ?? 'the address';
  const led = from === undefined ? '' : `${from} redirects to ${what}, which was not followed: `;
  if (target.verdict === 'ask')
    throw new CodedError(
      'permission-denied',
      `${led}nobody has allowed ${what} yet. Call again with ${from === undefined ? 'this address' : target.url.href} as its url; the person is then asked.`,
    );
  if (target.reason === 'invalid_url') throw new CodedError('invalid-input', `${led}${invalidWords(asked)}`);
  throw new CodedError('permission-denied', `${led}${what} may not be reached: ${target.detail}. Nothing was sent there. ${advice(target.reason)}`);
}

function invalidWords(asked: string): string {
  const shown = asked.length > 100 ? `${asked.slice(0, 100)}…` : asked;
  return `${JSON.stringify(shown)} is no complete URL. Send one such as "https://example.com/page".`;
}

function advice(reason: Extract<TargetVerdict, { verdict: 'block' }>['reason']): string {
  if (reason === 'scheme') return 'Send an address that begins with https:// or http://.';
  if (reason === 'policy_deny') return 'Go on without it, or ask the person to change the host rules.';
  if (reason === 'unresolvable') return 'Check the name.';
  return 'Only public addresses are fetched; a server of this workspace is reached by the shell and the preview instead.';
}
