import { createSseDecoder } from '@/lib/model/sse';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { loadPeer } from './peers';
import { type Bench, type BenchRow, inTurns, keep } from './row';

interface EventSourceParser {
  createParser(callbacks: { onEvent(event: { readonly data: string }): void }): { feed(text: string): void };
}

const plainWords = 'The quick brown fox jumps over the lazy dog. ';
const wideWords = 'Zürich, 東京, Ελλάδα, 👩‍🚀 größer. ';

/** An answer of about `size` bytes in events of some 20 words, in chunks whose sizes `sizeOf` gives. */
function stream(words: string, size: number, sizeOf: (index: number) => number): readonly Uint8Array[] {
  const event = encodeUtf8(
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words.repeat(3) } })}\n\n`,
  );
  const bytes = new Uint8Array(Math.ceil(size / event.length) * event.length);
  for (let at = 0; at < bytes.length; at += event.length) bytes.set(event, at);
  return cut(bytes, sizeOf);
}

function cut(bytes: Uint8Array, sizeOf: (index: number) => number): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += sizeOf(chunks.length - 1)) chunks.push(bytes.slice(at, at + sizeOf(chunks.length)));
  return chunks;
}

function oneEvent(size: number): readonly Uint8Array[] {
  return cut(encodeUtf8(`data: ${'x'.repeat(size)}\n\n`), () => 16_384);
}

function decode(chunks: readonly Uint8Array[]): number {
  const decoder = createSseDecoder();
  let length = 0;
  for (const chunk of chunks) for (const event of decoder.push(chunk)) length += event.data.length;
  for (const event of decoder.end(true).events) length += event.data.length;
  return length;
}

/** The limit: one TextDecoder, one search for the ends of lines, the events put together; no other rule of the standard. */
function shortest(chunks: readonly Uint8Array[]): number {
  const decoder = new TextDecoder();
  const events: { readonly event: string; readonly data: string }[] = [];
  let rest = '';
  let event = '';
  let data = '';
  for (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      if (end === from) {
        events.push({ event, data });
        event = '';
        data = '';
      } else if (rest.startsWith('data: ', from)) data = rest.slice(from + 6, end);
      else if (rest.startsWith('event: ', from)) event = rest.slice(from + 7, end);
      from = end + 1;
    }
    if (from > 0) rest = rest.slice(from);
  }
  return events.reduce((length, { data }) => length + data.length, 0);
}

/** For an event that comes in many chunks, searching it again for each of them is no limit: pieces are joined once. */
function shortestOfOne(chunks: readonly Uint8Array[]): number {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    pieces.push(text);
    if (text.includes('\n\n')) break;
  }
  const whole = pieces.join('');
  return whole.slice(whole.indexOf('data: ') + 6, whole.indexOf('\n\n')).length;
}

async function row(name: string, chunks: readonly Uint8Array[], rounds: number, limitOf = shortest): Promise<BenchRow> {
  const parser = await loadPeer<EventSourceParser>('eventsource-parser');
  const programs: Record<string, () => void> = { ours: () => keep(decode(chunks)), limit: () => keep(limitOf(chunks)) };
  if (parser !== undefined)
    programs.peer = () => {
      const decoder = new TextDecoder();
      let length = 0;
      const parsing = parser.createParser({
        onEvent({ data }) {
          length += data.length;
        },
      });
      for (const chunk of chunks) parsing.feed(decoder.decode(chunk, { stream: true }));
      keep(length);
    };
  const {
    ms: { ours = 0, limit = 0, peer },
    ratio,
  } = inTurns(programs, { rounds });
  return {
    name,
    value: ours,
    unit: 'ms',
    limit,
    peer: peer === undefined ? null : 'eventsource-parser',
    peerValue: peer ?? null,
    ratio: ratio('ours', 'limit'),
    must: 1.5,
  };
}

const large = (): number => 16_384;
/** 1 to 97 bytes, all sizes as often as another. */
const small = (index: number): number => 1 + ((Math.max(0, index) * 37) % 97);

export const sse: readonly Bench[] = [
  { name: 'sse-16k', run: () => row('sse-16k', stream(plainWords, 4_000_000, large), 40) },
  { name: 'sse-16k-wide', run: () => row('sse-16k-wide', stream(wideWords, 4_000_000, large), 40) },
  { name: 'sse-small', run: () => row('sse-small', stream(plainWords, 1_000_000, small), 40) },
  { name: 'sse-small-wide', run: () => row('sse-small-wide', stream(wideWords, 1_000_000, small), 40) },
  { name: 'sse-4mb-event', run: () => row('sse-4mb-event', oneEvent(4_000_000), 40, shortestOfOne) },
  {
    name: 'sse-growth',
    async run() {
      const once = stream(plainWords, 1_000_000, large);
      const eight = stream(plainWords, 8_000_000, large);
      const {
        ms: { one, many },
        ratio,
      } = inTurns({ one: () => keep(decode(once)), many: () => keep(decode(eight)) }, { rounds: 25 });
      return { name: 'sse-growth', value: many, unit: 'ms', limit: one * 8, peer: null, peerValue: null, ratio: ratio('many', 'one') / 8, must: 1.3 };
    },
  },
];
