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

type Turn = () => Promise<unknown>;
interface Turns {
  /** A turn of the whole slot; its session is opened for it, not by it. */
  readonly slot: () => Promise<number>;
  readonly plain: () => Promise<number>;
  readonly peer: (() => Promise<number>) | undefined;
}

/** Turns of `count` calls on the same bytes, each in microseconds of the processor a call: nothing waits, so what other programs take in between is not its own. */
async function turnsOf(count: number): Promise<Turns> {
  // Several threads that clear memory wait for each other, the longer the more the machine has to do; one measures what a program leaves behind.
  setFlagsFromString('--no-parallel-scavenge');
  const calls = callsStream(count);
  const end = callsStream(0);
  let step = 0;
  const answer = async () => streamedResponse(step++ % 2 === 0 ? calls : end);
  const bench = await benchEngine([instant], answer, emptyRuntime);
  const peerTurn = await aiSdkTurn(answer);
  const timed = async (run: Turn) => {
    step = 0;
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  return {
    async slot() {
      const session = await bench.session();
      const time = await timed(session.turn);
      await session.remove();
      return time;
    },
    plain: () => timed(() => plainLoop(answer, async () => 'ok', apiTools)),
    peer: peerTurn === undefined ? undefined : () => timed(peerTurn),
  };
}

async function times(rounds: number, turn: () => Promise<number>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) found.push(await turn());
  return found;
}

/** Two in turns; `ratio` of each pair, since the machine may be twice as quick a moment later. */
async function pairs(rounds: number, warm: number, one: () => Promise<number>, other: () => Promise<number>) {
  const all: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds + warm; round++) all.push([await one(), await other()]);
  const found = all.slice(warm);
  return { one: median(found.map(([value]) => value)), other: median(found.map(([, value]) => value)), ratio: median(found.map(([a, b]) => a / b)) };
}

export const loop: Bench = {
  name: 'loop',
  async run() {
    const { slot, plain, peer } = await turnsOf(100);
    const { one, other, ratio } = await pairs(200, warmUp, slot, plain);
    // The peer takes long, and what it leaves behind would be paid for by the others: some rounds of it at the end are enough.
    const peerValue = peer === undefined ? null : median((await times(40, peer)).slice(20));
    return { name: 'loop', value: one, unit: 'µs a call', limit: other, peer: peer === undefined ? null : 'AI SDK', peerValue, ratio, must: 3 };
  },
};

export const loopGrowth: Bench = {
  name: 'loop-1000',
  async run() {
    const small = await turnsOf(100);
    const large = await turnsOf(1000);
    await times(warmUp, small.slot);
    // As many calls of either.
    const ten = async () => (await times(10, small.slot)).reduce((sum, time) => sum + time, 0) / 10;
    const { one, other, ratio } = await pairs(30, 10, large.slot, ten);
    return { name: 'loop-1000', value: one, unit: 'µs a call', limit: other, peer: null, peerValue: null, ratio, must: 1.3 };
  },
};
