import type { StarterCommit, StarterWorkspace, TextFile } from './workspace';

// The sources are written without template literals, so that they read here exactly as they do in the workspace.

const readme = `# ferry-log

The log of a small ferry line: three harbours, three boats, one summer.

- \`src/duration.ts\` says how long a crossing took, the way it is chalked on the board: \`1h 35m\`.
- \`src/timetable.ts\` knows the harbours, the boats and how long a boat needs.
- \`src/season.ts\` holds the summer: every crossing, with what the crew noted.
- \`src/report.ts\` prints the whole log.

\`\`\`
npm test          # the tests
npm run report    # every crossing of the summer, a long read
\`\`\`

Needs nothing but Node 22.18 or later: the TypeScript runs as it is.
`;

const packageJson = `{
  "name": "ferry-log",
  "version": "1.0.0",
  "description": "The log of a small ferry line.",
  "private": true,
  "type": "module",
  "engines": { "node": ">=22.18" },
  "scripts": {
    "test": "node --test",
    "report": "node src/report.ts"
  }
}
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "ES2023",
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true
  },
  "include": ["src", "test"]
}
`;

const gitignore = `node_modules/
coverage/
*.log
`;

const duration = `/** How long a crossing took, as it is chalked on the board: 95 → "1h 35m", 40 → "40m". */
export function formatDuration(totalMinutes: number): string {
  if (!Number.isFinite(totalMinutes) || totalMinutes < 0) {
    throw new RangeError('a crossing cannot take ' + totalMinutes + ' minutes');
  }
  const hours = Math.floor(totalMinutes / 60);
  const minutes = Math.round(totalMinutes % 60);
  return hours === 0 ? minutes + 'm' : hours + 'h ' + minutes + 'm';
}

/** The minutes in a text from the board: "1h 35m" → 95, "40m" → 40. */
export function parseDuration(text: string): number {
  const match = /^(?:(\\d+)h)?\\s*(?:(\\d+)m)?$/.exec(text.trim());
  if (match === null || (match[1] === undefined && match[2] === undefined)) {
    throw new SyntaxError('not a duration: "' + text + '"');
  }
  return Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0);
}
`;

const timetable = `export type Harbour = 'Alder Quay' | 'Bell Rock' | 'Cormorant Bay';

export interface Leg {
  readonly from: Harbour;
  readonly to: Harbour;
  readonly nauticalMiles: number;
}

export interface Boat {
  readonly name: string;
  readonly knots: number;
}

export const legs: readonly Leg[] = [
  { from: 'Alder Quay', to: 'Bell Rock', nauticalMiles: 9.4 },
  { from: 'Bell Rock', to: 'Cormorant Bay', nauticalMiles: 14.2 },
  { from: 'Cormorant Bay', to: 'Alder Quay', nauticalMiles: 20.9 },
];

export const boats: readonly Boat[] = [
  { name: 'Nightjar', knots: 12 },
  { name: 'Petrel', knots: 10.5 },
  { name: 'Old Marjory', knots: 8 },
];

/** Minutes a boat needs for a leg in calm water. */
export function minutesUnderWay(leg: Leg, boat: Boat): number {
  return (leg.nauticalMiles / boat.knots) * 60;
}

/** The clock at arrival, also past midnight: ("23:40", 50) → "00:30". */
export function arrivalTime(departure: string, minutes: number): string {
  const [hour = 0, minute = 0] = departure.split(':').map(Number);
  const clock = (hour * 60 + minute + Math.round(minutes)) % (24 * 60);
  return String(Math.floor(clock / 60)).padStart(2, '0') + ':' + String(clock % 60).padStart(2, '0');
}
`;

const season = `import { boats, legs, minutesUnderWay, type Boat, type Leg } from './timetable.ts';

export interface Crossing {
  readonly date: string;
  readonly departure: string;
  readonly leg: Leg;
  readonly boat: Boat;
  readonly minutes: number;
  readonly note: string;
}

const departures = ['06:40', '08:15', '10:05', '11:50', '13:30', '15:20', '17:10', '19:45', '22:55'];
const notes = ['calm', 'light swell', 'following wind', 'drizzle', 'sun all the way', 'full deck', 'two bicycles', 'fog, horn sounded'];

/** Every crossing of the summer, always the same ones. */
export function crossings(): readonly Crossing[] {
  let state = 20260601;
  const next = (below: number): number => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const log: Crossing[] = [];
  for (let day = 0; day < 92; day++) {
    const date = new Date(Date.UTC(2026, 5, 1 + day)).toISOString().slice(0, 10);
    for (const departure of departures) {
      const leg = legs[next(legs.length)]!;
      const boat = boats[next(boats.length)]!;
      const delay = next(70) / 10;
      log.push({ date, departure, leg, boat, minutes: minutesUnderWay(leg, boat) + delay, note: notes[next(notes.length)]! });
    }
  }
  const meeting = log.findIndex((crossing) => crossing.date === '2026-07-16' && crossing.departure === '15:20');
  log[meeting] = { ...log[meeting]!, leg: legs[2]!, boat: boats[2]!, minutes: 179.7, note: 'slowed down for a whale and her calf' };
  return log;
}
`;

const report = `import { formatDuration } from './duration.ts';
import { crossings, type Crossing } from './season.ts';
import { arrivalTime } from './timetable.ts';

function line(crossing: Crossing): string {
  const way = (crossing.leg.from + ' → ' + crossing.leg.to).padEnd(28);
  const clock = crossing.departure + '–' + arrivalTime(crossing.departure, crossing.minutes);
  return crossing.date + '  ' + clock + '  ' + way + crossing.boat.name.padEnd(13) + formatDuration(crossing.minutes).padStart(7) + '  ' + crossing.note;
}

const log = crossings();
console.log('ferry-log · summer 2026 · ' + log.length + ' crossings');
console.log('');
for (const crossing of log) console.log(line(crossing));
console.log('');
console.log('time under way: ' + formatDuration(log.reduce((sum, crossing) => sum + crossing.minutes, 0)));
`;

const durationTestHead = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, parseDuration } from '../src/duration.ts';

test('a short crossing is told in minutes', () => {
  assert.equal(formatDuration(0), '0m');
  assert.equal(formatDuration(40), '40m');
});

test('a long crossing is told in hours and minutes', () => {
  assert.equal(formatDuration(95), '1h 35m');
  assert.equal(formatDuration(180), '3h 0m');
});

test('parts of a minute are rounded', () => {
  assert.equal(formatDuration(95.4), '1h 35m');
  assert.equal(formatDuration(94.6), '1h 35m');
});
`;

const durationTestNew = `
test('a crossing just short of the full hour is told as the full hour', () => {
  assert.equal(formatDuration(119.7), '2h 0m');
  assert.equal(formatDuration(59.8), '1h 0m');
});
`;

const durationTestTail = `
test('time does not run backwards', () => {
  assert.throws(() => formatDuration(-1), RangeError);
});

test('the board can be read back', () => {
  assert.equal(parseDuration('1h 35m'), 95);
  assert.equal(parseDuration('40m'), 40);
  assert.throws(() => parseDuration('soon'), SyntaxError);
});
`;

const timetableTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalTime, boats, legs, minutesUnderWay } from '../src/timetable.ts';

test('the fastest boat needs 47 minutes to Bell Rock', () => {
  assert.equal(Math.round(minutesUnderWay(legs[0]!, boats[0]!)), 47);
});

test('a boat that leaves late arrives after midnight', () => {
  assert.equal(arrivalTime('22:55', 47), '23:42');
  assert.equal(arrivalTime('23:40', 50), '00:30');
});
`;

const timetableFiles: readonly TextFile[] = [
  { path: '.gitignore', text: gitignore },
  { path: 'README.md', text: '# ferry-log\n\nThe log of a small ferry line: three harbours, three boats.\n' },
  { path: 'package.json', text: packageJson.replace(',\n    "report": "node src/report.ts"', '') },
  { path: 'src/timetable.ts', text: timetable },
  { path: 'test/timetable.test.ts', text: timetableTest },
  { path: 'tsconfig.json', text: tsconfig },
];

const durationFiles: readonly TextFile[] = [
  { path: 'src/duration.ts', text: duration },
  { path: 'test/duration.test.ts', text: durationTestHead + durationTestTail },
];

const history: readonly StarterCommit[] = [
  { message: 'Harbours, boats and the clock at arrival', files: timetableFiles },
  { message: 'Tell a crossing in hours and minutes', files: durationFiles },
  { message: 'The summer of 2026, its report, and a test for the crossing that took 119.7 minutes' },
];

/** A ferry line's log: one failing test from one real slip in rounding, and a report long enough to be cut. */
export const fixTheTestWorkspace: StarterWorkspace = {
  name: 'ferry-log',
  files: [
    { path: '.gitignore', text: gitignore },
    { path: 'README.md', text: readme },
    { path: 'package.json', text: packageJson },
    { path: 'src/duration.ts', text: duration },
    { path: 'src/report.ts', text: report },
    { path: 'src/season.ts', text: season },
    { path: 'src/timetable.ts', text: timetable },
    { path: 'test/duration.test.ts', text: durationTestHead + durationTestNew + durationTestTail },
    { path: 'test/timetable.test.ts', text: timetableTest },
    { path: 'tsconfig.json', text: tsconfig },
  ],
  history,
};
