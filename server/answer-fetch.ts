import type { WebHop } from '@/lib/contracts/network';
import { answerHeader, type HopProblem, proxyHeader, readHopRequest, writeHopHead } from '@/lib/net/proxy-messages';
import { codeOf, messageOf } from '@/lib/shared/coded-error';

const requestLimitBytes = 64 * 1024;
/** Below the 30 s of the tool, so that the reason still reaches it. */
const timeoutMs = 25_000;

const fixed = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/**
 * Answers one request of the page's engine: one hop, to a public address, followed nowhere.
 *
 * Out    the body as bytes that no browser shows, its head in a header; else a problem as JSON.
 * Fails  never. Requests of other sites are refused: they carry another origin, and cannot set the header without being asked first.
 */
export async function answerFetch(request: Request, hop: WebHop): Promise<Response> {
  const refused = foreign(request);
  if (refused !== undefined) return problem(403, { code: 'permission-denied', message: refused });
  const text = await request.text();
  const asked = text.length > requestLimitBytes ? undefined : readHopRequest(text);
  if (asked === undefined || !URL.canParse(asked.url))
    return problem(400, { code: 'invalid-input', message: 'The fetch proxy wants {"url", "maxBytes"} as JSON.' });
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const answer = await hop.request(new URL(asked.url), asked.maxBytes, signal);
    if (answer.kind === 'opaque-redirect') return problem(502, { code: 'not-available', message: 'The redirect cannot be seen here.' });
    const headers = { ...fixed, 'content-type': 'application/octet-stream', 'content-disposition': 'attachment', [answerHeader]: writeHopHead(answer) };
    return new Response(answer.kind === 'body' ? new Uint8Array(answer.bytes) : null, { headers });
  } catch (error) {
    if (signal.aborted)
      return problem(504, {
        code: 'timeout',
        message: `${new URL(asked.url).host} did not answer within ${timeoutMs / 1000} seconds. Nothing came. Try again, or another address.`,
      });
    const code = codeOf(error) ?? 'not-available';
    return problem(code === 'permission-denied' ? 403 : 502, { code, message: messageOf(error) });
  }
}

/** Why a request is not one of our own page; undefined when it is. */
function foreign(request: Request): string | undefined {
  if (request.headers.get(proxyHeader) !== '1') return 'This address is for the page that this server hands out.';
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  // A browser says where a request comes from in one of the two, always; what says neither is no browser and has no page to protect.
  if (site !== null && site !== 'same-origin') return 'Other sites may not fetch through this server.';
  if (origin !== null && !sameHost(origin, request)) return 'Other sites may not fetch through this server.';
  return site === null && origin === null ? 'Requests need to say where they come from.' : undefined;
}

function sameHost(origin: string, request: Request): boolean {
  return URL.canParse(origin) && new URL(origin).host === (request.headers.get('host') ?? new URL(request.url).host);
}

function problem(status: number, body: HopProblem): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...fixed, 'content-type': 'application/json' } });
}
