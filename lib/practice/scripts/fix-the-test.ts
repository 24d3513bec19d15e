import type { PracticeCall, PracticeScript, PracticeStep } from '@/lib/practice/script';
import type { JsonObject } from '@/lib/shared/json';
import { readSource, withoutLineNumbers } from './duration-bug';
import {
  appliedEdit,
  isTold,
  reportCommand,
  reportFinding,
  reportRuns,
  retrievals,
  sourceEdits,
  sourcePath,
  sourceReads,
  testCommands,
  testPath,
  testRequests,
  testRuns,
  testsPassed,
  whaleLine,
} from './fix-the-test-facts';
import * as words from './fix-the-test-words';
import { declines } from './person-words';
import { exitCodeOf, refOf } from './result-facts';
import { joined } from './result-words';
import { callsOf, inThisTurn, type PlacedCall, readStory, type Story } from './story';

/** Asked, declined, asked to go on, asked again: after that a no is final. */
const requestsInAll = 2;

/** The words in the composer; the script also answers to looser ones about a failing test. */
export const fixTheTestPrompt =
  'One test of this project fails. Find the bug, fix it in the source (not in the test) and run the tests. Then run the season report and tell me what it says about the whale.';

/** Plays `fix-the-test` in five parts: look, mend, verify, report, tell. Each part looks at what came back. */
export const fixTheTestScript: PracticeScript = {
  taskId: 'fix-the-test',
  title: 'Fix the failing test',
  needs: ['read_file', 'edit_file', 'exec_shell'],
  isFor: (conversation) => conversation.turns.some((turn) => isAboutTheTest(turn.userText)),
  next(conversation) {
    const story = readStory(conversation);
    const begun = story.calls.some((call) => call.turn < story.turn);
    if (begun && story.stepsThisTurn === 0 && declines(story.userText)) return say(words.standDown);
    const has = (name: string): boolean => conversation.toolNames.has(name);
    const step = look(story, has) ?? mend(story) ?? verify(story) ?? report(story, has) ?? tell(story, has);
    return begun && story.stepsThisTurn === 0 && !isTold(story) ? { ...step, text: joined(words.resumed, step.text) } : step;
  },
};

function isAboutTheTest(text: string): boolean {
  return /\bfix\b[\s\S]*\btests?\b|\btests?\b[\s\S]*\b(fix|fail(s|ed|ing)?)\b/i.test(text);
}

function look(story: Story, has: (name: string) => boolean): PracticeStep | undefined {
  if (testsPassed(story)) return undefined;
  const tried = sourceReads(story);
  if (tried.length === 0) {
    if (callsOf(story, 'update_plan').length + callsOf(story, 'list_dir').length === 0) {
      const calls = [...planCall(story, has), ...optional(has, 'list_dir', { path: '.', depth: 2 })];
      if (calls.length > 0) return { text: words.opening, calls };
    }
    const reads = ['package.json', testPath, sourcePath].map((path): PracticeCall => ({ name: 'read_file', input: { path } }));
    return { text: words.reading, calls: [...reads, ...optional(has, 'grep_files', { pattern: 'formatDuration\\(', path: 'src' })] };
  }
  // What was seen in an earlier turn may have changed since: a person can edit, undo, or have stopped us in the middle.
  const now = inThisTurn(story, tried);
  const last = now.at(-1);
  if (last === undefined) return { text: words.lookingAgain, calls: [readAgain()] };
  if (last.status === 'ok') return undefined;
  return now.length < 2 ? { text: words.readFailed(last), calls: [readAgain()] } : say(words.cannotRead(last));
}

function mend(story: Story): PracticeStep | undefined {
  const view = sourceReads(story).findLast((call) => call.status === 'ok');
  const applied = appliedEdit(story);
  if (testsPassed(story) || view === undefined || (applied !== undefined && applied.at > view.at)) return undefined;
  const state = readSource(withoutLineNumbers(view.text));
  if (state.kind === 'mended') return undefined;
  if (state.kind === 'strange') return say(words.strangeSource);

  const edits = sourceEdits(story);
  const now = inThisTurn(story, edits);
  const last = now.at(-1);
  const declined = edits.filter((call) => call.status === 'denied').length;
  const change = declined === 0 ? { search: state.search, replace: state.replace } : { search: state.wideSearch, replace: state.wideReplace };
  const edit: PracticeCall = { name: 'edit_file', input: { path: sourcePath, ...change } };
  if (last === undefined) {
    if (declined >= requestsInAll) return say(words.wontAskAgain('the edit', words.proposal(state)));
    return declined > 0
      ? { text: words.askingAgain('the edit'), calls: [edit] }
      : { reasoning: words.thinking, text: words.diagnosis(state.line), calls: [edit] };
  }
  if (last.status === 'denied') return say(words.editDeclined(last, state));
  if (last.status === 'ok') return say(words.changedBack);
  if (now.length >= 2) return say(words.cannotEdit(last, state));
  return last.at > view.at ? { text: words.editFailed(last), calls: [readAgain()] } : { text: words.editRetried, calls: [edit] };
}

function verify(story: Story): PracticeStep | undefined {
  if (testsPassed(story)) return undefined;
  const last = inThisTurn(story, testRuns(story)).at(-1);
  const edited = appliedEdit(story) !== undefined;
  if (last === undefined) {
    const declined = testRequests(story).filter((call) => call.status === 'denied').length;
    if (declined >= requestsInAll) return say(words.wontAskAgain('the test run', words.testByHand));
    const command = declined === 0 ? testCommands[0] : testCommands[1];
    const why = declined > 0 ? words.askingAgain(`the test run, as \`${command}\``) : edited ? words.testing : words.alreadyMended;
    return { text: why, calls: [{ name: 'exec_shell', input: { command } }] };
  }
  if (last.status === 'denied') return say(words.testDeclined(last, edited));
  return say(exitCodeOf(last) === undefined ? words.testDidNotRun(last) : words.testsFail(last));
}

function report(story: Story, has: (name: string) => boolean): PracticeStep | undefined {
  const runs = reportRuns(story);
  const run = runs.at(-1);
  if (run === undefined || worthAnotherTry(story, runs))
    return { text: words.reporting, calls: [...planCall(story, has), { name: 'exec_shell', input: { command: reportCommand } }] };
  const ref = refOf(run);
  if (run.status !== 'ok' || ref === undefined || whaleLine(run.text) !== undefined || !has('retrieve_tool_result')) return undefined;
  const fetched = retrievals(story, ref);
  if (fetched.length > 0 && !worthAnotherTry(story, fetched)) return undefined;
  return { text: words.fetching, calls: [{ name: 'retrieve_tool_result', input: { ref, mode: 'query', query: 'whale' } }] };
}

/** It was cut short in an earlier turn, once: then the person's "continue" means this too. */
function worthAnotherTry(story: Story, calls: readonly PlacedCall[]): boolean {
  const last = calls.at(-1);
  return last?.status === 'cancelled' && last.turn < story.turn && calls.length < requestsInAll;
}

function tell(story: Story, has: (name: string) => boolean): PracticeStep {
  if (isTold(story)) return say(words.afterwards);
  const planned = callsOf(story, 'update_plan').at(-1);
  const worked = story.calls.findLast((call) => call.name !== 'update_plan');
  if (planned !== undefined && worked !== undefined && planned.at < worked.at) {
    const calls = planCall(story, has);
    if (calls.length > 0) return { calls };
  }
  return say(words.summary({ edited: appliedEdit(story) !== undefined, report: reportFinding(story) }));
}

function say(text: string): PracticeStep {
  return { text };
}

function readAgain(): PracticeCall {
  return { name: 'read_file', input: { path: sourcePath, start_line: 1, max_lines: 100 } };
}

function optional(has: (name: string) => boolean, name: string, input: JsonObject): readonly PracticeCall[] {
  return has(name) ? [{ name, input }] : [];
}

function planCall(story: Story, has: (name: string) => boolean): readonly PracticeCall[] {
  const finding = reportFinding(story).kind;
  const passed = testsPassed(story);
  const seen = sourceReads(story).some((call) => call.status === 'ok');
  const done = [seen, passed || appliedEdit(story) !== undefined, passed, finding === 'fetched' || finding === 'shown'];
  const settled = reportRuns(story).length > 0;
  const current = settled ? -1 : done.indexOf(false);
  const plan = words.planSteps.map((step, index) => ({ step, status: done[index] === true ? 'completed' : index === current ? 'in_progress' : 'pending' }));
  return optional(has, 'update_plan', { plan });
}
