import { promises as dns, type LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { HopAnswer, WebHop } from '@/lib/contracts/network';
import { addressBytes } from '@/lib/net/address-class';
import { checkTarget, type TargetVerdict } from '@/lib/net/check-target';
import { plainHost } from '@/lib/net/host-entry';
import { readUpTo } from '@/lib/net/read-up-to';
import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';

export interface PinnedHopOptions {
  /** Every address of a name; rejects when there is none. Default the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Origins whose addresses are not judged; default none. */
  readonly exemptOrigins?: readonly string[];
}

/**
 * Requests made by Node: the name is resolved once, every answer is checked, and the connection goes to what was checked.
 *
 * Fails  see WebHop.
 * Order  nothing is sent before the check; a second look-up cannot change where it goes.
 */
export function createPinnedHop(options: PinnedHopOptions = {}): WebHop {
  const resolve = options.resolve ?? (async (name) => (await dns.lookup(name, { all: true })).map(({ address }) => address));
  const rules = { policy: { default: 'allow' }, exemptOrigins: options.exemptOrigins ?? [] } as const;
  return {
    resolves: 'checked',
    async request(url, maxBytes, signal) {
      refuse(url, checkTarget(url.href, rules, { kind: 'at-connect' }));
      const isName = addressBytes(plainHost(url.hostname)) === undefined;
      const addresses = isName ? await resolve(url.hostname).catch(() => []) : [];
      signal.throwIfAborted();
      if (isName) refuse(url, checkTarget(url.href, rules, { kind: 'answers', addresses }));
      if (isName && addresses.length === 0) throw new CodedError('not-available', `${url.hostname} has no address. Check the name.`);
      try {
        return await requestOnce(url, addresses, maxBytes, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CodedError) throw error;
        throw new CodedError('not-available', `${url.host} did not answer (${codeOf(error) ?? messageOf(error)}). Check the address, or try again later.`);
      }
    },
  };
}

function refuse(url: URL, target: TargetVerdict): void {
  if (target.verdict === 'allow') return;
  const detail = target.verdict === 'block' ? target.detail : 'nobody was asked about it';
  throw new CodedError('permission-denied', `${url.hostname} may not be reached: ${detail}. Nothing was sent there. Only public addresses are fetched.`);
}

function requestOnce(url: URL, addresses: readonly string[], maxBytes: number, signal: AbortSignal): Promise<HopAnswer> {
  const make = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((answer, fail) => {
    const request = make(
      {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port === '' ? undefined : url.port,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { accept: 'text/html,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5', 'accept-encoding': 'identity', 'user-agent': 'Gatehouse' },
        // A connection of its own: a kept one might lead to an address of an earlier look-up.
        agent: false,
        ...(addresses.length === 0 ? {} : { lookup: lookupAmong(addresses) }),
        signal,
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        if (status >= 300 && status < 400 && headers.location !== undefined) {
          response.destroy();
          answer({ kind: 'redirect', status, location: headers.location });
          return;
        }
        const contentType = (headers['content-type'] ?? '').toLowerCase();
        Promise.resolve(response)
          .then((packed) => readUpTo(unpacked(packed), maxBytes))
          .then((body) => answer({ kind: 'body', status, contentType, ...body }), fail)
          .finally(() => response.destroy());
      },
    );
    request.on('error', fail);
    request.end();
  });
}

/** Answers with the checked addresses, whatever is asked for. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const all: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_name, options, done) => {
    const first = all[0] as LookupAddress;
    if (options.all === true) done(null, all);
    else done(null, first.address, first.family);
  };
}

/** Asked for plain bytes, some servers pack them all the same; what is unpacked counts against the limit. */
function unpacked(response: http.IncomingMessage): ReadableStream<Uint8Array> {
  const bytes = Readable.toWeb(response) as ReadableStream<Uint8Array>;
  const packing = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (packing === 'identity' || packing === '') return bytes;
  if (packing !== 'gzip' && packing !== 'deflate')
    throw new CodedError('not-available', `The answer is packed as ${packing}, although plain bytes were asked for. It was not read.`);
  return bytes.pipeThrough(new DecompressionStream(packing) as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
}
