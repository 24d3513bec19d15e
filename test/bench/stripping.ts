import { createForgeryFilter } from '@/lib/pipeline/1-stream/strip-forged';
import { type Bench, inTurns, keep } from './row';

const prose = 'The function reads `config.json`, maps each entry to its row and returns the result (see line 12); nothing else uses it.\n';

function chunksOf(text: string, size: number): readonly string[] {
  const chunks: string[] = [];
  // Through JSON, as fragments of a stream come: flat strings, not slices of one large text.
  for (let at = 0; at < text.length; at += size) chunks.push(JSON.parse(JSON.stringify(text.slice(at, at + size))) as string);
  return chunks;
}

function strip(chunks: readonly string[]): number {
  const filter = createForgeryFilter();
  let shown = 0;
  for (const chunk of chunks) shown += filter.push(chunk).visible.length;
  return shown + filter.end().visible.length;
}

interface Shown {
  readonly visible: string;
  readonly marks: number;
}

/** The limit: one look at every unit for the four that may open something, and an answer for each chunk. */
function scan(chunks: readonly string[]): number {
  let shown = 0;
  for (const chunk of chunks) shown += scanOne(chunk).visible.length;
  return shown;
}

function scanOne(chunk: string): Shown {
  let marks = 0;
  for (let i = 0; i < chunk.length; i++) {
    const unit = chunk.charCodeAt(i);
    if (unit === 0x3c || unit === 0x5b || unit === 0x60 || unit === 0x0a) marks++;
  }
  return { visible: chunk, marks };
}

export const stripping: readonly Bench[] = [
  {
    name: 'stripping',
    async run() {
      const chunks = chunksOf(prose.repeat(Math.ceil(10_000_000 / prose.length)), 20);
      const {
        ms: { ours, limit },
        ratio,
      } = inTurns({ ours: () => keep(strip(chunks)), limit: () => keep(scan(chunks)) }, { rounds: 15 });
      return { name: 'stripping', value: ours, unit: 'ms', limit, peer: null, peerValue: null, ratio: ratio('ours', 'limit'), must: 2 };
    },
  },
  {
    name: 'stripping-growth',
    async run() {
      const once = chunksOf(prose.repeat(8_000), 20);
      const eight = chunksOf(prose.repeat(64_000), 20);
      const {
        ms: { one, many },
        ratio,
      } = inTurns({ one: () => keep(strip(once)), many: () => keep(strip(eight)) }, { rounds: 11 });
      return { name: 'stripping-growth', value: many, unit: 'ms', limit: one * 8, peer: null, peerValue: null, ratio: ratio('many', 'one') / 8, must: 1.3 };
    },
  },
];
