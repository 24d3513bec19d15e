import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import { defineTool, type ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { benchEngine } from './bench-engine';
import { callsStream, streamedResponse } from './calls-stream';
import { type Bench, median } from './row';

function instantTool(body: () => Promise<void>): ToolSpec {
  return defineTool({
    name: 'instant',
    description: 'A read.',
    input: z.looseObject({}),
    capabilities: ['read-only'],
    supportsParallel: true,
    async execute() {
      await body();
      return { ok: true, content: 'ok' };
    },
  });
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** From the bytes that complete a call's arguments to its body, while the stream goes on for 500 ms. */
export const earlyStart: Bench = {
  name: 'early-start',
  async run() {
    const delays: number[] = [];
    for (let round = 0; round < 7; round++) {
      let step = 0;
      let sentAt = 0;
      let startedAt = Number.NaN;
      const bench = await benchEngine(
        [
          instantTool(async () => {
            startedAt = performance.now();
          }),
        ],
        async () => {
          const hold = step === 0 ? sleep(500) : undefined;
          sentAt = step === 0 ? performance.now() : sentAt;
          return streamedResponse(callsStream(step++ === 0 ? 1 : 0), hold);
        },
        emptyRuntime,
      );
      const { turn } = await bench.session();
      await turn();
      delays.push(startedAt - sentAt);
    }
    const value = median(delays);
    // A plain figure: the limit is nothing at all, and every peer waits for the end of the stream.
    return { name: 'early-start', value, unit: 'ms', limit: 0, peer: 'waiting for the end of the stream', peerValue: 500, ratio: value / 5, must: 1 };
  },
};

/** Twenty reads of 50 ms in one step, against one such read. */
export const parallelReads: Bench = {
  name: 'parallel-reads',
  async run() {
    const times: number[] = [];
    const single: number[] = [];
    for (let round = 0; round < 7; round++) {
      let first = Number.POSITIVE_INFINITY;
      let last = 0;
      let step = 0;
      const bench = await benchEngine(
        [
          instantTool(async () => {
            first = Math.min(first, performance.now());
            await sleep(50);
            last = Math.max(last, performance.now());
          }),
        ],
        async () => streamedResponse(callsStream(step++ % 2 === 0 ? 20 : 0)),
        emptyRuntime,
      );
      const { turn } = await bench.session();
      await turn();
      times.push(last - first);
      const from = performance.now();
      await sleep(50);
      single.push(performance.now() - from);
    }
    const value = median(times);
    const one = median(single);
    return { name: 'parallel-reads', value, unit: 'ms', limit: one, peer: null, peerValue: null, ratio: value / one, must: 1.1 };
  },
};
