import { repairArguments } from '@/lib/pipeline/2-plan/repair-arguments';
import { loadPeer } from './peers';
import { type Bench, type BenchRow, inTurns, keep } from './row';

interface JsonRepair {
  jsonrepair(text: string): string;
}

/** A file that a model writes: one long string with escapes, beside a few short fields. */
function written(size: number): string {
  const line = 'const total = items.reduce((sum, item) => sum + item.price, 0); // "quoted"\n';
  return JSON.stringify({ path: 'src/total.ts', content: line.repeat(Math.max(1, Math.round(size / line.length))), mode: 'create' });
}

/** Many small values: edits of many files. */
function listed(size: number): string {
  const one = { path: 'src/a.ts', line: 12, search: 'const a = 1;', replace: 'const a = 2;', all: false };
  return JSON.stringify({ edits: Array.from({ length: Math.max(1, Math.round(size / 90)) }, () => one) });
}

const repeated = (size: number): number => Math.max(3, Math.min(2000, Math.round(2_000_000 / size)));

async function valid(name: string, text: string): Promise<BenchRow> {
  const times = repeated(text.length);
  const often = (run: () => unknown) => () => {
    for (let i = 0; i < times; i++) keep(run());
  };
  const {
    ms: { ours, limit },
    ratio,
  } = inTurns({ ours: often(() => repairArguments(text, 'repair')), limit: often(() => JSON.parse(text)) }, { rounds: 41 });
  const us = (ms: number) => (ms * 1000) / times;
  return { name, value: us(ours), unit: 'µs', limit: us(limit), peer: null, peerValue: null, ratio: ratio('ours', 'limit'), must: 1.2 };
}

/** `mended`: what the damaged text says; reading it is the limit. */
async function damaged(name: string, given: string, mended: string): Promise<BenchRow> {
  // As it comes off a stream: one flat string, no slice of another.
  const text = JSON.parse(JSON.stringify(given)) as string;
  const repair = await loadPeer<JsonRepair>('jsonrepair');
  const answer = repairArguments(text, 'repair');
  if (!answer.ok || JSON.stringify(answer.value) !== JSON.stringify(JSON.parse(mended))) throw new Error(`${name} was not mended to what it says`);
  const times = repeated(text.length);
  const often = (run: () => unknown) => () => {
    for (let i = 0; i < times; i++) keep(run());
  };
  const programs: Record<string, () => void> = { ours: often(() => repairArguments(text, 'repair')), limit: often(() => JSON.parse(mended)) };
  if (repair !== undefined) programs.peer = often(() => JSON.parse(repair.jsonrepair(text)));
  const {
    ms: { ours = 0, limit = 0, peer },
    ratio,
  } = inTurns(programs, { rounds: 25 });
  const us = (ms: number) => (ms * 1000) / times;
  return {
    name,
    value: us(ours),
    unit: 'µs',
    limit: us(limit),
    peer: peer === undefined ? null : 'jsonrepair',
    peerValue: peer === undefined ? null : us(peer),
    ratio: ratio('ours', 'limit'),
    must: 4,
  };
}

/** Hostile text has nothing that could be read: it is held against one walk over its units. */
async function hostile(): Promise<BenchRow> {
  const texts = [
    '['.repeat(900_000),
    '{"a":'.repeat(180_000),
    `"${'\\'.repeat(900_000)}`,
    ','.repeat(900_000),
    `{"a":"${'\n'.repeat(900_000)}`,
    ']'.repeat(900_000),
    '[1,'.repeat(300_000),
  ];
  const {
    ms: { ours, limit },
    ratio,
  } = inTurns(
    {
      ours: () => {
        for (const text of texts) keep(repairArguments(text, 'repair'));
      },
      limit: () => {
        for (const text of texts) {
          let depth = 0;
          for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 0x5b) depth++;
          keep(depth);
        }
      },
    },
    { rounds: 15 },
  );
  return { name: 'arguments-hostile', value: ours, unit: 'ms', limit, peer: null, peerValue: null, ratio: ratio('ours', 'limit'), must: 4 };
}

const sizes = [1_000, 30_000, 900_000];
const sized = (size: number) => (size >= 1_000_000 ? `${size / 1_000_000}mb` : `${size / 1_000}kb`);

export const argumentBenches: readonly Bench[] = [
  ...sizes.flatMap((size): Bench[] => [
    { name: `arguments-text-${sized(size)}`, run: () => valid(`arguments-text-${sized(size)}`, written(size)) },
    { name: `arguments-list-${sized(size)}`, run: () => valid(`arguments-list-${sized(size)}`, listed(size)) },
  ]),
  ...[100, ...sizes].flatMap((size): Bench[] => {
    const text = written(size);
    const list = listed(size);
    const label = size < 1000 ? `${size}b` : sized(size);
    return [
      { name: `damaged-brace-${label}`, run: () => damaged(`damaged-brace-${label}`, text.slice(0, -1), text) },
      { name: `damaged-comma-${label}`, run: () => damaged(`damaged-comma-${label}`, `${list.slice(0, -2)},]}`, list) },
      { name: `damaged-lines-${label}`, run: () => damaged(`damaged-lines-${label}`, text.replaceAll('\\n', '\n'), text) },
      { name: `damaged-closer-${label}`, run: () => damaged(`damaged-closer-${label}`, `${list}}`, list) },
    ];
  }),
  { name: 'arguments-hostile', run: hostile },
];
