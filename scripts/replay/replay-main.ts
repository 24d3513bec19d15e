import { parseArgs } from 'node:util';
import { decisionFacts } from '@/lib/pipeline/2-plan/call-facts';
import { isBroken, readPolicyFile } from '@/lib/policy/policy-file';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { describeDecision } from '@/lib/replay/describe-decision';
import { readLog } from '@/lib/replay/read-log';
import { replayLog } from '@/lib/replay/replay-log';
import type { DeclaredFacts } from '@/lib/replay/watch-declared';
import { messageOf } from '@/lib/shared/coded-error';
import { builtInTools } from '@/lib/tools/registry.gen';
import { answerHelp, wrongUsage } from '@/scripts/support/command-line';
import { readNamedFile } from '@/scripts/support/read-named-file';
import { printable } from '@/scripts/turn/printable';

const usage = `usage: npm run replay -- LOG [--policy FILE]

  LOG            an exported session, or what "npm run -s turn -- … --json" printed
  --policy FILE  decide with this policy file instead, and print what differs

exit status: 0 every decision of the log is made again alike (with --policy: and the differences are printed)
             1 a decision is not reproduced, the log cannot be true (a call that nothing allowed, an answer to no prompt, …),
               or a file cannot be read`;

const dispatcher = createToolDispatcher(builtInTools);
const declared: DeclaredFacts = (tool, input) => (dispatcher.has(tool) ? decisionFacts({ tool, input }, dispatcher, undefined) : undefined);

function main(args: readonly string[]): void {
  const { log, policyFile } = optionsOf(args);
  const { sessions, tornAt } = readLog(readNamedFile(log));
  const policy = policyFile === undefined ? undefined : readPolicyFile(readNamedFile(policyFile));
  if (policy !== undefined && isBroken(policy)) {
    const { line, column, message } = policy.broken;
    console.log(
      `${policyFile} does not load: line ${line}, column ${column}: ${message} A policy that does not load asks for everything, and so it is replayed.`,
    );
  }
  const totals = { decisions: 0, stopped: 0, lost: 0, faults: 0, differences: 0 };
  for (const [sessionId, events] of sessions) {
    console.log(`session ${sessionId}: ${events.length} events`);
    const { replayed: logged, open } = replayLog(events, undefined, declared);
    const shown = policy === undefined ? logged : replayLog(events, policy, declared).replayed;
    logged.forEach((call, index) => {
      const other = shown[index] ?? call;
      if (call.moment === 'stopped') totals.stopped++;
      else if (call.moment === 'log') totals.faults++;
      else {
        totals.decisions++;
        if (!call.same) totals.lost++;
      }
      const differs = other.moment !== 'stopped' && other.moment !== 'loop-guard' && other.moment !== 'log' && !other.same;
      if (policy !== undefined && differs) totals.differences++;
      if (call.moment !== 'stopped' && !call.same) console.log(printable(describeDecision(call, false)));
      else if (policy === undefined || differs) console.log(printable(describeDecision(other, policy !== undefined)));
    });
    if (open !== undefined)
      console.log(
        `the log ends inside of a turn (calls that had started: ${open.started}, prompts that were open: ${open.asked}): its session still ran, or its end was cut off`,
      );
  }
  if (tornAt !== undefined) console.log(`line ${tornAt} breaks off in the middle of an event and is left out`);
  const { decisions, stopped, lost, faults, differences } = totals;
  const broken = faults === 0 ? '' : `; ${faults} events cannot stand in a true log`;
  console.log(`${decisions} decisions made again, ${lost} not reproduced; ${stopped} calls were stopped before anything was decided about them${broken}`);
  if (policy !== undefined) console.log(`${differences} would be decided otherwise under ${policyFile}`);
  process.exitCode = lost + faults > 0 ? 1 : 0;
}

function optionsOf(args: readonly string[]): { readonly log: string; readonly policyFile: string | undefined } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: { policy: { type: 'string' } }, allowPositionals: true });
    const [log, ...more] = positionals;
    if (log === undefined || more.length > 0) throw new Error('One LOG is wanted.');
    return { log, policyFile: values.policy };
  } catch (error) {
    throw new Error(wrongUsage(error, usage));
  }
}

answerHelp(process.argv.slice(2), usage);
try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
