import type { JsonObject } from '@/lib/shared/json';
import { boatsPath, commandPath, isPrinted, type Place, packagePath, reportPath } from './boats-feature';
import { textOf } from './file-views';
import { exitCodeOf } from './result-facts';
import { callsOf, inThisTurn, type PlacedCall, type Story } from './story';

export const question = 'Where should the summary of the boats be printed?';
export const places: readonly { readonly place: Place; readonly label: string; readonly description: string }[] = [
  { place: 'report', label: 'Below the report', description: '`npm run report` ends with one line a boat.' },
  { place: 'command', label: 'Its own command', description: '`npm run boats` prints it; the report stays as it is.' },
];
/** One spelling a request: a command that was declined is not sent again as it was. */
export const testCommands = ['npm test', 'npm run test'] as const;

/** What the person said about the place. none: they did not say. unclear: words that name neither option. */
export type Answer =
  | { readonly kind: 'none'; readonly call: PlacedCall }
  | { readonly kind: 'unclear'; readonly words: string; readonly call: PlacedCall }
  | { readonly kind: 'place'; readonly place: Place };

/** The answer so far; undefined while nobody was asked, or a stop or a closed tab took the question away. */
export function answerOf(story: Story): Answer | undefined {
  const all = callsOf(story, 'request_user_input');
  const asked = all.at(-1);
  if (asked === undefined) return undefined;
  // What is written after the question counts as an answer too.
  const later = story.turn > asked.turn ? placeIn(story.userText) : undefined;
  if (later !== undefined) return { kind: 'place', place: later };
  const isGone = asked.status === 'cancelled' || /^The question was taken back\b/.test(asked.text);
  if (isGone && (asked.turn < story.turn || all.length === 1)) return undefined;
  const said = /^The person answered:\n[^\n]*\n\s*([\s\S]*)$/.exec(asked.text)?.[1]?.trim();
  if (said === undefined) return { kind: 'none', call: asked };
  const chosen = places.filter(({ label }) => said.includes(`"${label}"`));
  const place = chosen.length === 1 ? chosen[0]?.place : placeIn(said);
  return place === undefined ? { kind: 'unclear', words: said.replace(/^in their words: /, ''), call: asked } : { kind: 'place', place };
}

/** The one place that a text speaks of. */
function placeIn(text: string): Place | undefined {
  const report = /\b(below|report)\b/i.test(text);
  const command = /\b(own|command|separate)\b/i.test(text);
  if (report === command) return undefined;
  return report ? 'report' : 'command';
}

/** Requests of one kind. `declined`: noes in all; the rest are of this turn. */
export interface Requests {
  readonly declined: number;
  readonly now: readonly PlacedCall[];
  readonly last: PlacedCall | undefined;
  readonly done: PlacedCall | undefined;
}

export function requestsOf(story: Story, name: string, fits: (input: JsonObject) => boolean = () => true): Requests {
  const all = callsOf(story, name, fits);
  const now = inThisTurn(story, all);
  return { declined: all.filter((call) => call.status === 'denied').length, now, last: now.at(-1), done: all.findLast((call) => call.status === 'ok') };
}

const changing: ReadonlySet<string> = new Set(['write_file', 'edit_file', 'apply_patch']);

/** The last call that changed a file. */
export function lastChange(story: Story): PlacedCall | undefined {
  return story.calls.findLast((call) => changing.has(call.name) && call.status === 'ok');
}

/** The patch went in after the files were last read, or they were read and hold it. */
export function isBuilt(story: Story, place: Place): boolean {
  const patch = callsOf(story, 'apply_patch').findLast((call) => call.status === 'ok');
  const paths = place === 'report' ? [reportPath] : [commandPath, packagePath];
  const lastRead = callsOf(story, 'read_file', (input) => paths.some((path) => input['path'] === path)).at(-1);
  if (patch !== undefined && patch.at > (lastRead?.at ?? -1)) return true;
  return isPrinted(place, (path) => textOf(story, path));
}

export function testRequests(story: Story): readonly PlacedCall[] {
  return callsOf(story, 'exec_shell', (input) => testCommands.some((command) => command === input['command']));
}

/** The newest run that says something about the files as they are now: one after the last change. */
export function testRun(story: Story): PlacedCall | undefined {
  const since = lastChange(story)?.at ?? -1;
  return testRequests(story).findLast((call) => call.at > since && exitCodeOf(call) !== undefined);
}

/** The feature is in and its tests passed. */
export function testsPassed(story: Story): boolean {
  const run = testRun(story);
  return lastChange(story) !== undefined && run !== undefined && exitCodeOf(run) === 0;
}

/** New files that a call of ours may have made: they are looked at again in a later turn. */
export function touchedPaths(story: Story, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    if (path === boatsPath && callsOf(story, 'write_file', (input) => input['path'] === path).length > 0) return true;
    return callsOf(story, 'apply_patch', (input) => String(input['patch']).includes(`/${path}\n`)).length > 0;
  });
}
