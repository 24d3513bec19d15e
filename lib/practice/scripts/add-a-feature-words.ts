import type { Answer } from './add-a-feature-facts';
import type { Place } from './boats-feature';
import { exitCodeOf } from './result-facts';
import { because, failingLines, joined, lastLines, whoSaidNo } from './result-words';
import type { PlacedCall } from './story';

export const planSteps = [
  'Look at the log and its report',
  'Ask where the summary is printed',
  'Add up the boats in src/boats.ts',
  'Print it, and test it',
  'Run the tests',
  'Commit',
] as const;

export const theModule = 'the new file';
export const thePatch = 'the patch';
export const theTests = 'the test run';
export const theStaging = 'staging the files';
export const theCommit = 'the commit';

/** Shown on the card before it is made. */
export const message =
  'Tell what each boat did over the season\n\nCrossings and time under way, the busiest boat first. The adding up lives in\nsrc/boats.ts, so that whoever prints it need not know how.';
export const shortMessage = 'Tell what each boat did over the season';

export const opening = 'I’ll look at the project first, ask you the one thing that the request leaves open, then build, test and commit. Here is my plan.';

export const reading =
  'The crossings, the report that prints them, the scripts, and how a length of time is told: five files, read at once, since none of this changes anything.';

export const lookingAgain = 'The files may have changed since I read them, so I look again before I do anything.';

export const resumed =
  'We stopped on the way, so I go on from where we are. (I am a script, not an AI: I can see what has been done, but I cannot follow new instructions.)';

export const asking =
  'A crossing knows its boat and its minutes, so the adding up is clear. Where it is printed is a matter of taste, and the taste that counts is yours. What I build depends on your answer.';

export function unclear(said: string): string {
  return `You answered “${said}”. I am a script and know two ways only: write **below the report** or **its own command**, and I build that one. Anything else, and I take the first.`;
}

export function answered(answer: Answer | undefined): string {
  if (answer?.kind === 'place') return answer.place === 'report' ? 'Below the report, then.' : 'Its own command, then.';
  return 'You did not choose, so I take the smaller change: below the report. Stop me if that is wrong.';
}

export const writing = 'First the adding up, in a file of its own. It is new, so nothing can be lost.';

export function showModule(text: string): string {
  return `\`\`\`ts\n${text}\`\`\``;
}

export function refused(call: PlacedCall): string {
  return `The file was not written: ${because(call)} So I look at what is there.`;
}

export function strange(path: string): string {
  return `\`${path}\` is not as this script knows it, and a script cannot think of another way. I change nothing more. Start the task again for a fresh copy, or connect a model, which can read whatever is there.`;
}

export const mentioning = 'A line in the README, so that the next reader finds it: one exact text, once in the file.';

export function patching(place: Place): string {
  return place === 'report'
    ? 'Now the printing and the test, which belong together: **one patch over two files**, all or nothing.'
    : 'Now the command, its script in `package.json` and the test, which belong together: **one patch over three files**, all or nothing.';
}

export function showPatch(patch: string): string {
  return `\`\`\`diff\n${patch}\`\`\``;
}

export function patchFailed(call: PlacedCall): string {
  return call.status === 'cancelled'
    ? `The patch was cut short: ${because(call)} So I look at what is there.`
    : `The patch did not go in, and nothing of it was applied: ${because(call)} I read again, so that the next one fits what is there.`;
}

export const testing = 'All in. Whether it is right, only the tests can say.';

export const testByHand = 'Run `npm test` in the terminal: it exits with 0 when every test passes.';

export function testDeclined(call: PlacedCall): string {
  return `${whoSaidNo(call, theTests)} The feature is in the files, but **not verified**, and I do not commit what I could not verify. ${testByHand} Write “continue” and I ask once more.`;
}

export function testDidNotRun(call: PlacedCall): string {
  return `The tests did not run to their end: ${because(call)} So nothing is committed. Write “continue” and I try again.`;
}

export function testsFail(call: PlacedCall): string {
  const failing = failingLines(call.text);
  const quoted = failing.length === 0 ? lastLines(call.text) : failing.join('\n');
  return `The tests fail (exit code ${exitCodeOf(call) ?? 'unknown'}):\n\n\`\`\`\n${quoted}\n\`\`\`\n\nThis script knows one way to build the summary, and that is in, so something else must be wrong. **I commit nothing that fails.** When you have changed something, write “continue” and I look again.`;
}

export const comparing = 'All tests pass. Before a commit I look at what would go into it.';

export const staging = 'Exactly the files of this feature, one by one, so that nothing else slips in.';

export function committing(text: string): string {
  return `And the commit. Its message:\n\n> ${text.replaceAll('\n', '\n> ')}`;
}

export const commitByHand = 'The files are as they shall be; what is missing is the commit, which you can make by hand.';

export function declined(call: PlacedCall, what: string, instead: string): string {
  return joined(
    `${whoSaidNo(call, what)} I stop here; what was done so far stays as it is. This is what it was:`,
    instead,
    'Write “continue” and I ask once more.',
  );
}

export function askingAgain(what: string): string {
  return `You said no the last time, and now asked me to go on. So I ask a second time for ${what}; no is still a fine answer.`;
}

export function wontAskAgain(what: string, instead: string): string {
  return joined(`I have asked for ${what} twice and got a no twice, so I do not ask again.`, instead);
}

export function retrying(call: PlacedCall, what: string): string {
  return `It did not work the first time (${what}): ${because(call)} I try once more.`;
}

export function cannot(call: PlacedCall | undefined, what: string, instead: string): string {
  return joined(`That failed a second time (${what}): ${call === undefined ? '' : because(call)} I leave it at that rather than try for ever.`, instead);
}

export const standDown = 'All right, I leave everything as it is. Write “continue” whenever I should go on.';

export const afterwards =
  'This task is done, and I have nothing to add to it: I am the practice model, a script without an AI behind it. Start the task again for a fresh copy, and answer the question the other way. For work of your own, connect a model in the model menu.';

export function summary(place: Place, mentioned: PlacedCall | undefined, committed: PlacedCall | undefined): string {
  const where = place === 'report' ? '`npm run report` ends with one line a boat' : '`npm run boats` prints one line a boat, and the report is as it was';
  const readme =
    mentioned === undefined || mentioned.status === 'ok'
      ? ''
      : `\n- **The README** does not mention it: ${mentioned.status === 'denied' ? whoSaidNo(mentioned, 'that edit') : because(mentioned)}`;
  return `Done.\n\n- **Added up** in \`src/boats.ts\`: crossings and time under way of each boat, the busiest first.\n- **Printed**: ${where}.\n- **Checked**: \`npm test\` passes, with three tests more.${readme}\n- ${committed === undefined ? 'Not committed.' : `**${because(committed).replace(/^Committed\b/, 'Committed**')}`}`;
}
