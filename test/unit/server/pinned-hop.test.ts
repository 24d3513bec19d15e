import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from '@/lib/net/fetcher';
import { createProxiedHop } from '@/lib/net/proxied-hop';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { answerFetch } from '@/server/answer-fetch';
import { createPinnedHop } from '@/server/pinned-hop';

const { signal } = new AbortController();
const requests: IncomingMessage[] = [];
let server: Server;
let origin = '';

function answer(request: IncomingMessage, response: ServerResponse): void {
  requests.push(request);
  const path = request.url ?? '';
  if (path === '/away') response.writeHead(302, { location: '/there' }).end('moved');
  else if (path === '/inward') response.writeHead(302, { location: 'http://127.0.0.2/admin' }).end();
  else if (path === '/packed') response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(gzipSync('z'.repeat(500_000)));
  else if (path === '/hang') return;
  else if (path === '/cut') response.socket?.destroy();
  else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('hello');
}

beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The stand-in lies on this machine, so its origin, and only that, is exempt here. */
const near = () => createPinnedHop({ exemptOrigins: [origin] });

async function failure(work: Promise<unknown>) {
  return work.then(
    () => 'it came through',
    (error: unknown) => ({ code: codeOf(error), message: messageOf(error) }),
  );
}

describe('a request to a checked address', () => {
  it('brings the body, and follows nothing', async () => {
    expect(await near().request(new URL(`${origin}/x`), 100, signal)).toEqual({
      kind: 'body',
      status: 200,
      contentType: 'text/plain; charset=utf-8',
      bytes: new Uint8Array([104, 101, 108, 108, 111]),
      truncated: false,
    });
    expect(await near().request(new URL(`${origin}/away`), 100, signal)).toEqual({ kind: 'redirect', status: 302, location: '/there' });
  });

  it('unpacks no more than was asked for', async () => {
    const packed = await near().request(new URL(`${origin}/packed`), 1_000, signal);
    expect(packed).toMatchObject({ kind: 'body', truncated: true });
    expect(packed.kind === 'body' ? packed.bytes.length : 0).toBe(1_000);
  });

  it('goes nowhere when any answer for the name is a private one, and to no second answer', async () => {
    const before = requests.length;
    const { port } = new URL(origin);
    let lookUps = 0;
    const rebinding = createPinnedHop({
      resolve: async () => {
        lookUps++;
        return lookUps === 1 ? ['93.184.216.34', '127.0.0.1'] : ['93.184.216.34'];
      },
    });
    expect(await failure(rebinding.request(new URL(`http://rebind.example:${port}/`), 10, signal))).toEqual({
      code: 'permission-denied',
      message: 'rebind.example may not be reached: 127.0.0.1: loopback. Nothing was sent there. Only public addresses are fetched.',
    });
    expect(await failure(createPinnedHop().request(new URL(origin), 10, signal))).toMatchObject({ code: 'permission-denied' });
    expect(await failure(createPinnedHop({ resolve: async () => [] }).request(new URL('http://nx.example/'), 10, signal))).toMatchObject({
      message: expect.stringContaining('the name has no address'),
    });
    expect([lookUps, requests.length]).toEqual([1, before]);
  });

  it('connects to the address of the look-up that was checked, under the name that was asked for', async () => {
    const { port } = new URL(origin);
    let lookUps = 0;
    // The name is exempt, so that its look-up may lead to the stand-in on this machine.
    const hop = createPinnedHop({
      exemptOrigins: [`http://stand-in.example:${port}`],
      resolve: async () => {
        lookUps++;
        return ['127.0.0.1'];
      },
    });
    expect(await hop.request(new URL(`http://user:pw@stand-in.example:${port}/x?y`), 10, signal)).toMatchObject({ kind: 'body', status: 200 });
    const last = requests.at(-1);
    expect([lookUps, last?.url, last?.headers.host, last?.headers.authorization, last?.headers.cookie]).toEqual([
      1,
      '/x?y',
      `stand-in.example:${port}`,
      undefined,
      undefined,
    ]);
  });

  it('says so when nothing answers, and ends with its signal', async () => {
    expect(await failure(near().request(new URL(`${origin}/cut`), 10, signal))).toMatchObject({
      code: 'not-available',
      message: expect.stringContaining('did not answer'),
    });
    const stop = new AbortController();
    const hanging = near().request(new URL(`${origin}/hang`), 10, stop.signal);
    stop.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
  });
});

describe('the fetch route', () => {
  const post = (headers: Record<string, string>, body: unknown = { url: `${origin}/x`, maxBytes: 100 }) =>
    answerFetch(new Request('http://gatehouse.test/api/fetch', { method: 'POST', headers, body: JSON.stringify(body) }), near());
  const own = { 'x-gatehouse-fetch': '1', 'sec-fetch-site': 'same-origin' };

  it('refuses what does not come from its own page, before anything is sent', async () => {
    const before = requests.length;
    const foreign: readonly Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'x-gatehouse-fetch': '1' },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, origin: 'https://evil.example' },
      { 'x-gatehouse-fetch': '1', origin: 'null' },
    ];
    for (const headers of foreign) expect((await post(headers)).status).toBe(403);
    expect((await post(own, { url: 'nonsense', maxBytes: 1 })).status).toBe(400);
    expect((await post(own, { url: origin, maxBytes: 1, method: 'DELETE' })).status).toBe(400);
    expect(requests.length).toBe(before);
  });

  it('hands out bytes that no browser takes for a page', async () => {
    const response = await post({ ...own, origin: 'http://gatehouse.test' });
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
      response.headers.get('x-content-type-options'),
    ]).toEqual([200, 'application/octet-stream', 'attachment', 'nosniff']);
    expect(await response.text()).toBe('hello');
  });

  it('speaks with the engine: a redirect inward is decided in the engine and refused', async () => {
    const ask = (async (_: string, init: RequestInit) =>
      post({ ...(init.headers as Record<string, string>), 'sec-fetch-site': 'same-origin' }, JSON.parse(String(init.body)))) as unknown as typeof fetch;
    const fetchWeb = createFetcher({ hop: createProxiedHop({ fetch: ask, proxyUrl: 'http://gatehouse.test/api/fetch' }), proxyWords: '' });
    const rules = { policy: { default: 'allow' }, exemptOrigins: [origin] } as const;
    expect(await fetchWeb({ url: `${origin}/away`, maxBytes: 100 }, rules, signal)).toMatchObject({ url: `${origin}/there`, status: 200, redirects: 1 });
    expect(await failure(fetchWeb({ url: `${origin}/inward`, maxBytes: 100 }, rules, signal))).toMatchObject({
      code: 'permission-denied',
      message: expect.stringContaining('127.0.0.2 may not be reached'),
    });
    // What the engine let through, the route still judges for itself.
    const careless = { policy: { default: 'allow' }, exemptOrigins: ['http://10.0.0.1'] } as const;
    expect(await failure(fetchWeb({ url: 'http://10.0.0.1/', maxBytes: 100 }, careless, signal))).toMatchObject({ code: 'permission-denied' });
  });
});
