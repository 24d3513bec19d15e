import type { ModelFetch, ProviderId } from '@/lib/contracts/provider';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { messageOf } from '@/lib/shared/coded-error';
import { cutOdd } from './cut-odd';
import { createRandom, type Random, randomLetters, seedOf } from './random';
import { type Conversation, readConversation } from './read-conversation';
import type { PracticeScript, PracticeStep } from './script';
import { estimateTokens, writeStep } from './wire-writer';

export interface PracticePorts {
  readonly scripts: readonly PracticeScript[];
  /** Waits; ends early, by resolving or rejecting, when `signal` aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Decides cuts and ids together with the request; default 0. */
  readonly seed?: number;
  /** 1 (default) = the pace of a quick model; 2 = twice as fast; Infinity = never sleeps. Asked before each wait. */
  readonly speed?: () => number;
  /** Milliseconds since the epoch for the `created` field of `openai-chat`; left out, the field is 0. */
  readonly now?: () => number;
}

/** A script that has gone on for this many steps in one turn is taken to be lost, and says so. */
const stepLimit = 24;
const firstByteMs = 300;
const msPerByte = 0.2;

/**
 * Makes an HTTP endpoint that speaks the wires of real models and follows scripts: the client, decoder and stages
 * behind it are those of every other model.
 *
 * Out    a `ModelFetch`: `…/v1/messages` is answered in `anthropic`, `…/chat/completions` in `openai-chat`, both as
 *        event streams in pieces of odd size; a request that is not theirs with 404 or 400 and the wire's own error body.
 * Fails  rejects with `AbortError` when `signal` aborts before the answer; later the body's stream fails with it.
 * Order  the same request and seed give the same bytes.
 */
export function createPracticeEndpoint(ports: PracticePorts): ModelFetch {
  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    const wait = ms / (ports.speed?.() ?? 1);
    if (wait > 0 && !signal.aborted) await ports.sleep(wait, signal).catch((error: unknown) => rethrowUnlessAborted(error, signal));
    if (signal.aborted) throw abortError(signal);
  };

  return async (url, init) => {
    if (init.signal.aborted) throw abortError(init.signal);
    const wire = wireOf(url);
    const random = createRandom(seedOf(init.body) ^ (ports.seed ?? 0));
    if (wire === undefined)
      return refusal('anthropic', 404, `The practice model answers at /v1/messages and /chat/completions, not at ${pathOf(url)}.`, random);
    let conversation: Conversation;
    try {
      conversation = readConversation(wire, JSON.parse(init.body));
    } catch (error) {
      return refusal(wire, 400, messageOf(error), random);
    }
    const step = answer(conversation, ports.scripts);
    const head = { model: conversation.model, inputTokens: estimateTokens(init.body), createdAtSeconds: Math.floor((ports.now?.() ?? 0) / 1000) };
    const bytes = encodeUtf8(writeStep(wire, step, head, random).join(''));
    await pause(firstByteMs, init.signal);
    return new Response(streamOf(cutOdd(bytes, random), pause, init.signal), {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'request-id': `req_${randomLetters(random, 24)}` },
    });
  };
}

function wireOf(url: string): ProviderId | undefined {
  const path = pathOf(url);
  if (path.endsWith('/v1/messages')) return 'anthropic';
  return path.endsWith('/chat/completions') ? 'openai-chat' : undefined;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

function answer(conversation: Conversation, scripts: readonly PracticeScript[]): PracticeStep {
  const script = scriptOf(conversation, scripts);
  if (script === undefined) return { text: introduction(scripts) };
  const missing = script.needs.filter((name) => !conversation.toolNames.has(name));
  if (missing.length > 0)
    return {
      text: `I am the practice model: a script, not an AI. For “${script.title}” I need tools that this request does not offer: ${missing.join(', ')}. Nothing was done.`,
    };
  const steps = conversation.turns.at(-1)?.steps.length ?? 0;
  if (steps >= stepLimit)
    return {
      text: `I have taken ${steps} steps in this turn, more than “${script.title}” needs, so I stop here rather than go in circles. What was done so far stays as it is.`,
    };
  return script.next(conversation);
}

/** The script of the first message that any script knows: what a person says later must not hand the task to another one. */
function scriptOf(conversation: Conversation, scripts: readonly PracticeScript[]): PracticeScript | undefined {
  for (let count = 1; count <= conversation.turns.length; count++) {
    const begun = { ...conversation, turns: conversation.turns.slice(0, count) };
    const script = scripts.find((candidate) => candidate.isFor(begun));
    if (script !== undefined) return script;
  }
  return undefined;
}

function introduction(scripts: readonly PracticeScript[]): string {
  const known = scripts.map((script) => `“${script.title}”`).join(', ');
  const offer = known === '' ? 'There is no task for me here yet.' : `What I can play is ${known}: send the words that the task puts in the composer.`;
  return `I am the practice model: a script, not an AI. I do not understand free text; I play prepared tasks, with real calls and real results. ${offer} For anything else, connect a model in the model menu.`;
}

function streamOf(pieces: readonly Uint8Array[], pause: (ms: number, signal: AbortSignal) => Promise<void>, signal: AbortSignal): ReadableStream<Uint8Array> {
  let next = 0;
  let onAbort: (() => void) | undefined;
  const done = (): void => {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // An abort must reach a reader at once, also while a piece is being waited for.
        onAbort = () => controller.error(abortError(signal));
        signal.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        const piece = pieces[next++];
        if (piece === undefined) {
          done();
          controller.close();
          return;
        }
        try {
          await pause(piece.byteLength * msPerByte, signal);
        } catch (error) {
          done();
          // After an abort the stream has failed already.
          if (!signal.aborted) controller.error(error);
          return;
        }
        controller.enqueue(piece.slice());
      },
      cancel: done,
    },
    // Nothing is made ahead of the reader, so the pace holds and a stop leaves nothing behind.
    { highWaterMark: 0 },
  );
}

function rethrowUnlessAborted(error: unknown, signal: AbortSignal): void {
  if (!signal.aborted) throw error;
}

function abortError(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('The request was aborted.', 'AbortError');
}

function refusal(wire: ProviderId, status: 400 | 404, message: string, random: Random): Response {
  const type = status === 404 ? 'not_found_error' : 'invalid_request_error';
  const body =
    wire === 'anthropic'
      ? { type: 'error', error: { type, message }, request_id: `req_${randomLetters(random, 24)}` }
      : { error: { message, type, param: null, code: null } };
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}
