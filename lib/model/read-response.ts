import type { ModelEvent, ModelRequest, SseEvent } from '@/lib/contracts/model';
import type { Connection, ModelFetch, Provider, ProviderDecoder } from '@/lib/contracts/provider';
import { messageOf } from '@/lib/shared/coded-error';
import { type Failure, failureOfStatus, failures } from './failure';
import { retryAfterMs } from './retry';
import { createSseDecoder } from './sse';
import { type WatchPorts, watch } from './watch';

export interface ResponsePorts extends WatchPorts {
  readonly provider: Provider;
  readonly connection: Connection;
  readonly fetch: ModelFetch;
}

/** Events that arrived together, or, as the last item, why there are no more. */
export type ResponseItem = { readonly events: readonly ModelEvent[] } | { readonly failure: Failure };

const noLongerNeeded = new Error('nobody reads this answer any more');
const BODY_LIMIT_BYTES = 65_536;
const EVENT_LIMIT_BYTES = 32 << 20;

/**
 * Asks once and reads the answer to its end.
 *
 * Out    neutral events as they arrive; a failure is the last item.
 * Fails  never throws. A connection that breaks after the wire gave its stop reason has lost nothing and is no failure.
 * Order  when the reader leaves early or `signal` aborts, the request and its body are cancelled at once.
 */
export async function* readResponse(request: ModelRequest, ports: ResponsePorts): AsyncGenerator<ResponseItem, void, undefined> {
  const { connection, signal } = ports;
  const upstream = new AbortController();
  const cancel = (): void => upstream.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let isComplete = false;
  try {
    const opened = await openResponse(request, upstream.signal, ports);
    if ('failure' in opened) {
      yield opened;
      return;
    }
    reader = opened.body.getReader();
    const problem = opened.problem === undefined ? undefined : opened.problem(await readStart(reader, ports));
    if (problem !== undefined) yield { failure: signal.aborted ? failures.aborted() : problem };
    else isComplete = yield* readEvents(reader, createReading(ports.provider.createDecoder(new Set(request.tools.map((tool) => tool.name)))), ports);
  } catch (error) {
    yield { failure: failures.providerError(connection, messageOf(error), false) };
  } finally {
    signal.removeEventListener('abort', cancel);
    reader?.cancel().catch(() => {});
    // A request that was answered to its end has nothing to cancel, and an abort costs as much as many calls.
    if (!isComplete) upstream.abort(noLongerNeeded);
  }
}

type Opened = { readonly failure: Failure } | { readonly body: ReadableStream<Uint8Array>; readonly problem?: (start: string) => Failure };

/** `problem` is set when the answer is no stream: it makes the failure from the start of the body. */
async function openResponse(request: ModelRequest, upstream: AbortSignal, ports: ResponsePorts): Promise<Opened> {
  const { provider, connection, fetch } = ports;
  if (ports.signal.aborted) return { failure: failures.aborted() };
  let sent: ReturnType<Provider['encode']>;
  try {
    sent = provider.encode(connection, request);
  } catch (error) {
    return { failure: failures.notEncoded(connection, messageOf(error)) };
  }
  const ask = async (): Promise<Response> => fetch(sent.url, { method: 'POST', headers: sent.headers, body: sent.body, signal: upstream });
  const answered = await watch(ask(), ports);
  if (answered.kind === 'aborted') return { failure: failures.aborted() };
  if (answered.kind === 'stalled') return { failure: failures.stalled(connection, ports.stallMs) };
  if (answered.kind === 'rejected') return { failure: failures.unreachable(connection) };
  const response = answered.value;
  const body = response.body ?? new Response('').body;
  if (body === null) return { failure: failures.notAStream(connection, undefined) };
  const said = (start: string): string | undefined => provider.errorMessage(start);
  if (!response.ok) return { body, problem: (start) => failureOfStatus(response.status, connection, said(start), retryAfterMs(response.headers)) };
  const type = response.headers.get('content-type') ?? '';
  if (/\bhtml\b/i.test(type)) return { body, problem: () => failures.webPage(connection) };
  if (/\bjson\b/i.test(type)) return { body, problem: (start) => failures.notAStream(connection, said(start)) };
  return { body };
}

/** The first bytes of a body as text; what cannot be read is left out. */
async function readStart(reader: ReadableStreamDefaultReader<Uint8Array>, ports: WatchPorts): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < BODY_LIMIT_BYTES; ) {
    const read = await watch(reader.read(), ports);
    if (read.kind !== 'value' || read.value.done) break;
    bytes += read.value.value.length;
    text += decoder.decode(read.value.value, { stream: true });
  }
  return text;
}

interface Reading {
  readonly decoder: ProviderDecoder;
  take(events: readonly SseEvent[]): readonly ModelEvent[];
  /** The wire gave its stop reason. */
  readonly hasStopped: boolean;
  readonly error: Extract<ModelEvent, { readonly type: 'provider-error' }> | undefined;
}

function createReading(decoder: ProviderDecoder): Reading {
  let hasStopped = false;
  let error: Reading['error'];
  return {
    decoder,
    take(events) {
      const taken: ModelEvent[] = [];
      for (const event of events) {
        for (const item of error === undefined ? decoder.push(event) : []) {
          if (item.type === 'stop') hasStopped = true;
          if (item.type === 'provider-error') error = item;
          else taken.push(item);
        }
      }
      return taken;
    },
    get hasStopped() {
      return hasStopped;
    },
    get error() {
      return error;
    },
  };
}

/** Answers whether the wire came to its end. */
async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  reading: Reading,
  ports: ResponsePorts,
): AsyncGenerator<ResponseItem, boolean, undefined> {
  const { connection } = ports;
  const sse = createSseDecoder();
  let firstBytes: Uint8Array | undefined;
  let sawEvent = false;
  let bytesSinceEvent = 0;
  const isComplete = (): boolean => reading.error === undefined && (sse.done || reading.decoder.finished);

  for (;;) {
    const read = await watch(reader.read(), ports);
    const chunk = read.kind === 'value' ? read.value.value : undefined;
    const closedCleanly = read.kind === 'value' && read.value.done;
    const events = chunk === undefined ? sse.end(closedCleanly).events : sse.push(chunk);
    firstBytes ??= chunk;
    sawEvent ||= events.length > 0 || sse.done;
    bytesSinceEvent = events.length > 0 ? 0 : bytesSinceEvent + (chunk?.length ?? 0);
    const taken = reading.take(events);
    if (taken.length > 0) yield { events: taken };

    if (reading.error !== undefined) {
      yield { events: reading.decoder.end(false) };
      yield { failure: failures.providerError(connection, reading.error.message, reading.error.retryable) };
      return false;
    }
    if (isComplete() || (chunk === undefined && read.kind !== 'aborted' && reading.hasStopped)) {
      yield { events: reading.decoder.end(true) };
      return true;
    }
    if (chunk !== undefined && bytesSinceEvent <= EVENT_LIMIT_BYTES) continue;
    yield { events: reading.decoder.end(false) };
    if (chunk !== undefined) yield { failure: failures.tooLarge(connection, EVENT_LIMIT_BYTES) };
    else if (read.kind === 'aborted') yield { failure: failures.aborted() };
    else if (read.kind === 'stalled') yield { failure: failures.stalled(connection, ports.stallMs) };
    else if (sawEvent || !closedCleanly || firstBytes === undefined) yield { failure: failures.cut(connection) };
    else yield { failure: notAStream(new TextDecoder().decode(firstBytes).trimStart(), ports) };
    return false;
  }
}

function notAStream(start: string, { connection, provider }: ResponsePorts): Failure {
  return start.startsWith('<') ? failures.webPage(connection) : failures.notAStream(connection, provider.errorMessage(start));
}
