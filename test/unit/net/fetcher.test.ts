import { describe, expect, it } from 'vitest';
import type { HopAnswer, HostRules, WebHop } from '@/lib/contracts/network';
import { createFetcher } from '@/lib/net/fetcher';
import { createPageHop } from '@/lib/net/page-hop';
import { codeOf, messageOf } from '@/lib/shared/coded-error';

const open: HostRules = { policy: { default: 'allow' } };
const { signal } = new AbortController();
const body = (text: string): HopAnswer => ({ kind: 'body', status: 200, contentType: 'text/plain', bytes: new TextEncoder().encode(text), truncated: false });
const redirect = (location: string): HopAnswer => ({ kind: 'redirect', status: 302, location });

/** Answers by address; anything else is a body that names it. */
function hopOf(answers: Readonly<Record<string, HopAnswer>>, resolves: WebHop['resolves'] = 'checked') {
  const asked: string[] = [];
  const hop: WebHop = {
    resolves,
    async request(url) {
      asked.push(url.href);
      return answers[url.href] ?? body(url.href);
    },
  };
  return { asked, fetchWeb: createFetcher({ hop, proxyWords: 'Set the proxy.' }) };
}

async function failure(work: Promise<unknown>) {
  return work.then(
    () => 'it came through',
    (error: unknown) => ({ code: codeOf(error), message: messageOf(error) }),
  );
}

describe('fetching', () => {
  it('follows redirects by hand, relative ones too, and says where the bytes are from', async () => {
    const { asked, fetchWeb } = hopOf({ 'https://a.example/x': redirect('/y'), 'https://a.example/y': redirect('https://b.example/z') });
    expect(await fetchWeb({ url: 'https://a.example/x', maxBytes: 100 }, open, signal)).toMatchObject({
      url: 'https://b.example/z',
      host: 'b.example',
      redirects: 2,
    });
    expect(asked).toEqual(['https://a.example/x', 'https://a.example/y', 'https://b.example/z']);
  });

  it('follows five redirects and no sixth', async () => {
    const chain = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`https://a.example/${i}`, redirect(`/${i + 1}`)]));
    expect((await hopOf(chain(5)).fetchWeb({ url: 'https://a.example/0', maxBytes: 1 }, open, signal)).redirects).toBe(5);
    const six = hopOf(chain(6));
    expect(await failure(six.fetchWeb({ url: 'https://a.example/0', maxBytes: 1 }, open, signal))).toMatchObject({ code: 'not-available' });
    expect(six.asked).toHaveLength(6);
  });

  it('sends nothing to a redirect that leads to a private address, a denied host, or one that nobody was asked about', async () => {
    const to = (location: string) => hopOf({ 'https://a.example/': redirect(location) });
    const rules: HostRules = { policy: { default: 'ask', deny: ['bad.example'] }, approved: ['a.example'] };
    for (const [location, part] of [
      ['http://169.254.169.254/latest', '169.254.169.254 may not be reached: 169.254.169.254: link-local'],
      ['https://bad.example/', 'bad.example may not be reached: the host policy denies "bad.example"'],
      ['https://other.example/p', 'nobody has allowed other.example yet. Call again with https://other.example/p as its url'],
      ['file:///etc/passwd', 'only http and https are fetched'],
    ] as const) {
      const { asked, fetchWeb } = to(location);
      const failed = await failure(fetchWeb({ url: 'https://a.example/', maxBytes: 1 }, rules, signal));
      expect(failed).toMatchObject({ code: 'permission-denied', message: expect.stringContaining(part) });
      expect(failed).toMatchObject({ message: expect.stringMatching(/^a\.example redirects to /) });
      expect(asked).toEqual(['https://a.example/']);
    }
  });

  it('asks policy and earlier answers about the address that a redirect leads to', async () => {
    const { fetchWeb } = hopOf({ 'https://a.example/': redirect('https://b.example/q') });
    const denying: HostRules = { policy: { default: 'allow' }, approved: ['a.example'], decides: (url) => (url.includes('b.example') ? 'deny' : 'allow') };
    expect(await failure(fetchWeb({ url: 'https://a.example/', maxBytes: 1 }, denying, signal))).toMatchObject({ code: 'permission-denied' });
    const rules: HostRules = { policy: {}, approved: ['a.example'], decides: (url) => (url.startsWith('https://b.example/') ? 'allow' : 'ask') };
    expect((await fetchWeb({ url: 'https://a.example/', maxBytes: 1 }, rules, signal)).host).toBe('b.example');
  });

  it('teaches when the address is none', async () => {
    const { asked, fetchWeb } = hopOf({});
    expect(await failure(fetchWeb({ url: 'example.com/x', maxBytes: 1 }, open, signal))).toEqual({
      code: 'invalid-input',
      message: '"example.com/x" is no complete URL. Send one such as "https://example.com/page".',
    });
    expect(asked).toEqual([]);
  });

  it('in the page alone names the host and the setting where a redirect cannot be followed', async () => {
    const { fetchWeb } = hopOf({ 'https://a.example/': { kind: 'opaque-redirect' } }, 'none');
    const failed = await failure(fetchWeb({ url: 'https://a.example/', maxBytes: 1 }, { policy: {}, approved: ['a.example'] }, signal));
    expect(failed).toMatchObject({ code: 'not-available', message: expect.stringMatching(/^a\.example answers with a redirect.*Set the proxy\./) });
  });

  it('in the page alone asks about every name that nobody allowed, also where hosts are allowed by default', async () => {
    const { asked, fetchWeb } = hopOf({}, 'none');
    expect(await failure(fetchWeb({ url: 'https://a.example/', maxBytes: 1 }, open, signal))).toMatchObject({ code: 'permission-denied' });
    expect(asked).toEqual([]);
  });
});

describe('a request by the browser', () => {
  const page = (fetch: unknown) => createPageHop({ fetch: fetch as typeof globalThis.fetch, proxyWords: 'Set the proxy.' });

  it('follows nothing and sends no cookies, referrer or login', async () => {
    const seen: unknown[] = [];
    const hop = page(async (url: string, init: RequestInit) => {
      seen.push(url, init.redirect, init.credentials, init.referrerPolicy);
      return { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null };
    });
    expect(await hop.request(new URL('https://user:pw@a.example/x#y'), 10, signal)).toEqual({ kind: 'opaque-redirect' });
    expect(seen).toEqual(['https://a.example/x', 'manual', 'omit', 'no-referrer']);
  });

  it('stops reading at the limit', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(1_000)),
      cancel() {
        cancelled = true;
      },
    });
    const answer = await page(async () => new Response(endless)).request(new URL('https://a.example/'), 2_500, signal);
    expect(answer).toMatchObject({ kind: 'body', truncated: true });
    expect(answer.kind === 'body' ? answer.bytes.length : 0).toBe(2_500);
    expect(cancelled).toBe(true);
  });

  it('says what may be wrong, and the setting that helps, where the browser says nothing', async () => {
    const hop = page(async () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(hop.request(new URL('https://a.example/'), 1, signal))).toEqual({
      code: 'not-available',
      message: 'a.example could not be read from this page: it does not answer, or it does not let other pages read it. Set the proxy.',
    });
  });
});
