import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest, ModelStreamItem } from '@/lib/contracts/model';
import type { Connection, ModelFetch } from '@/lib/contracts/provider';
import { createModelClient, type ModelClientPorts } from '@/lib/model/model-client';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { singly } from '@/lib/shared/singly';
import { type StandInServer, serveAnswers } from '@/test/support/stand-in-server';

const KEY = 'sk-ant-0123456789-secret';
const request: ModelRequest = { model: 'm', system: '', messages: [{ role: 'user', text: 'hi' }], tools: [], maxOutputTokens: 10 };
const safe = 'Your conversation and files are as they were.';
const cutSafe = 'What has arrived is kept, and a call that was not complete does not run.';

const named = (...events: readonly { readonly type: string }[]): string =>
  events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
const textStart = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const textDelta = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const textEnd = [{ type: 'content_block_stop', index: 0 }, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }];
const goodAnswer = named(textStart, textDelta('ok'), ...textEnd);
const goodItems: readonly ModelStreamItem[] = [
  { type: 'text-start' },
  { type: 'text-delta', text: 'ok' },
  { type: 'text-end' },
  { type: 'stop', reason: 'end', raw: 'end_turn' },
];

const answer =
  (status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(body);
  };
const streaming = (body: string) => answer(200, 'text/event-stream', body);

let server: StandInServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Asking {
  readonly items: ModelStreamItem[];
  readonly waits: number[];
}

/** Retries wait for nothing, stalls for ever: time is the test's. */
async function ask(
  url: string,
  more: Partial<ModelClientPorts> & { readonly signal?: AbortSignal; readonly onItem?: (item: ModelStreamItem) => void } = {},
): Promise<Asking> {
  const connection: Connection = { provider: 'anthropic', baseUrl: url, apiKey: KEY, model: 'm' };
  const waits: number[] = [];
  const after = (ms: number, run: () => void) => {
    if (ms !== 90_000) {
      waits.push(ms);
      queueMicrotask(run);
    }
    return () => {};
  };
  const client = createModelClient({ provider: anthropic, connection, fetch: (to, init) => fetch(to, init), after, random: () => 0.5, ...more });
  const items: ModelStreamItem[] = [];
  for await (const item of singly(client(request, more.signal ?? new AbortController().signal))) {
    items.push(item);
    more.onItem?.(item);
  }
  return { items, waits };
}

async function lastError(...answers: readonly ((response: ServerResponse) => void)[]) {
  server = await serveAnswers(...answers);
  const { items } = await ask(server.url);
  const last = items.at(-1);
  if (last?.type !== 'error') throw new Error(`no error came: ${JSON.stringify(items)}`);
  return { ...last.error, message: last.error.message.replaceAll(new URL(server.url).host, 'HOST') };
}

describe('a good answer', () => {
  it('is streamed, and asked for once', async () => {
    server = await serveAnswers(streaming(goodAnswer));
    expect(await ask(server.url)).toEqual({ items: goodItems, waits: [] });
    expect(server.requests.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([['/v1/messages', KEY]]);
  });

  it('may hold an event of 1 MB', async () => {
    server = await serveAnswers(streaming(named(textStart, textDelta('x'.repeat(1 << 20)), ...textEnd)));
    const { items } = await ask(server.url);
    expect(items.map((item) => (item.type === 'text-delta' ? item.text.length : item.type))).toEqual(['text-start', 1 << 20, 'text-end', 'stop']);
  });

  it('is complete although the connection breaks after the stop reason', async () => {
    server = await serveAnswers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(named(textStart, textDelta('ok'), ...textEnd.slice(0, 2)), () => response.destroy());
    });
    expect((await ask(server.url)).items).toEqual(goodItems);
  });

  it('ends at the end mark although the server keeps the connection', async () => {
    server = await serveAnswers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"ok"}}]}\n\ndata: [DONE]\n\n');
    });
    const { items } = await ask(server.url, { provider: openaiChat });
    expect(items).toEqual([{ type: 'text-start' }, { type: 'text-delta', text: 'ok' }, { type: 'text-end' }]);
  });
});

describe('a failure is the last item, in sentences', () => {
  const error = (message: string) => JSON.stringify({ type: 'error', error: { type: 'x', message } });

  it('wrong key: the provider’s sentence is left out, it repeats parts of keys', async () => {
    expect(await lastError(answer(401, 'application/json', error(`Incorrect key ${KEY}`)))).toEqual({
      code: 'wrong-key',
      status: 401,
      message: `HOST does not accept the key (401). ${safe} Check the key in the model menu, then send again.`,
    });
  });

  it('not allowed', async () => {
    expect(await lastError(answer(403, 'application/json', error(`Key ${KEY} may not`)))).toEqual({
      code: 'not-allowed',
      status: 403,
      message: `HOST does not allow this request (403). It says: “Key [key] may not” ${safe} Check that the key may use the model "m" and that the account is in order, or choose another model.`,
    });
  });

  it('unknown model or address', async () => {
    expect(await lastError(answer(404, 'text/html', '<h1>Not found</h1>'))).toEqual({
      code: 'not-found',
      status: 404,
      message: `HOST does not know the model "m", or has nothing at this address (404). ${safe} Check the address and the model's name in the model menu.`,
    });
  });

  it('bad request, with what the provider says, cut to a readable length', async () => {
    expect(await lastError(answer(400, 'application/json', error(`too  long\n${'x'.repeat(400)}`)))).toEqual({
      code: 'bad-request',
      status: 400,
      message: `HOST did not take the request (400). It says: “too long ${'x'.repeat(291)}…” ${safe} Check the model's name and address; if the conversation has grown too long, begin a new session.`,
    });
  });

  it('rate limit', async () => {
    expect(await lastError(answer(429, 'application/json', error('Slow down.'), { 'retry-after': '120' }))).toEqual({
      code: 'rate-limited',
      status: 429,
      retryAfterMs: 120_000,
      message: `HOST asks to slow down: too many requests or tokens (429). It says: “Slow down.” ${safe} Wait 120 seconds, then send again, or choose another model.`,
    });
    expect(server?.requests).toHaveLength(1);
  });

  it('server error', async () => {
    expect(await lastError(answer(503, 'text/plain', 'down'))).toEqual({
      code: 'server-error',
      status: 503,
      message: `HOST has a problem of its own (503). ${safe} Wait a moment, then send again, or choose another model.`,
    });
  });

  it('unreachable, or forbidden to pages', async () => {
    server = await serveAnswers(streaming(goodAnswer));
    const { url } = server;
    await server.close();
    server = undefined;
    const { items, waits } = await ask(url);
    expect(waits).toEqual([500, 1000]);
    expect(items.map((item) => (item.type === 'error' || item.type === 'retry' ? [item.type, item.error.code] : item))).toEqual([
      ['retry', 'unreachable'],
      ['retry', 'unreachable'],
      ['error', 'unreachable'],
    ]);
    expect(items.at(-1)).toEqual({
      type: 'error',
      error: {
        code: 'unreachable',
        message: `${new URL(url).host} cannot be reached. ${safe} Check the address and the network, and that the server runs and allows calls from web pages (CORS; Ollama: OLLAMA_ORIGINS, LM Studio: --cors), then send again.`,
      },
    });
  });

  it('a web page instead of a stream, whatever it calls itself', async () => {
    const message = `HOST answered with a web page, not with a model's stream. ${safe} Check the address in the model menu: often the ending /v1 is missing, or a login page stands in between.`;
    expect(await lastError(answer(200, 'text/html; charset=utf-8', '<!doctype html>'))).toEqual({ code: 'not-a-stream', message });
    await server?.close();
    expect(await lastError(answer(200, 'text/plain', '\n<!doctype html>'))).toEqual({ code: 'not-a-stream', message });
  });

  it('JSON instead of a stream', async () => {
    expect(await lastError(answer(200, 'application/json', error('Streaming is off')))).toEqual({
      code: 'not-a-stream',
      message: `HOST answered, but not with a model's stream. It says: “Streaming is off” ${safe} Check the address in the model menu, and that the server can stream.`,
    });
  });

  it('a stream that is cut, by a broken connection or a tidy end without a stop reason', async () => {
    const message = `The connection to HOST broke before the answer was complete. ${cutSafe} Send a message to go on.`;
    const begun = named(textStart, textDelta('half'));
    expect(await lastError(streaming(begun))).toEqual({ code: 'stream-cut', message });
    await server?.close();
    server = await serveAnswers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(begun, () => response.destroy());
    });
    const { items } = await ask(server.url);
    expect(items).toEqual([
      { type: 'text-start' },
      { type: 'text-delta', text: 'half' },
      { type: 'text-end' },
      { type: 'error', error: { code: 'stream-cut', message: message.replace('HOST', new URL(server.url).host) } },
    ]);
  });

  it('a stream that stalls', async () => {
    server = await serveAnswers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(named(textStart, textDelta('half')));
    });
    const sleeping: { readonly wake: () => void }[] = [];
    const after = (_: number, wake: () => void) => {
      const timer = { wake };
      sleeping.push(timer);
      return () => void sleeping.splice(sleeping.indexOf(timer), 1);
    };
    const { items } = await ask(server.url, {
      after,
      stallMs: 5000,
      onItem: (item) => {
        // The wait for the next bytes begins after this item; then time passes.
        if (item.type === 'text-delta') setImmediate(() => sleeping.at(-1)?.wake());
      },
    });
    expect(items.at(-1)).toEqual({
      type: 'error',
      error: {
        code: 'stream-stalled',
        message: `${new URL(server.url).host} has sent nothing for 5 seconds, so the wait was given up. ${cutSafe} Send a message to try again, or choose another model.`,
      },
    });
  });

  it('an error inside the stream', async () => {
    expect(
      await lastError(
        streaming(named(textStart, textDelta('half'), { type: 'error', error: { type: 'overloaded_error', message: `Overloaded ${KEY}` } } as never)),
      ),
    ).toEqual({
      code: 'provider-error',
      message: `HOST broke off the answer with an error. It says: “Overloaded [key]” ${cutSafe} Send a message to go on, or choose another model.`,
    });
    expect(server?.requests).toHaveLength(1);
  });

  it('an event without end', async () => {
    const chunk = new Uint8Array(8 << 20).fill(0x78);
    const endless: ModelFetch = async () =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), { headers: { 'content-type': 'text/event-stream' } });
    const { items } = await ask('http://endless.example', { fetch: endless });
    expect(items).toEqual([
      {
        type: 'error',
        error: {
          code: 'provider-error',
          message: `endless.example sent a single event of more than 32 MB, so the answer was given up. ${cutSafe} Send a message to try again, or choose another model.`,
        },
      },
    ]);
  });
});

describe('trying again', () => {
  it('happens for what passes, at most twice, with the wait that was asked for, and leaves nothing of a failed try', async () => {
    const early = named({ type: 'message_start', message: { usage: { input_tokens: 1 } } } as never, textStart, {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    } as never);
    server = await serveAnswers(answer(429, 'application/json', '{}', { 'retry-after': '7' }), streaming(early), streaming(goodAnswer));
    const { items, waits } = await ask(server.url);
    expect(waits).toEqual([7000, 1000]);
    expect(
      items.map((item) => (item.type === 'retry' ? { type: item.type, attempt: item.attempt, waitMs: item.waitMs, code: item.error.code } : item)),
    ).toEqual([
      { type: 'retry', attempt: 2, waitMs: 7000, code: 'rate-limited' },
      { type: 'retry', attempt: 3, waitMs: 1000, code: 'provider-error' },
      ...goodItems,
    ]);
  });

  it('does not happen for what stays', async () => {
    await lastError(answer(400, 'application/json', '{}'));
    expect(server?.requests).toHaveLength(1);
  });

  it('is over at once when the turn is stopped during the wait', async () => {
    server = await serveAnswers(answer(500, 'text/plain', ''));
    const stop = new AbortController();
    const { items } = await ask(server.url, { signal: stop.signal, after: () => () => {}, onItem: () => stop.abort() });
    expect(items.map((item) => (item.type === 'error' ? item.error.code : item.type))).toEqual(['retry', 'aborted']);
  });
});

describe('stopping', () => {
  it('cancels the request at once and says so last', async () => {
    let closed: () => void = () => {};
    const upstreamClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    server = await serveAnswers((response) => {
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(named(textStart, textDelta('a')));
    });
    const stop = new AbortController();
    const { items } = await ask(server.url, { signal: stop.signal, onItem: (item) => item.type === 'text-delta' && stop.abort() });
    await upstreamClosed;
    expect(items).toEqual([
      { type: 'text-start' },
      { type: 'text-delta', text: 'a' },
      { type: 'error', error: { code: 'aborted', message: `Stopped. ${cutSafe} Send a message to go on.` } },
    ]);
  });

  it('works although fetch does not listen, and before it was asked', async () => {
    const stop = new AbortController();
    const deaf: ModelFetch = () => {
      queueMicrotask(() => stop.abort());
      return new Promise(() => {});
    };
    const codes = (items: readonly ModelStreamItem[]): readonly string[] => items.map((item) => (item.type === 'error' ? item.error.code : item.type));
    expect(codes((await ask('http://deaf.example', { fetch: deaf, signal: stop.signal })).items)).toEqual(['aborted']);
    expect(codes((await ask('http://deaf.example', { fetch: () => Promise.reject(new Error('was asked')), signal: AbortSignal.abort() })).items)).toEqual([
      'aborted',
    ]);
  });

  it('cancels the request when nobody reads on', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(named(textStart, textDelta('a')))),
      cancel: () => {
        isCancelled = true;
      },
    });
    const client = createModelClient({
      provider: anthropic,
      connection: { provider: 'anthropic', baseUrl: 'http://x.example', apiKey: '', model: 'm' },
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      after: () => () => {},
      random: () => 0,
    });
    for await (const item of singly(client(request, new AbortController().signal))) if (item.type === 'text-delta') break;
    expect(isCancelled).toBe(true);
  });
});
