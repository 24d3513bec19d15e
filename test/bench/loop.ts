import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { benchEngine } from './bench-engine';
import { callsStream, streamedResponse } from './calls-stream';
import { plainLoop } from './plain-loop';
import { type Bench, median } from './row';

const instant = defineTool({
  name: 'instant',
  description: 'Answers at once.',
  input: z.object({ path: z.string().describe('A path.'), start_line: z.number().int().optional().describe('A line.') }),
  capabilities: ['read-only'],
  supportsParallel: true,
  execute: async () => ({ ok: true, content: 'ok' }),
});
const apiTools = [
  { name: 'instant', description: 'Answers at once.', input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
];

/** Microseconds a call of the whole slot and of the plain loop, in turns, on the same bytes. */
async function measure(count: number, rounds: number): Promise<{ readonly slot: number; readonly plain: number }> {
  const calls = callsStream(count);
  const end = callsStream(0);
  let step = 0;
  const answer = async () => streamedResponse(step++ % 2 === 0 ? calls : end);
  const bench = await benchEngine([instant], answer, emptyRuntime);
  const slot: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds + 10; round++) {
    globalThis.gc?.();
    step = 0;
    let from = performance.now();
    await bench.turn();
    const slotMs = performance.now() - from;
    step = 0;
    from = performance.now();
    await plainLoop(answer, async () => 'ok', apiTools);
    const plainMs = performance.now() - from;
    if (round < 10) continue;
    slot.push((slotMs * 1000) / count);
    plain.push((plainMs * 1000) / count);
  }
  return { slot: median(slot), plain: median(plain) };
}

export const loop: Bench = {
  name: 'loop',
  async run() {
    const { slot, plain } = await measure(100, 60);
    return {
      name: 'loop',
      value: slot,
      unit: 'µs a call',
      limit: plain * 3,
      peer: 'a plain loop of 40 lines on the same bytes',
      peerValue: plain,
      ratio: slot / plain,
      must: 3,
    };
  },
};

export const loopGrowth: Bench = {
  name: 'loop-1000',
  async run() {
    const small = await measure(100, 40);
    const large = await measure(1000, 15);
    return {
      name: 'loop-1000',
      value: large.slot,
      unit: 'µs a call',
      limit: small.slot * 1.3,
      peer: 'the same turn with 100 calls',
      peerValue: small.slot,
      ratio: large.slot / small.slot,
      must: 1.3,
    };
  },
};
