import { encodeUtf8 } from '@/lib/shared/bytes';
import { unifiedDiff } from '@/lib/shared/unified-diff';

export const boatsPath = 'src/boats.ts';
export const boatsTestPath = 'test/boats.test.ts';
export const commandPath = 'src/boats-report.ts';
export const reportPath = 'src/report.ts';
export const packagePath = 'package.json';
export const readmePath = 'README.md';

/** Where the summary is printed: below the season's report, or by a command of its own. */
export type Place = 'report' | 'command';

interface PatchedFile {
  readonly path: string;
  /** null = it is new. */
  readonly before: string | null;
  readonly after: string;
}

const note = '// The busiest boat comes first: that is the one people ask about.\n';

const boatsSource = `import { formatDuration } from './duration.ts';
import type { Crossing } from './season.ts';

export interface BoatTotal {
  readonly boat: string;
  readonly crossings: number;
  readonly minutes: number;
}

/** What each boat did over the season, the busiest first. */
export function boatTotals(log: readonly Crossing[]): readonly BoatTotal[] {
  const totals = new Map<string, BoatTotal>();
  for (const { boat, minutes } of log) {
    const before = totals.get(boat.name) ?? { boat: boat.name, crossings: 0, minutes: 0 };
    totals.set(boat.name, { boat: boat.name, crossings: before.crossings + 1, minutes: before.minutes + minutes });
  }
  return [...totals.values()].sort((a, b) => b.crossings - a.crossings);
}

/** One line of the board: name, crossings, time under way. */
export function boatLine(total: BoatTotal): string {
  return total.boat.padEnd(13) + String(total.crossings).padStart(4) + ' crossings  ' + formatDuration(total.minutes).padStart(9);
}
`;

const boatsTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boatLine, boatTotals } from '../src/boats.ts';
import { crossings } from '../src/season.ts';

test('every crossing of the season belongs to one boat', () => {
  const totals = boatTotals(crossings());
  assert.deepEqual(totals.map((total) => total.boat).sort(), ['Nightjar', 'Old Marjory', 'Petrel']);
  assert.equal(totals.reduce((sum, total) => sum + total.crossings, 0), crossings().length);
});

test('the busiest boat comes first', () => {
  const counts = boatTotals(crossings()).map((total) => total.crossings);
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
});

test('a boat is told in one line', () => {
  assert.equal(boatLine({ boat: 'Petrel', crossings: 12, minutes: 605 }), 'Petrel         12 crossings     10h 5m');
});
`;

const commandSource = `import { boatLine, boatTotals } from './boats.ts';
import { crossings } from './season.ts';

for (const total of boatTotals(crossings())) console.log(boatLine(total));
`;

const reportImport = "import { formatDuration } from './duration.ts';";
const reportEnd = "console.log('time under way: ' + formatDuration(log.reduce((sum, crossing) => sum + crossing.minutes, 0)));";
const reportScript = '    "report": "node src/report.ts"';
const readmeLine = '- `src/report.ts` prints the whole log.';
const readmeNew = '- `src/boats.ts` adds up what each boat did.';

/** The new module. `variant` 1 has one comment more, so that a second request is not the call that was declined. */
export function boatsText(variant: 0 | 1): string {
  return variant === 0 ? boatsSource : boatsSource.replace('/** What each boat did', `${note}/** What each boat did`);
}

export function holdsBoats(text: string): boolean {
  return /export function boatTotals\(/.test(text) && /export function boatLine\(/.test(text);
}

/** The edit of the README as `edit_file` wants it; undefined when it is in already, or the line it goes below is not there. */
export function readmeEdit(text: string): { readonly search: string; readonly replace: string } | undefined {
  return text.split(readmeLine).length !== 2 || text.includes(readmeNew) ? undefined : { search: readmeLine, replace: `${readmeLine}\n${readmeNew}` };
}

/** The new summary is printed where it shall be. */
export function isPrinted(place: Place, read: (path: string) => string | undefined): boolean {
  return place === 'report'
    ? /\bboatLine\(/.test(read(reportPath) ?? '')
    : /\bboatLine\(/.test(read(commandPath) ?? '') && /"boats":/.test(read(packagePath) ?? '');
}

/**
 * The patch that prints the summary and tests it.
 *
 * In     `read` gives a file as it is now, undefined where it is not known to be there; `variant` 1 has fewer lines around its changes, so that a second request is another call.
 * Out    undefined when a file is not as this script knows it.
 */
export function boatsPatch(place: Place, read: (path: string) => string | undefined, variant: 0 | 1): string | undefined {
  const printing =
    place === 'report' ? [printBelow(read(reportPath))] : [{ path: commandPath, before: null, after: commandSource }, addScript(read(packagePath))];
  const files = printing.filter((file) => file !== undefined);
  if (files.length < printing.length) return undefined;
  return [...files, { path: boatsTestPath, before: null, after: boatsTest }]
    .filter(({ path, before }) => before !== null || read(path) === undefined)
    .map(({ path, before, after }) =>
      unifiedDiff({ path, before: before === null ? null : encodeUtf8(before), after: encodeUtf8(after) }, variant === 0 ? 3 : 1),
    )
    .join('');
}

/** Every path that the feature touches, for the commit. */
export function featurePaths(place: Place): readonly string[] {
  return [readmePath, ...(place === 'report' ? [] : [packagePath, commandPath]), boatsPath, ...(place === 'report' ? [reportPath] : []), boatsTestPath];
}

function printBelow(report: string | undefined): PatchedFile | undefined {
  if (report === undefined || !report.includes(`${reportImport}\n`) || !report.includes(reportEnd)) return undefined;
  const after = report
    .replace(`${reportImport}\n`, `import { boatLine, boatTotals } from './boats.ts';\n${reportImport}\n`)
    .replace(reportEnd, `${reportEnd}\nconsole.log('');\nfor (const total of boatTotals(log)) console.log(boatLine(total));`);
  return { path: reportPath, before: report, after };
}

function addScript(packageJson: string | undefined): PatchedFile | undefined {
  if (packageJson === undefined || !packageJson.includes(`${reportScript}\n`)) return undefined;
  return {
    path: packagePath,
    before: packageJson,
    after: packageJson.replace(`${reportScript}\n`, `${reportScript},\n    "boats": "node src/boats-report.ts"\n`),
  };
}
