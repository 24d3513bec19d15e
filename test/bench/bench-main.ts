import { parseArgs } from 'node:util';
import { loop, loopGrowth } from './loop';
import { earlyStart, parallelReads } from './overlap';
import type { BenchRow } from './row';

const benches = [loop, loopGrowth, earlyStart, parallelReads];

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean', default: false } } });
const chosen = benches.filter((bench) => values.only === undefined || bench.name === values.only);
if (chosen.length === 0) {
  console.error(`there is no bench named ${values.only}; there are: ${benches.map((bench) => bench.name).join(', ')}`);
  process.exit(1);
}
let missed = 0;
for (const bench of chosen) {
  const row = await bench.run();
  if (row.ratio > row.must) missed++;
  console.log(values.json ? JSON.stringify(row) : line(row));
}
process.exit(missed === 0 ? 0 : 1);

function line(row: BenchRow): string {
  const mark = row.ratio <= row.must ? 'holds ' : 'misses';
  return `${mark}  ${row.name.padEnd(16)} ${row.value.toFixed(2)} ${row.unit}  =  ${row.ratio.toFixed(3)} × ${row.peer} (${row.peerValue.toFixed(2)}), must be ≤ ${row.must}`;
}
