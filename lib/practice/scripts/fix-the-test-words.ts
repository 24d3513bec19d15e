import type { SourceState } from './duration-bug';
import { type ReportFinding, reportCommand, sourcePath } from './fix-the-test-facts';
import { exitCodeOf } from './result-facts';
import { because, failingLines, lastLines, lowerFirst, whoSaidNo } from './result-words';
import type { PlacedCall } from './story';

type Broken = Extract<SourceState, { kind: 'broken' }>;

export const planSteps = [
  'Look at the project and its failing test',
  `Mend the bug in ${sourcePath}`,
  'Run the tests',
  'Find the whale in the season report',
] as const;

export const opening = 'I’ll look at how the project is laid out first, then at the test, then at what it tests. Here is my plan.';

export const reading =
  'The project writes lengths of time, and rounding is where such code slips. So I read the test of it, the source it imports and the scripts, and look up who calls `formatDuration` — all at once, since none of these changes anything.';

export const thinking =
  'The test wants formatDuration(119.7) to be "2h 0m". The code splits first: floor(119.7 / 60) is 1 hour, and 59.7 minutes are left. Then it rounds the rest, and 59.7 becomes 60. So the board says "1h 60m". 59.8 has the same trouble: 0 hours and "60m". Rounding has to come before the split.';

export function diagnosis(line: number): string {
  return `Found it. \`formatDuration\` splits off the hours (line ${line}) **before** it rounds the minutes: 119.7 minutes are 1 hour and 59.7 minutes, 59.7 is rounded to 60, and the board says “1h 60m”. Rounding first and splitting after cannot go over: 119.7 → 120 → “2h 0m”. The test is right, so I change the source only.`;
}

export const testing = 'The edit is in. Whether it is right, only the tests can say.';

export const alreadyMended = `\`${sourcePath}\` rounds before it splits: the bug is mended already, so there is nothing to edit. I run the tests to be sure.`;

export const reporting = 'All tests pass. Now the season report: every crossing of the summer, more than fits into one result, so I expect it to be cut.';

export const fetching =
  'As expected: only the beginning and the end came back, and the whale is in neither. The marker names an id under which the whole output is kept, so I search it there and need not run the report again.';

export const resumed =
  'We stopped on the way, so I go on from where we are. (I am a script, not an AI: I can see what has been done, but I cannot follow new instructions.)';

export const lookingAgain = `The file may have changed since I read it, so I look at \`${sourcePath}\` again before I do anything.`;

export function readFailed(call: PlacedCall): string {
  return `I could not read \`${sourcePath}\`: ${because(call)} I try once more.`;
}

export function cannotRead(call: PlacedCall): string {
  return `I still cannot read \`${sourcePath}\`: ${because(call)} Without it I will not guess at a change, so I stop here. Nothing was changed. If the file was moved, put it back, or start the task again on a fresh copy, and I can do the rest.`;
}

export const strangeSource = `\`${sourcePath}\` no longer holds the lines this script knows how to mend, and a script cannot think of another way. Nothing was changed by me just now. Start the task again for a fresh copy, or connect a model, which can read whatever is there.`;

export function editDeclined(call: PlacedCall, state: Broken): string {
  const no = whoSaidNo(call, 'the edit');
  return `${no} \`${sourcePath}\` is as it was, and the test still fails. This is the change I have in mind:\n\n${proposal(state)}\n\nMake it by hand, or write “continue” and I ask once more.`;
}

export function proposal(state: Broken): string {
  const lines = (text: string, sign: string): string =>
    text
      .split('\n')
      .map((line) => sign + line)
      .join('\n');
  return `\`\`\`diff\n${lines(state.search, '-')}\n${lines(state.replace, '+')}\n\`\`\``;
}

export function editFailed(call: PlacedCall): string {
  return `The edit did not go in: ${because(call)} I read the file again, so that the next one fits what is there now.`;
}

export const editRetried = 'The bug is still there, with the text I have just read. I send the edit again.';

export function cannotEdit(call: PlacedCall, state: Broken): string {
  return `The edit failed a second time: ${because(call)} I leave it at that rather than try for ever. The change would be:\n\n${proposal(state)}`;
}

export const changedBack = `My edit went in, but \`${sourcePath}\` has the bug again: somebody changed it back. I take that as a wish and leave the file alone. Write “continue” if I should edit it again.`;

export function askingAgain(what: string): string {
  return `You said no the last time, and now asked me to go on. So I ask a second time for ${what}; no is still a fine answer.`;
}

export function wontAskAgain(what: string, instead: string): string {
  return `I have asked for ${what} twice and got a no twice, so I do not ask again. What you can do by hand:\n\n${instead}`;
}

export const testByHand = 'Run `npm test` in the terminal: it exits with 0 when every test passes.';

export function testDeclined(call: PlacedCall, edited: boolean): string {
  const state = edited
    ? `The edit in \`${sourcePath}\` is in place, but **I could not verify it**: no test has run since.`
    : '**I could not verify anything**: no test has run.';
  return `${whoSaidNo(call, 'the test run')} ${state} Run \`npm test\` in the terminal, or write “continue” and I ask once more.`;
}

export function testDidNotRun(call: PlacedCall): string {
  return `The tests did not run to their end: ${because(call)} So I cannot say whether the fix is right. Write “continue” and I try again.`;
}

export function testsFail(call: PlacedCall): string {
  const failing = failingLines(call.text);
  const quoted =
    failing.length === 0 ? `The end of the output:\n\n\`\`\`\n${lastLines(call.text)}\n\`\`\`` : `The output names:\n\n\`\`\`\n${failing.join('\n')}\n\`\`\``;
  return `The tests still fail (exit code ${exitCodeOf(call) ?? 'unknown'}). ${quoted}\n\nThis script knows one bug only, and that one is mended, so something else must be wrong. I do not report a success I do not have. When you have changed something, write “continue” and I run the tests again.`;
}

export const standDown = 'All right, I leave everything as it is. Write “continue” whenever I should go on.';

export const afterwards =
  'This task is done, and I have nothing to add to it: I am the practice model, a script without an AI behind it, so I cannot take on new work or answer questions. Start the task again to see it on a fresh copy of the workspace (try another answer on the cards: I react to a no). For work of your own, connect a model in the model menu.';

export function summary(outcome: { readonly edited: boolean; readonly report: ReportFinding }): string {
  const bug = outcome.edited
    ? `- **The bug**: \`formatDuration\` in \`${sourcePath}\` split hours from minutes before rounding, so 119.7 minutes became “1h 60m”.\n- **The fix**: it rounds first and splits after. The tests are unchanged.`
    : `- **The bug** was mended before I came to it: \`${sourcePath}\` rounds first and splits after. I changed nothing.`;
  return `Done.\n\n${bug}\n- **Checked**: \`npm test\` passes.\n- **The whale**: ${whale(outcome.report)}`;
}

function whale(finding: ReportFinding): string {
  switch (finding.kind) {
    case 'fetched':
      return `in the part that was cut, fetched back by its id \`${finding.ref}\`:\n\n  > ${finding.line}`;
    case 'shown':
      return `the report says\n\n  > ${finding.line}`;
    case 'not-fetched':
      return `I don’t know. The report was cut, and the search in the stored output (\`${finding.ref}\`) ${finding.call === undefined ? 'was not possible here.' : `brought nothing: ${because(finding.call)}`} The whole output can be opened from the list of results.`;
    case 'lost':
      return 'I don’t know. The report ran, but no line about a whale came back, and no id under which the rest is kept.';
    case 'not-run':
      return finding.call?.status === 'denied'
        ? `I don’t know: ${lowerFirst(whoSaidNo(finding.call, 'the report'))} Run \`${reportCommand}\` in the terminal to see.`
        : `I don’t know: the report did not run${finding.call === undefined ? '.' : `. ${because(finding.call)}`}`;
  }
}
