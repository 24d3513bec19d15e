import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isBroken, readPolicyFile } from '@/lib/policy/policy-file';
import { describeDecision } from '@/lib/replay/describe-decision';
import { readLog } from '@/lib/replay/read-log';
import { replayLog } from '@/lib/replay/replay-log';
import { messageOf } from '@/lib/shared/coded-error';
import { printable } from '@/scripts/turn/printable';

const usage = `usage: npm run replay -- LOG [--policy FILE]

  LOG            an exported session, or what "npm run -s turn -- … --json" printed
  --policy FILE  decide with this policy file instead, and print what differs

exit status: 0 every decision of the log is made again alike (with --policy: and the differences are printed)
             1 a decision is not reproduced, or a file cannot be read`;

/** npm runs a script in the project's folder; names are those of where it was called. */
const place = (name: string) => path.resolve(process.env.INIT_CWD ?? process.cwd(), name);

function main(args: readonly string[]): void {
  const { values, positionals } = parseArgs({ args: [...args], options: { policy: { type: 'string' } }, allowPositionals: true });
  const [log, ...more] = positionals;
  if (log === undefined || more.length > 0) throw new Error(`One LOG is wanted.\n\n${usage}`);
  const sessions = readLog(readFileSync(place(log), 'utf8'));
  const policy = values.policy === undefined ? undefined : readPolicyFile(readFileSync(place(values.policy), 'utf8'));
  if (policy !== undefined && isBroken(policy)) {
    const { line, column, message } = policy.broken;
    throw new Error(`${values.policy} does not load: line ${line}, column ${column}: ${message}`);
  }
  const totals = { decisions: 0, stopped: 0, lost: 0, differences: 0 };
  for (const [sessionId, events] of sessions) {
    console.log(`session ${sessionId}: ${events.length} events`);
    const logged = replayLog(events);
    const shown = policy === undefined ? logged : replayLog(events, policy);
    logged.forEach((call, index) => {
      const other = shown[index] ?? call;
      if (call.moment === 'stopped') totals.stopped++;
      else {
        totals.decisions++;
        if (!call.same) totals.lost++;
      }
      const differs = other.moment !== 'stopped' && other.moment !== 'loop-guard' && !other.same;
      if (policy !== undefined && differs) totals.differences++;
      if (call.moment !== 'stopped' && !call.same) console.log(printable(describeDecision(call, false)));
      else if (policy === undefined || differs) console.log(printable(describeDecision(other, policy !== undefined)));
    });
  }
  const { decisions, stopped, lost, differences } = totals;
  console.log(`${decisions} decisions made again, ${lost} not reproduced; ${stopped} calls were stopped before anything was decided about them`);
  if (policy !== undefined) console.log(`${differences} would be decided otherwise under ${values.policy}`);
  process.exitCode = lost > 0 ? 1 : 0;
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
