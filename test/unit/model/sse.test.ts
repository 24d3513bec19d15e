import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SseEvent } from '@/lib/contracts/model';
import { createSseDecoder } from '@/lib/model/sse';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function decode(chunks: readonly Uint8Array[], closedCleanly = true) {
  const decoder = createSseDecoder();
  const events: SseEvent[] = chunks.flatMap((chunk) => decoder.push(chunk));
  const end = decoder.end(closedCleanly);
  return { events: [...events, ...end.events], error: end.error, done: decoder.done, lastEventId: decoder.lastEventId, warnings: decoder.warnings };
}

function singly(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

describe('the SSE decoder', () => {
  it('marks only the event whose bytes were not UTF-8', () => {
    const bytes = Uint8Array.from([...bytesOf('data: a'), 0xff, ...bytesOf('\n\ndata: b\uFFFD\n\n')]);
    expect(decode([bytes])).toEqual({
      events: [{ data: 'a\uFFFD', damaged: true }, { data: 'b\uFFFD' }],
      error: undefined,
      done: false,
      lastEventId: '',
      warnings: ['invalid-utf8'],
    });
  });

  it('does not blame an event for a damaged comment', () => {
    const bytes = Uint8Array.from([...bytesOf(': '), 0xff, ...bytesOf('\ndata: a\n\n')]);
    expect(decode([bytes]).events).toEqual([{ data: 'a' }]);
  });

  it('keeps the id of a reconnect: also of an event without data, not of one that broke, never one with NUL', () => {
    expect(decode([bytesOf('id: 1\ndata: a\n\nid: 2\n\nid: 3\0\n\n')])).toMatchObject({ events: [{ data: 'a', id: '1' }], lastEventId: '2' });
    expect(decode([bytesOf('id: 1\n\nid: 2\ndata: b\n')], false)).toMatchObject({ events: [], lastEventId: '1', error: 'stream-truncated' });
  });

  it('hears nothing after the end mark, not even damage', () => {
    const bytes = Uint8Array.from([...bytesOf('data:  [DONE] \n\ndata: late\n\n'), 0xff]);
    expect(decode([bytes], false)).toEqual({ events: [], error: undefined, done: true, lastEventId: '', warnings: [] });
  });

  it('reports a broken connection inside an event only', () => {
    const isTruncated = (text: string): boolean => decode([bytesOf(text)], false).error === 'stream-truncated';
    expect(['', 'data: a\n\n', 'data: a\n\n: note', '\uFEFF: note', 'data: a', 'event: x\n', '\uFEFFdata'].map(isTruncated)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('keeps characters that look like a byte order mark read as Latin-1', () => {
    expect(decode([bytesOf('ï»¿: no\ndata: a\n\n')]).events).toEqual([{ data: 'a' }]);
  });

  it('reads long lines with wide and damaged characters as the standard decoder does, however they are cut', () => {
    const unit = Uint8Array.from([...bytesOf('aé日🚀'), 0xf0, 0x9f, ...bytesOf('b'), 0xe6, 0x97]);
    const value = Uint8Array.from({ length: 200_000 }, (_, i) => unit[i % unit.length] as number);
    const bytes = Uint8Array.from([...bytesOf('data:'), ...value, ...bytesOf('\n\n')]);
    const wanted = [{ data: new TextDecoder().decode(value), damaged: true }];
    for (const size of [1, 7, 65_535, 65_537, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
      expect(decode(chunks).events).toEqual(wanted);
    }
    const sound = Uint8Array.from([...bytesOf(`data:${'日'.repeat(50_000)}\uFFFD\n\n`)]);
    expect(decode([sound]).events).toEqual([{ data: `${'日'.repeat(50_000)}\uFFFD` }]);
  });

  it('does not hold on to the bytes it was given', () => {
    const decoder = createSseDecoder();
    const chunk = bytesOf('data: abc');
    decoder.push(chunk);
    chunk.fill(0x7a);
    expect(decoder.push(bytesOf('\n\n'))).toEqual([{ data: 'abc' }]);
  });

  it('reads the events that eventsource-parser reads, however the bytes are cut', () => {
    const pieces = ['data: ', 'data:', 'event: x', 'event', 'id: 7', ': c', 'retry: 1', 'other: 1', 'a', '日', ' ', '\n', '\r', '\r\n', '\n\n', '\u2028'];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => `${parts.join('')}\n\n`);
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.nat(6)), (text, sizes) => {
        const theirs: EventSourceMessage[] = [];
        createParser({ onEvent: (event) => theirs.push(event) }).feed(text);
        const bytes = bytesOf(text);
        const chunks: Uint8Array[] = [];
        for (let from = 0; from < bytes.length; ) {
          const size = sizes.next().value as number;
          chunks.push(bytes.slice(from, from + size));
          from += size;
        }
        const wanted = theirs.map(({ data, event, id }) => ({ data, ...(event && { event }), ...(id !== undefined && { id }) }));
        expect(decode(chunks).events).toEqual(wanted);
        expect(decode(singly(bytes)).events).toEqual(wanted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads an event of 4 MB in small chunks at the cost of decoding it', () => {
    const body = bytesOf(`data: ${'x'.repeat(4 << 20)}\n\n`);
    const chunks: Uint8Array[] = [];
    for (let from = 0; from < body.length; from += 256) chunks.push(body.slice(from, from + 256));
    const time = (run: () => unknown): number => {
      const times = Array.from({ length: 5 }, () => {
        const startedAt = performance.now();
        run();
        return performance.now() - startedAt;
      });
      return Math.min(...times);
    };
    const floor = time(() => {
      const decoder = new TextDecoder();
      const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
      return text.indexOf('\n\n');
    });
    expect(decode(chunks).events.map(({ data }) => data.length)).toEqual([4 << 20]);
    // Six times the floor only guards against a quadratic join, which costs hundreds; the bench measures.
    expect(time(() => decode(chunks))).toBeLessThan(6 * floor + 50);
  });
});
