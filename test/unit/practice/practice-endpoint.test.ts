import { describe, expect, it } from 'vitest';
import type { Message } from '@/lib/contracts/message';
import { createPracticeEndpoint } from '@/lib/practice/practice-endpoint';
import type { PracticeScript, PracticeStep } from '@/lib/practice/script';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { decodeUtf8 } from '@/lib/shared/bytes';
import { ask, collect, decode, requestOf } from '@/test/support/practice-world';

const scriptOf = (step: PracticeStep): PracticeScript => ({ taskId: 'any', title: 'Any', needs: [], isFor: () => true, next: () => step });
const hello: readonly Message[] = [{ role: 'user', text: 'hello' }];
const rich: PracticeStep = {
  reasoning: 'Hm — a smörgåsbord.',
  text: 'Ångström → 日本語 🛳️, twice: 🛳️.',
  calls: [
    { name: 'read_file', input: { path: 'ü/“a”.ts' } },
    { name: 'edit_file', input: { path: 'b', search: 'x\n\ty', replace: '' } },
  ],
};
const still = (): Promise<void> => Promise.resolve();

describe.each([anthropic, openaiChat])('the practice endpoint over $id', (provider) => {
  it('answers an event stream that the product decodes to the step of the script', async () => {
    const endpoint = createPracticeEndpoint({ scripts: [scriptOf(rich)], sleep: still });
    const { response, chunks } = await ask(endpoint, provider, requestOf(hello));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const { text, reasoning, calls, stop } = collect(await decode(provider, chunks));
    expect({ text, reasoning, stop, calls: calls.map(({ name, input }) => ({ name, input })) }).toEqual({
      text: rich.text,
      reasoning: rich.reasoning,
      stop: 'calls',
      calls: rich.calls,
    });
    expect(new Set(calls.map((call) => call.wireId)).size).toBe(2);
  });

  it('sends raw argument text and the stop of the script as they are', async () => {
    const endpoint = createPracticeEndpoint({
      scripts: [scriptOf({ calls: [{ name: 'read_file', input: {}, rawArguments: '{"path": "a' }], stop: 'length' })],
      sleep: still,
    });
    const { chunks } = await ask(endpoint, provider, requestOf(hello));
    const events = await decode(provider, chunks);
    expect(events.flatMap((event) => (event.type === 'call-args' ? [event.text] : [])).join('')).toBe('{"path": "a');
    expect(events.flatMap((event) => (event.type === 'stop' ? [event.reason] : []))).toEqual(['length']);
  });

  it('cuts the stream into odd pieces, inside characters and inside lines', async () => {
    const endpoint = createPracticeEndpoint({ scripts: [scriptOf({ text: 'Å→日🛳️ '.repeat(60) })], sleep: still });
    const { chunks } = await ask(endpoint, provider, requestOf(hello));
    expect(chunks.slice(0, -1).filter((chunk) => chunk.length % 2 === 0)).toEqual([]);
    expect(new Set(chunks.map((chunk) => chunk.length)).size).toBeGreaterThan(10);
    expect(chunks.some((chunk) => ((chunk[0] as number) & 0xc0) === 0x80)).toBe(true);
    expect(chunks.filter((chunk) => decodeUtf8(chunk).endsWith('\n\n')).length).toBeLessThan(chunks.length / 4);
  });

  it('gives the same bytes for the same request and seed, other cuts for another seed, new ids as the history grows', async () => {
    const asked = async (seed: number, messages: readonly Message[]) =>
      (await ask(createPracticeEndpoint({ scripts: [scriptOf(rich)], sleep: still, seed }), provider, requestOf(messages))).chunks;
    const once = await asked(1, hello);
    expect(await asked(1, hello)).toEqual(once);
    expect((await asked(2, hello)).map((chunk) => chunk.length)).not.toEqual(once.map((chunk) => chunk.length));
    const ids = async (messages: readonly Message[]) => collect(await decode(provider, await asked(1, messages))).calls.map((call) => call.wireId);
    expect(await ids([...hello, { role: 'assistant', blocks: [{ kind: 'text', text: 'hi' }] }, { role: 'user', text: 'more' }])).not.toEqual(await ids(hello));
  });

  it('sleeps before each piece, by its size and the speed, and never when the speed is infinite', async () => {
    const waits = async (speed?: number): Promise<number> => {
      let slept = 0;
      const endpoint = createPracticeEndpoint({
        scripts: [scriptOf(rich)],
        sleep: async (ms) => {
          slept += ms;
        },
        ...(speed === undefined ? {} : { speed: () => speed }),
      });
      await ask(endpoint, provider, requestOf(hello));
      return slept;
    };
    const normal = await waits();
    expect(normal).toBeGreaterThan(500);
    expect(await waits(4)).toBeCloseTo(normal / 4, 5);
    expect(await waits(Number.POSITIVE_INFINITY)).toBe(0);
  });

  it.each(['resolves', 'rejects'])('fails with the abort at once in the middle of a stream when sleep %s on abort', async (how) => {
    const controller = new AbortController();
    let sleeps = 0;
    const endpoint = createPracticeEndpoint({
      scripts: [scriptOf(rich)],
      sleep: (_, signal) =>
        ++sleeps < 6
          ? Promise.resolve()
          : new Promise((resolve, reject) => signal.addEventListener('abort', () => (how === 'resolves' ? resolve() : reject(signal.reason)))),
    });
    const reading = ask(endpoint, provider, requestOf(hello), controller.signal);
    const expected = expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sleeps).toBe(6);
    controller.abort();
    await expected;
    expect(sleeps).toBe(6);
  });

  it('rejects when it was aborted before it answered', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(ask(createPracticeEndpoint({ scripts: [], sleep: still }), provider, requestOf(hello), controller.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('answers a request without tools in words', async () => {
    const { chunks } = await ask(createPracticeEndpoint({ scripts: [], sleep: still }), provider, requestOf([{ role: 'user', text: 'Say ok' }], []));
    expect(collect(await decode(provider, chunks))).toMatchObject({
      text: expect.stringContaining('I am the practice model: a script, not an AI.'),
      calls: [],
      stop: 'end',
    });
  });

  it('stops a script that goes in circles', async () => {
    const messages: Message[] = [...hello];
    for (let i = 0; i < 24; i++) {
      const call = { callId: `c${i}` as never, wireId: `w${i}`, name: 'read_file' };
      messages.push(
        { role: 'assistant', blocks: [{ kind: 'call', ...call, input: {} }] },
        { role: 'tool', results: [{ ...call, content: 'x', isError: false }] },
      );
    }
    const { chunks } = await ask(createPracticeEndpoint({ scripts: [scriptOf(rich)], sleep: still }), provider, requestOf(messages));
    expect(collect(await decode(provider, chunks))).toMatchObject({ text: expect.stringContaining('I have taken 24 steps'), calls: [] });
  });

  it('refuses a body that is not of its wire with 400 and the wire’s own error body', async () => {
    const endpoint = createPracticeEndpoint({ scripts: [], sleep: still });
    const { url } = provider.encode({ provider: provider.id, baseUrl: 'https://practice.invalid', apiKey: '', model: 'm' }, requestOf(hello));
    for (const body of ['not json', '{"model":"m","stream":true,"messages":7}', '{"model":"m","messages":[{"role":"user","content":"x"}]}']) {
      const response = await endpoint(url, { method: 'POST', headers: {}, body, signal: new AbortController().signal });
      expect(response.status).toBe(400);
      expect(provider.errorMessage(await response.text())).toMatch(/\S/);
    }
  });
});

it('answers 404 where no wire lives', async () => {
  const response = await createPracticeEndpoint({ scripts: [], sleep: still })('https://practice.invalid/v2/other', {
    method: 'POST',
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
  });
  expect([response.status, anthropic.errorMessage(await response.text())]).toEqual([
    404,
    'The practice model answers at /v1/messages and /chat/completions, not at /v2/other.',
  ]);
});
