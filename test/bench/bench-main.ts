import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { answerHelp, wrongUsage } from '@/scripts/support/command-line';
import { argumentBenches } from './arguments';
import { commands } from './commands';
import { cutting } from './cutting';
import { loop, loopGrowth } from './loop';
import { earlyStart, parallelReads } from './overlap';
import type { Bench, BenchRow } from './row';
import { sse } from './sse';
import { stripping } from './stripping';

const benches: readonly Bench[] = [loop, loopGrowth, earlyStart, parallelReads, ...sse, ...argumentBenches, ...stripping, ...cutting, ...commands];

const usage = `usage: npm run bench [-- --only NAME] [--json]
       npm run bench -- --list     the names of the rows`;
answerHelp(process.argv.slice(2), usage);
const values = optionsOf(process.argv.slice(2));
if (values.list) {
  console.log(benches.map((bench) => bench.name).join('\n'));
  process.exit(0);
}
const { only } = values;
// A name stands for itself, or for the rows that begin with it.
const named = benches.filter((bench) => bench.name === only);
const chosen = only === undefined ? benches : named.length > 0 ? named : benches.filter((bench) => bench.name.startsWith(`${only}-`));
if (chosen.length === 0) {
  console.error(`there is no bench named ${only}; there are: ${benches.map((bench) => bench.name).join(', ')}`);
  process.exit(1);
}
let missed = 0;
if (!values.json) console.log(line('', 'row', 'value', 'limit', 'best peer', 'ratio', 'must be'));
for (const bench of chosen) {
  const row = chosen.length === 1 ? await bench.run() : rowOf(bench.name);
  if (row.ratio > row.must) missed++;
  console.log(values.json ? JSON.stringify(row) : tableLine(row));
}
if (!values.json) console.log(`\n${chosen.length - missed} hold, ${missed} miss`);
process.exit(missed === 0 ? 0 : 1);

/** Several rows run in a process each: what one leaves on the heap, and what the compiler learnt from it, would be paid for by the next. */
function rowOf(name: string): BenchRow {
  const [script = ''] = process.argv.slice(1);
  const { stdout, stderr, error } = spawnSync(process.execPath, [script, '--only', name, '--json'], { encoding: 'utf8' });
  try {
    return JSON.parse(stdout) as BenchRow;
  } catch {
    throw new Error(`${name} could not be measured: ${error?.message ?? stderr.trim()}`);
  }
}

function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { only: { type: 'string' }, json: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    console.error(wrongUsage(error, usage));
    return process.exit(1);
  }
}

function tableLine(row: BenchRow): string {
  const peer = row.peer === null || row.peerValue === null ? '–' : `${figure(row.peerValue)} ${row.peer}`;
  return line(
    row.ratio <= row.must ? 'holds' : 'misses',
    row.name,
    `${figure(row.value)} ${row.unit}`,
    figure(row.limit),
    peer,
    figure(row.ratio),
    `≤ ${row.must}`,
  );
}

function line(mark: string, name: string, value: string, limit: string, peer: string, ratio: string, must: string): string {
  return `${mark.padEnd(7)} ${name.padEnd(22)} ${value.padStart(16)} ${limit.padStart(10)} ${peer.padStart(26)} ${ratio.padStart(7)} ${must.padStart(8)}`;
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}
