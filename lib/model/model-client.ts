import type { ModelEvent, ModelRequest, ModelStreamItem, StreamModel } from '@/lib/contracts/model';
import type { Connection, ModelFetch, Provider } from '@/lib/contracts/provider';
import { type Failure, failures } from './failure';
import { readResponse } from './read-response';
import { retryWaitMs } from './retry';
import { watch } from './watch';

export interface ModelClientPorts {
  readonly provider: Provider;
  readonly connection: Connection;
  readonly fetch: ModelFetch;
  /** Calls `run` once after `ms` unless cancelled; the answer cancels. Stalls and retries are timed by it. */
  after(ms: number, run: () => void): () => void;
  /** In [0, 1). */
  random(): number;
  /** Milliseconds without a byte after which an answer is given up; default 90,000. */
  readonly stallMs?: number;
}

const DEFAULT_STALL_MS = 90_000;

/**
 * Makes the client of one connection.
 *
 * Out    a stream of neutral events; a failure is its last item, in sentences for a person, and never holds the key.
 *        `retry` items say which try comes next (2 or 3) and after what wait.
 * Fails  never rejects.
 * Order  what passes by itself (429, 5xx, network) is tried up to three times, and only before the first visible output: until
 *        then events are held back, so that a try that failed leaves nothing behind. Aborting cancels the request at once.
 */
export function createModelClient(ports: ModelClientPorts): StreamModel {
  return (request, signal) => streamWithRetries(request, signal, ports);
}

async function* streamWithRetries(
  request: ModelRequest,
  signal: AbortSignal,
  ports: ModelClientPorts,
): AsyncGenerator<ModelStreamItem | readonly ModelStreamItem[], void, undefined> {
  const { provider, connection, fetch } = ports;
  const after = (ms: number, run: () => void): (() => void) => ports.after(ms, run);
  const stallMs = ports.stallMs ?? DEFAULT_STALL_MS;
  for (let tries = 1; ; tries++) {
    const held: ModelEvent[] = [];
    let isVisible = false;
    let failure: Failure | undefined;
    for await (const item of readResponse(request, { provider, connection, fetch, after, stallMs, signal })) {
      if ('failure' in item) {
        failure = item.failure;
        continue;
      }
      isVisible ||= item.events.some(shows);
      if (!isVisible) {
        held.push(...item.events);
        continue;
      }
      if (signal.aborted) {
        yield { type: 'error', error: failures.aborted().error };
        return;
      }
      // What came together goes on together: a wait for each event costs more than the event.
      yield held.length === 0 ? item.events : [...held.splice(0), ...item.events];
    }
    const waitMs = failure === undefined || isVisible ? undefined : retryWaitMs(failure, tries, ports.random());
    if (failure === undefined || waitMs === undefined) {
      if (held.length > 0) yield held;
      if (failure !== undefined) yield { type: 'error', error: failure.error };
      return;
    }
    yield { type: 'retry', attempt: tries + 1, waitMs, error: failure.error };
    // The wait is the timer itself: watching work that never settles ends when the time is over, or at an abort.
    const waited = await watch(new Promise<never>(() => {}), { after, stallMs: waitMs, signal });
    if (waited.kind === 'aborted') {
      yield { type: 'error', error: failures.aborted().error };
      return;
    }
  }
}

function shows(event: ModelEvent): boolean {
  return event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-start';
}
