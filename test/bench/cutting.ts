import { cutEnds, SHELL_LIMITS } from '@/lib/pipeline/5-backfill/cut';
import { findSignalLines } from '@/lib/pipeline/5-backfill/signal-lines';
import { utf8Length } from '@/lib/shared/bytes';
import { type Bench, inTurns, keep } from './row';

/** Output of a build: many lines that say nothing, and no line of note to stop at. */
function output(size: number, arrow = '→'): string {
  const lines = Array.from({ length: 500 }, (_, i) => `[${i}] compiled src/module-${i}.ts ${arrow} dist/module-${i}.js in ${i % 40} ms (size ${i * 7})\n`).join(
    '',
  );
  return JSON.parse(JSON.stringify(lines.repeat(Math.ceil(size / lines.length)))) as string;
}

export const cutting: readonly Bench[] = [
  {
    name: 'cutting',
    async run() {
      const text = output(10_000_000);
      // Whoever streams an output has counted its bytes on the way.
      const limits = { ...SHELL_LIMITS, totalBytes: utf8Length(text) };
      const encoder = new TextEncoder();
      const {
        ms: { ours, limit, peer },
        ratio,
      } = inTurns(
        {
          ours: () => keep(cutEnds(text, limits)),
          limit: () => keep([boundedHead(text, SHELL_LIMITS.headBytes), boundedTail(text, SHELL_LIMITS.tailBytes)]),
          peer: () => {
            const bytes = encoder.encode(text);
            const decoder = new TextDecoder();
            keep([decoder.decode(bytes.subarray(0, SHELL_LIMITS.headBytes)), decoder.decode(bytes.subarray(bytes.length - SHELL_LIMITS.tailBytes))]);
          },
        },
        { rounds: 101, warmUp: 100 },
      );
      // 0.2 ms, where the bounded scan takes 0.05.
      return { name: 'cutting', value: ours, unit: 'ms', limit, peer: 'TextEncoder', peerValue: peer, ratio: ratio('ours', 'limit'), must: 4 };
    },
  },
  {
    name: 'signal-lines',
    async run() {
      const text = output(10_000_000, '->');
      const {
        ms: { ours, limit },
        ratio,
      } = inTurns(
        {
          ours: () => keep(findSignalLines(text, { from: 22_000, to: text.length - 8_000 })),
          // One pass for one of the words that make a line one of note.
          limit: () => keep(text.indexOf('error')),
        },
        { rounds: 41 },
      );
      return { name: 'signal-lines', value: ours, unit: 'ms', limit, peer: null, peerValue: null, ratio: ratio('ours', 'limit'), must: 2 };
    },
  },
];

function boundedHead(text: string, bytes: number): string {
  let used = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) as number;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (used + size > bytes) break;
    used += size;
    at += code > 0xffff ? 2 : 1;
  }
  return text.slice(0, at);
}

function boundedTail(text: string, bytes: number): string {
  let used = 0;
  let at = text.length;
  while (at > 0) {
    const unit = text.charCodeAt(at - 1);
    const size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (used + size > bytes) break;
    used += size;
    at--;
  }
  return text.slice(at);
}
