import { expect, test } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { ApprovalChoice } from '@/lib/contracts/approval';
import type { WebHop } from '@/lib/contracts/network';
import { createFetcher } from '@/lib/net/fetcher';
import { fetchUrl } from '@/lib/tools/net/fetch-url';
import { createEngineWorld } from '@/test/support/engine-world';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const policy = JSON.stringify({
  version: 1,
  hosts: { allow: ['docs.example'], deny: ['bad.example'] },
  rules: [{ effect: 'deny', tool: 'fetch_url', args: { url: 'https://docs.example/secret' }, reason: 'not for the model' }],
});

/** Fetches these paths of docs.example, a step each; every path `/to?URL` redirects there. What is asked is answered as given. */
async function fetching(paths: readonly string[], choice: ApprovalChoice, text: string | null = policy) {
  const reached: string[] = [];
  const hop: WebHop = {
    resolves: 'checked',
    async request(url) {
      reached.push(url.href);
      const location = url.pathname === '/to' ? decodeURIComponent(url.search.slice(1)) : undefined;
      if (location !== undefined) return { kind: 'redirect', status: 302, location };
      return { kind: 'body', status: 200, contentType: 'text/plain', bytes: new TextEncoder().encode('hello'), truncated: false };
    },
  };
  const world = await createEngineWorld({
    runtime: { ...emptyRuntime, fs: createMemoryRuntimeFs() },
    tools: [fetchUrl],
    fetchWeb: createFetcher({ hop, proxyWords: 'There is no proxy.' }),
    model: (_, step) => (paths[step] === undefined ? {} : { calls: [{ name: 'fetch_url', input: { url: paths[step] } }] }),
  });
  await world.engine.command({ type: 'policy-write', sessionId: world.sessionId, text });
  await world.send('go');
  for (let asked = 0; asked < world.of('approval-start').length; asked++) {
    const approvalId = world.of('approval-start')[asked]?.request.approvalId as never;
    await world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId, choice } });
    await world.clock.settle();
  }
  return { world, reached, said: world.of('result-push').map(({ content }) => content), asked: world.of('approval-start').map(({ request }) => request.input) };
}
const to = (url: string) => `https://docs.example/to?${encodeURIComponent(url)}`;

test('a redirect goes where the call itself may go, and nowhere else: each hop is decided by the policy in force', async () => {
  const { said, reached, asked } = await fetching(
    [to('https://docs.example/page'), to('https://bad.example/'), to('https://other.example/'), to('https://docs.example/secret'), to('http://127.0.0.1/')],
    'once',
  );
  expect(asked).toEqual([]);
  expect(reached.filter((url) => !url.startsWith('https://docs.example/to?'))).toEqual(['https://docs.example/page']);
  expect(said[0]).toBe(
    '<external_content source="docs.example">\n[https://docs.example/page after 1 redirect, status 200, text/plain, 5 bytes]\nhello\n</external_content>',
  );
  expect(said.slice(1).map((text) => / not followed: (.*?)\. (?:Nothing|Call) /.exec(text)?.[1])).toEqual([
    'bad.example may not be reached: the host policy denies "bad.example"',
    'nobody has allowed other.example yet',
    'docs.example may not be reached: the policy denies this call',
    '127.0.0.1 may not be reached: the policy denies this call',
  ]);
});

test('what a person allowed once is this one host; for the session it may be redirected to later', async () => {
  const once = await fetching(['https://other.example/', to('https://other.example/')], 'once');
  expect([once.asked, once.said[1]?.includes('nobody has allowed other.example yet')]).toEqual([
    [{ url: 'https://other.example/', format: 'markdown', max_bytes: 524_288 }],
    true,
  ]);
  const session = await fetching(['https://other.example/', to('https://other.example/a')], 'session');
  expect([session.asked.length, session.said[1]?.includes('hello')]).toEqual([1, true]);
});

test('under a policy that does not load, a redirect to another host is not followed', async () => {
  const { said, asked } = await fetching([to('https://docs.example/page'), to('https://other.example/')], 'once', '{');
  expect([asked.length, said.map((text) => [text.includes('hello'), text.includes('nobody has allowed other.example yet')])]).toEqual([
    2,
    [
      [true, false],
      [false, true],
    ],
  ]);
});
