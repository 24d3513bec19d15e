import type { PracticeCall, PracticeScript, PracticeStep } from '@/lib/practice/script';
import type { JsonObject } from '@/lib/shared/json';
import {
  type Answer,
  answerOf,
  isBuilt,
  places,
  question,
  type Requests,
  requestsOf,
  testCommands,
  testRequests,
  testRun,
  testsPassed,
  touchedPaths,
} from './add-a-feature-facts';
import * as words from './add-a-feature-words';
import {
  boatsPatch,
  boatsPath,
  boatsTestPath,
  boatsText,
  commandPath,
  featurePaths,
  holdsBoats,
  type Place,
  packagePath,
  readmeEdit,
  readmePath,
  reportPath,
} from './boats-feature';
import { textOf, viewOf } from './file-views';
import { declines } from './person-words';
import { exitCodeOf } from './result-facts';
import { joined } from './result-words';
import { callsOf, inThisTurn, type PlacedCall, readStory, type Story } from './story';

type Has = (tool: string) => boolean;

/** Asked, declined, asked to go on, asked again: after that a no is final. */
const requestsInAll = 2;

/** The words in the composer. */
export const addAFeaturePrompt =
  'Add a summary of the season for each boat: how many crossings it made, and how long it was under way. Put the adding up into src/boats.ts as boatTotals, with a test. Ask me where to print it. When the tests pass, commit it.';

/** Plays `add-a-feature`: look, ask, write, print, verify, commit, tell. Each part looks at what came back. */
export const addAFeatureScript: PracticeScript = {
  taskId: 'add-a-feature',
  title: 'Add a feature',
  needs: ['read_file', 'write_file', 'edit_file', 'apply_patch', 'request_user_input', 'exec_shell', 'git_add', 'git_commit'],
  isFor: (conversation) => conversation.turns.some((turn) => /\badd\b[\s\S]*\b(boats?|summary|feature)\b/i.test(turn.userText)),
  next(conversation) {
    const story = readStory(conversation);
    const isNewTurn = story.stepsThisTurn === 0 && story.calls.some((call) => call.turn < story.turn);
    if (isNewTurn && declines(story.userText)) return say(words.standDown);
    const has: Has = (tool) => conversation.toolNames.has(tool);
    const step = (testsPassed(story) ? undefined : (look(story, has) ?? ask(story) ?? build(story))) ?? commit(story, has) ?? tell(story, has);
    return isNewTurn && !isTold(story) ? { ...step, text: joined(words.resumed, step.text) } : step;
  },
};

function look(story: Story, has: Has): PracticeStep | undefined {
  const reads = callsOf(story, 'read_file');
  if (reads.length === 0) {
    if (callsOf(story, 'update_plan').length + callsOf(story, 'list_dir').length === 0) {
      const calls = [...planCall(story, has), ...optional(has, 'list_dir', { path: '.', depth: 2 })];
      if (calls.length > 0) return { text: words.opening, calls };
    }
    return { text: words.reading, calls: [packagePath, readmePath, 'src/season.ts', reportPath, 'src/duration.ts'].map(read) };
  }
  // What was seen in an earlier turn may have changed since: a person can edit, undo, or have stopped us in the middle.
  if (inThisTurn(story, reads).length > 0) return undefined;
  const made = touchedPaths(story, [boatsPath, commandPath, boatsTestPath]);
  return { text: words.lookingAgain, calls: [packagePath, readmePath, reportPath, ...made].map(read) };
}

function ask(story: Story): PracticeStep | undefined {
  const answer = answerOf(story);
  if (answer?.kind === 'unclear' && answer.call.turn === story.turn) return say(words.unclear(answer.words));
  if (answer !== undefined) return undefined;
  const options = places.map(({ label, description }) => ({ label, description }));
  return { text: words.asking, calls: [{ name: 'request_user_input', input: { questions: [{ question, options }] } }] };
}

/** The place that was chosen; the smaller change where the person left it to us. */
function placeOf(answer: Answer | undefined): Place {
  return answer?.kind === 'place' ? answer.place : 'report';
}

function build(story: Story): PracticeStep | undefined {
  const answer = answerOf(story);
  const place = placeOf(answer);
  return writeBoats(story, words.answered(answer)) ?? mention(story) ?? print(story, place) ?? verify(story);
}

function writeBoats(story: Story, answered: string): PracticeStep | undefined {
  const view = viewOf(story, boatsPath);
  if (view.kind === 'text' && holdsBoats(view.text)) return undefined;
  const asked = requestsOf(story, 'write_file', (input) => input['path'] === boatsPath);
  const variant = asked.declined === 0 ? 0 : 1;
  const call: PracticeCall = { name: 'write_file', input: { path: boatsPath, content: boatsText(variant) } };
  const seen = inThisTurn(
    story,
    callsOf(story, 'read_file', (input) => input['path'] === boatsPath),
  );
  if (asked.last?.status === 'refused' && seen.length === 0) return { text: words.refused(asked.last), calls: [read(boatsPath)] };
  if (view.kind === 'text') return say(words.strange(boatsPath));
  return request(asked, call, { what: words.theModule, first: joined(answered, words.writing), instead: words.showModule(boatsText(0)) });
}

/** Nice to have: whatever comes of it, the work goes on. */
function mention(story: Story): PracticeStep | undefined {
  const edit = readmeEdit(textOf(story, readmePath) ?? '');
  const asked = callsOf(story, 'edit_file', (input) => input['path'] === readmePath);
  if (edit === undefined || asked.some((call) => call.status !== 'cancelled') || asked.length >= requestsInAll) return undefined;
  return { text: words.mentioning, calls: [{ name: 'edit_file', input: { path: readmePath, ...edit } }] };
}

function print(story: Story, place: Place): PracticeStep | undefined {
  if (isBuilt(story, place)) return undefined;
  const asked = requestsOf(story, 'apply_patch');
  const seen = place === 'report' ? reportPath : packagePath;
  const lastRead = callsOf(story, 'read_file', (input) => input['path'] === seen).at(-1);
  const missed = asked.last !== undefined && asked.last.status !== 'denied' && asked.last.status !== 'ok';
  // Also after one that was cut short by a closed tab: it may have gone in.
  if (missed && asked.now.length === 1 && (lastRead?.at ?? -1) < (asked.last?.at ?? 0)) {
    const made = asked.last?.status === 'cancelled' ? [boatsTestPath, ...(place === 'report' ? [] : [commandPath])] : [];
    return { text: words.patchFailed(asked.last as PlacedCall), calls: [seen, ...made].map(read) };
  }
  const patch = boatsPatch(place, (path) => textOf(story, path), asked.declined === 0 ? 0 : 1);
  if (patch === undefined) return say(words.strange(seen));
  return request(asked, { name: 'apply_patch', input: { patch } }, { what: words.thePatch, first: words.patching(place), instead: words.showPatch(patch) });
}

function verify(story: Story): PracticeStep | undefined {
  const run = testRun(story);
  if (run !== undefined && run.turn === story.turn) return exitCodeOf(run) === 0 ? undefined : say(words.testsFail(run));
  const all = testRequests(story);
  const declined = all.filter((call) => call.status === 'denied').length;
  const last = inThisTurn(story, all).at(-1);
  if (last?.status === 'denied') return say(words.testDeclined(last));
  if (last !== undefined && exitCodeOf(last) === undefined) return say(words.testDidNotRun(last));
  if (declined >= requestsInAll) return say(words.wontAskAgain(words.theTests, words.testByHand));
  const command = testCommands[declined === 0 ? 0 : 1];
  return { text: declined === 0 ? words.testing : words.askingAgain(words.theTests), calls: [{ name: 'exec_shell', input: { command } }] };
}

function commit(story: Story, has: Has): PracticeStep | undefined {
  const committed = requestsOf(story, 'git_commit');
  if (committed.done !== undefined) return undefined;
  const added = requestsOf(story, 'git_add');
  if (added.done === undefined) {
    const looked = inThisTurn(story, callsOf(story, 'git_status')).length > 0;
    if (!looked && has('git_status'))
      return { text: words.comparing, calls: [...planCall(story, has), { name: 'git_status', input: {} }, ...optional(has, 'git_diff', {})] };
    const paths = featurePaths(placeOf(answerOf(story)));
    const call: PracticeCall = { name: 'git_add', input: { paths: added.declined === 0 ? paths : [...paths].reverse() } };
    return request(added, call, { what: words.theStaging, first: words.staging, instead: words.commitByHand });
  }
  const call: PracticeCall = { name: 'git_commit', input: { message: committed.declined === 0 ? words.message : words.shortMessage } };
  return request(committed, call, { what: words.theCommit, first: words.committing(words.message), instead: words.commitByHand });
}

/** Sends a call that may be declined: once a turn, in other words after a no, and never a third time. */
function request(asked: Requests, call: PracticeCall, texts: { readonly what: string; readonly first: string; readonly instead: string }): PracticeStep {
  const { last } = asked;
  if (last?.status === 'denied') return say(words.declined(last, texts.what, texts.instead));
  if (asked.now.length >= requestsInAll) return say(words.cannot(last, texts.what, texts.instead));
  if (asked.declined >= requestsInAll) return say(words.wontAskAgain(texts.what, texts.instead));
  if (last !== undefined) return { text: words.retrying(last, texts.what), calls: [call] };
  return { text: asked.declined > 0 ? words.askingAgain(texts.what) : texts.first, calls: [call] };
}

function tell(story: Story, has: Has): PracticeStep {
  if (isTold(story)) return say(words.afterwards);
  const planned = callsOf(story, 'update_plan').at(-1);
  const done = requestsOf(story, 'git_commit').done;
  if (planned !== undefined && done !== undefined && planned.at < done.at) {
    const calls = planCall(story, has);
    if (calls.length > 0) return { calls };
  }
  const mentioned = callsOf(story, 'edit_file', (input) => input['path'] === readmePath).at(-1);
  return say(words.summary(placeOf(answerOf(story)), mentioned, done));
}

function isTold(story: Story): boolean {
  const done = requestsOf(story, 'git_commit').done;
  return done !== undefined && story.spoken.some((at) => at > done.at);
}

function planCall(story: Story, has: Has): readonly PracticeCall[] {
  const place = placeOf(answerOf(story));
  const passed = testsPassed(story);
  const written = holdsBoats(textOf(story, boatsPath) ?? '');
  const done = [
    callsOf(story, 'read_file').some((call) => call.status === 'ok'),
    answerOf(story) !== undefined,
    passed || written,
    passed || (written && isBuilt(story, place)),
    passed,
    requestsOf(story, 'git_commit').done !== undefined,
  ];
  const current = done.indexOf(false);
  const plan = words.planSteps.map((step, index) => ({ step, status: done[index] === true ? 'completed' : index === current ? 'in_progress' : 'pending' }));
  return optional(has, 'update_plan', { plan });
}

function say(text: string): PracticeStep {
  return { text };
}

function read(path: string): PracticeCall {
  return { name: 'read_file', input: { path } };
}

function optional(has: Has, name: string, input: JsonObject): readonly PracticeCall[] {
  return has(name) ? [{ name, input }] : [];
}
