import type { JsonObject } from '@/lib/shared/json';
import { exitCodeOf, refOf } from './result-facts';
import { callsOf, type PlacedCall, type Story } from './story';

export const sourcePath = 'src/duration.ts';
export const testPath = 'test/duration.test.ts';
/** One spelling a request: a command that was declined is not sent again as it was. */
export const testCommands = ['npm test', 'npm run test'] as const;
export const reportCommand = 'npm run report';

export function sourceReads(story: Story): readonly PlacedCall[] {
  return callsOf(story, 'read_file', (input) => input['path'] === sourcePath);
}

export function sourceEdits(story: Story): readonly PlacedCall[] {
  return callsOf(story, 'edit_file', (input) => input['path'] === sourcePath);
}

export function appliedEdit(story: Story): PlacedCall | undefined {
  return sourceEdits(story).findLast((call) => call.status === 'ok');
}

/** Every request to run the tests, whatever became of it. */
export function testRequests(story: Story): readonly PlacedCall[] {
  const isTest = (input: JsonObject): boolean => testCommands.some((command) => command === input['command']);
  return callsOf(story, 'exec_shell', isTest);
}

/** Requests that say something about the source as it is now: those after our edit. */
export function testRuns(story: Story): readonly PlacedCall[] {
  const since = appliedEdit(story)?.at ?? -1;
  return testRequests(story).filter((call) => call.at > since);
}

export function testsPassed(story: Story): boolean {
  const ran = testRuns(story).findLast((call) => exitCodeOf(call) !== undefined);
  return ran !== undefined && exitCodeOf(ran) === 0;
}

export function reportRuns(story: Story): readonly PlacedCall[] {
  return callsOf(story, 'exec_shell', (input) => input['command'] === reportCommand);
}

export function retrievals(story: Story, ref: string): readonly PlacedCall[] {
  return callsOf(story, 'retrieve_tool_result', (input) => input['ref'] === ref);
}

/** The line of the report that tells of the whale, without what a search may have put before it. */
export function whaleLine(text: string): string | undefined {
  return /\d{4}-\d{2}-\d{2} +\d{2}:\d{2}[^\n]*\bwhale\b[^\n]*/.exec(text)?.[0].trimEnd();
}

/** What the report brought to light. `call`: the one that came back without it. */
export type ReportFinding =
  | { readonly kind: 'fetched'; readonly line: string; readonly ref: string }
  | { readonly kind: 'shown'; readonly line: string }
  | { readonly kind: 'not-fetched'; readonly ref: string; readonly call: PlacedCall | undefined }
  | { readonly kind: 'lost' }
  | { readonly kind: 'not-run'; readonly call: PlacedCall | undefined };

export function reportFinding(story: Story): ReportFinding {
  const run = reportRuns(story).at(-1);
  if (run === undefined || exitCodeOf(run) !== 0) return { kind: 'not-run', call: run };
  const shown = whaleLine(run.text);
  if (shown !== undefined) return { kind: 'shown', line: shown };
  const ref = refOf(run);
  if (ref === undefined) return { kind: 'lost' };
  const fetched = retrievals(story, ref).at(-1);
  const line = fetched?.status === 'ok' ? whaleLine(fetched.text) : undefined;
  return line === undefined ? { kind: 'not-fetched', ref, call: fetched } : { kind: 'fetched', ref, line };
}

/** The tests passed, the report is settled, and the summary was given in an earlier turn. */
export function isTold(story: Story): boolean {
  const run = reportRuns(story).at(-1);
  if (run === undefined || !testsPassed(story)) return false;
  const ref = refOf(run);
  const last = (ref === undefined ? undefined : retrievals(story, ref).at(-1)) ?? run;
  return last.status !== 'cancelled' && story.spoken.some((at) => at > last.at);
}
