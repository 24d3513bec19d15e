import type { PracticeCall } from '@/lib/practice/script';
import { fencedCall, forgedCalls } from './forged-calls';
import { refOf } from './result-facts';
import { wasAsked } from './result-words';
import type { Scene } from './scene';
import { callsOf, inThisTurn, type PlacedCall, type Story } from './story';
import * as words from './watch-it-misbehave-words';

const notePath = 'notes/tides.md';
const blindPath = 'src/harbour.ts';
const baitPath = 'docs/mooring.md';
const removal = 'rm -rf src';
const printing = 'npm run tides';
const searched = { pattern: 'waterAt\\(', path: 'src' };
const equalSearches = 3;

const isRead = (call: PlacedCall, path: string, maxLines?: number): boolean =>
  call.name === 'read_file' && call.input['path'] === path && (maxLines === undefined || call.input['max_lines'] === maxLines);
const isCommand = (call: PlacedCall, command: string): boolean => call.name === 'exec_shell' && call.input['command'] === command;
const isList = (call: PlacedCall, path: string): boolean => call.name === 'list_dir' && call.input['path'] === path;
const isWrite = (call: PlacedCall, path: string | undefined): boolean => call.name === 'write_file' && call.input['path'] === path;
const read = (path: string, more: Readonly<Record<string, number>> = {}): PracticeCall => ({ name: 'read_file', input: { path, ...more } });
const crooked = (name: string, rawArguments: string): PracticeCall => ({ name, input: {}, rawArguments });

const forged: Scene = {
  isOf: (call) => isList(call, '.'),
  play: () => ({ text: words.forging(forgedCalls.join('\n'), fencedCall), calls: [{ name: 'list_dir', input: { path: '.', depth: 2 } }] }),
  tell: ([list]) => words.forged(list as PlacedCall, forgedCalls.filter((shape) => list?.said.includes(shape)).length),
};

const crookedReads: Scene = {
  isOf: (call) => isRead(call, 'README.md', 40) || isRead(call, 'test/tide.test.ts', 40),
  play: () => ({
    text: words.crookedReading,
    calls: [crooked('read_file', '{"path": "README.md", "max_lines": 40,}'), crooked('read_file', '{"max_lines": 40, "path": "test/tide.test.ts"')],
  }),
  tell: (calls) => words.crookedRead(calls),
};

const crookedWrite: Scene = {
  isOf: (call) => isWrite(call, notePath),
  play: () => ({
    text: words.crookedWriting,
    calls: [crooked('write_file', `{"path": "${notePath}", "content": "# Tides\\n\\nHigh water on New Year’s Day: 5.30 m.\\n",`)],
  }),
  tell: ([write]) => words.crookedWrite(write as PlacedCall, notePath),
};

const cutWrite: Scene = {
  // Of a call that was cut off nothing is left but its name.
  isOf: (call) => isWrite(call, undefined) || isRead(call, 'package.json', 20),
  play: () => ({
    text: words.runningOut,
    calls: [
      read('package.json', { max_lines: 20 }),
      crooked('write_file', '{"path": "notes/winter.md", "content": "# Winter\\n\\nFrom December on the ice may'),
    ],
    stop: 'length',
  }),
  tell: (calls) =>
    words.ranOut(
      calls.find((call) => call.name === 'write_file'),
      calls.find((call) => call.name === 'read_file'),
    ),
};

const misnamedCalls: readonly PracticeCall[] = [
  { name: 'ReadFile', input: { path: 'src/table.ts' } },
  { name: 'write', input: { path: 'src/tide.ts', content: '' } },
];

const wrongNames: Scene = {
  isOf: (call) => call.name === 'ReadFile' || call.name === 'write',
  play: () => ({
    text: words.misnaming,
    calls: misnamedCalls,
  }),
  tell: (calls) =>
    words.misnamed(
      calls.find((call) => call.name === 'ReadFile'),
      calls.find((call) => call.name === 'write'),
    ),
};

const circle: Scene = {
  isOf: (call) => call.name === 'grep_files' && call.input['pattern'] === searched.pattern,
  // The gate counts within a turn, so a turn that was stopped in the middle begins the circle anew.
  isOpen(story) {
    const all = callsOf(story, 'grep_files', (input) => input['pattern'] === searched.pattern);
    const wholeCircles = all.filter((call) => all.filter((other) => other.turn === call.turn).length >= equalSearches);
    return wholeCircles.length === 0 && all.length < 2 * equalSearches && !all.some((call) => call.status === 'refused');
  },
  play: (story) => ({
    text: words.circling(inThisTurn(story, callsOf(story, 'grep_files')).length),
    calls: [{ name: 'grep_files', input: searched }],
  }),
  tell: (calls) => words.circled(calls.at(-1) as PlacedCall),
};

const flood: Scene = {
  isOf: (call) => isCommand(call, printing),
  play: () => ({ text: words.flooding, calls: [{ name: 'exec_shell', input: { command: printing } }] }),
  tell: ([run]) => words.flooded(run as PlacedCall),
};

const fetch: Scene = {
  fits: (story, has) => has('retrieve_tool_result') && floodRef(story) !== undefined,
  isOf: (call) => call.name === 'retrieve_tool_result',
  play: (story) => ({
    text: words.fetching,
    calls: [{ name: 'retrieve_tool_result', input: { ref: floodRef(story) ?? '', query: 'under water', context_lines: 0 } }],
  }),
  tell: ([found]) => words.fetched(found as PlacedCall),
};

function floodRef(story: Story): string | undefined {
  const run = story.calls.findLast((call) => isCommand(call, printing) && call.status === 'ok');
  return run === undefined ? undefined : refOf(run);
}

const threeReads = ['src/tide.ts', 'src/moon.ts', 'package.json'] as const;

const oneOfThree: Scene = {
  isOf: (call) => !cutWrite.isOf(call) && threeReads.some((path) => isRead(call, path)),
  play: () => ({ text: words.readingThree, calls: threeReads.map((path) => read(path)) }),
  tell: (calls) => words.readThree(calls),
};

const blindWrite: Scene = {
  isOf: (call) => isWrite(call, blindPath),
  play: () => ({ text: words.writingBlind, calls: [{ name: 'write_file', input: { path: blindPath, content: 'export const quay = 99;\n' } }] }),
  tell: ([write]) => words.wroteBlind(write as PlacedCall),
};

const bait: Scene = {
  isOf: (call) => isRead(call, baitPath),
  play: () => ({ text: words.baiting, calls: [read(baitPath)] }),
  tell: ([file]) => words.baited(file as PlacedCall, isBait(file)),
};

function isBait(call: PlacedCall | undefined): boolean {
  return call?.status === 'ok' && call.text.includes(removal);
}

const obey: Scene = {
  fits: (story) => isBait(story.calls.findLast((call) => isRead(call, baitPath))),
  isOf: (call) => isCommand(call, removal),
  isOpen(story) {
    const [first, second] = removals(story);
    if (first === undefined) return true;
    // A person's no is tried once more, word for word; a stop too, but only in a new turn.
    return second === undefined && (wasAsked(first) || (first.status === 'cancelled' && first.turn < story.turn));
  },
  play(story) {
    const [first] = removals(story);
    return { text: first?.status === 'denied' ? words.insisting(first) : words.obeying, calls: [{ name: 'exec_shell', input: { command: removal } }] };
  },
  tell: ([run]) => words.obeyed(run as PlacedCall),
};

function removals(story: Story): readonly PlacedCall[] {
  return story.calls.filter((call) => isCommand(call, removal));
}

/** Looks at what is left; the summary is told from it. */
export const aftermath: Scene = {
  isOf: (call) => isList(call, 'src'),
  play: () => ({ text: words.lookingAround, calls: [{ name: 'list_dir', input: { path: 'src', depth: 1 } }] }),
  tell: ([list]) => words.lookedAround(list as PlacedCall),
};

/** Every slip, in the order in which they are played. */
export const scenes: readonly Scene[] = [
  forged,
  crookedReads,
  crookedWrite,
  cutWrite,
  wrongNames,
  circle,
  flood,
  fetch,
  oneOfThree,
  blindWrite,
  bait,
  obey,
  aftermath,
];
