import { setFlagsFromString } from 'node:v8';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { aiSdkTurn } from './agent-peer';
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

/** Turns before the first that counts: compiled code comes late where the machine has little time for it. */
const warmUp = 800;

/** Microseconds of the processor a call of the whole slot, of the plain loop and of a peer, on the same bytes: nothing in it waits, so what other programs take in between is not its own. */
async function measure(
  count: number,
  rounds: number,
  warm: number,
  withPeer = false,
): Promise<{ readonly slot: number; readonly plain: number; readonly ratio: number; readonly peer: number | undefined }> {
  // Several threads that clear memory wait for each other, the longer the more the machine has to do; one measures what a program leaves behind.
  setFlagsFromString('--no-parallel-scavenge');
  const calls = callsStream(count);
  const end = callsStream(0);
  let step = 0;
  const answer = async () => streamedResponse(step++ % 2 === 0 ? calls : end);
  const bench = await benchEngine([instant], answer, emptyRuntime);
  const peerTurn = withPeer ? await aiSdkTurn(answer) : undefined;
  const slot: number[] = [];
  const plain: number[] = [];
  const peer: number[] = [];
  const timed = async (times: number[], round: number, warmUp: number, run: () => Promise<unknown>) => {
    step = 0;
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    if (round >= warmUp) times.push((user + system) / count);
  };
  for (let round = 0; round < rounds + warm; round++) {
    // A session is opened for a turn, not by it.
    const session = await bench.session();
    await timed(slot, round, warm, session.turn);
    await session.remove();
    await timed(plain, round, warm, () => plainLoop(answer, async () => 'ok', apiTools));
  }
  // The peer takes long, and what it leaves behind would be paid for by the others: some rounds of it at the end are enough.
  if (peerTurn !== undefined) for (let round = 0; round < 40; round++) await timed(peer, round, 20, peerTurn);
  // Of each pair, since the machine may be twice as quick a moment later.
  const ratio = median(slot.map((one, round) => one / (plain[round] as number)));
  return { slot: median(slot), plain: median(plain), ratio, peer: peerTurn === undefined ? undefined : median(peer) };
}

export const loop: Bench = {
  name: 'loop',
  async run() {
    const { slot, plain, ratio, peer } = await measure(100, 200, warmUp, true);
    return {
      name: 'loop',
      value: slot,
      unit: 'µs a call',
      limit: plain,
      peer: peer === undefined ? null : 'AI SDK',
      peerValue: peer ?? null,
      ratio,
      must: 3,
    };
  },
};

export const loopGrowth: Bench = {
  name: 'loop-1000',
  async run() {
    const small = await measure(100, 100, warmUp);
    const large = await measure(1000, 20, 10);
    return {
      name: 'loop-1000',
      value: large.slot,
      unit: 'µs a call',
      limit: small.slot,
      peer: null,
      peerValue: null,
      ratio: large.slot / small.slot,
      must: 1.3,
    };
  },
};
