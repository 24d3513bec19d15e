import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaseFile } from '@/lib/conformance/case-file';
import type { ModelEvent } from '@/lib/contracts/model';
import type { Provider } from '@/lib/contracts/provider';
import { createSseDecoder } from '@/lib/model/sse';
import { createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { providers } from '@/lib/providers/registry.gen';
import { ownStreams } from '@/test/support/own-streams';

const WAYS = 1000;
const registered: ReadonlySet<string> = new Set(['read_file', 'grep_files', 'weather']);

interface Stream {
  readonly name: string;
  readonly provider: Provider;
  readonly bytes: Uint8Array;
}

const recorded = new URL('../../../shared/cases/wire.json', import.meta.url);
const recordedCases = existsSync(recorded) ? readCaseFile(readFileSync(recorded, 'utf8')).cases : [];

function providerOf(wire: unknown): Provider {
  const provider = providers.find((known) => known.id === wire);
  if (provider === undefined) throw new Error(`there is no wire ${String(wire)}`);
  return provider;
}

const streams: readonly Stream[] = [
  ...ownStreams.map(({ name, wire, text, damage }) => ({
    name,
    provider: providerOf(wire),
    bytes: damaged(new TextEncoder().encode(text), damage),
  })),
  ...recordedCases.map(({ id, input }) => {
    const frames = (input.data as readonly string[]).map((data) =>
      input.wire === 'anthropic' || input.wire === 'openai-responses'
        ? `event: ${(JSON.parse(data) as { type: string }).type}\ndata: ${data}\n\n`
        : `data: ${data}\n\n`,
    );
    return { name: id, provider: providerOf(input.wire), bytes: new TextEncoder().encode(frames.join('')) };
  }),
];

/** Puts a byte that is not UTF-8 in place of each `mark`. */
function damaged(bytes: Uint8Array, mark: string | undefined): Uint8Array {
  return mark === undefined ? bytes : bytes.map((byte) => (byte === mark.charCodeAt(0) ? 0xff : byte));
}

/** Everything that a reader of the stream can see, as one text: equal texts mean equal events and blocks. */
function read(provider: Provider, chunks: Iterable<Uint8Array>): string {
  let made = 0;
  const sse = createSseDecoder();
  const decoder = provider.createDecoder(registered);
  const assembler = createBlockAssembler({ newId: <Id extends string>(kind: string) => `${kind}-${++made}` as Id, registered });
  const events: ModelEvent[] = [];
  for (const chunk of chunks) for (const event of sse.push(chunk)) events.push(...decoder.push(event));
  for (const event of sse.end(true).events) events.push(...decoder.push(event));
  events.push(...decoder.end(true));
  return JSON.stringify([events, events.map((event) => assembler.push(event)), assembler.end(true), sse.warnings]);
}

function* singly(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}

/** Mulberry32: the same ways on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Mean sizes differ from way to way: a few large pieces, many small ones. */
function* cutRandomly(bytes: Uint8Array, random: () => number): Iterable<Uint8Array> {
  const mean = 2 ** (2 + random() * 10);
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + Math.floor(random() * 2 * mean);
    yield bytes.subarray(from, to);
    from = to;
  }
}

describe('a stream gives the same events and blocks however it is cut', () => {
  for (const { name, provider, bytes } of streams)
    it(name, () => {
      const whole = read(provider, [bytes]);
      expect(read(provider, singly(bytes))).toBe(whole);
      const random = createRandom(bytes.length);
      for (let way = 0; way < WAYS; way++) {
        const cut = read(provider, cutRandomly(bytes, random));
        if (cut !== whole) expect({ way, cut }).toEqual({ way, cut: whole });
      }
    }, 120_000);
});
