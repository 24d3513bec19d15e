import type { Json } from '@/lib/shared/json';
import { type GatheredCase, type GivenFile, gatherCases } from './gather-cases';
import type { CaseReport } from './runner';

/** One thing that a run has to say. */
export type ConformanceNews =
  | { readonly type: 'corrected'; readonly kind: string; readonly id: string; readonly file: string; readonly instead: string }
  | { readonly type: 'fault'; readonly id: string; readonly why: string; readonly fault: string }
  | {
      readonly type: 'failed';
      readonly kind: string;
      readonly id: string;
      readonly why: string;
      readonly file: string;
      readonly expected: Json;
      readonly got: Json;
    };

export interface ConformanceCount {
  readonly passed: number;
  readonly failed: number;
}

/** Runs one case to a report, whatever it does; see `createGuardedRun`. */
export type RunGathered = (gathered: GatheredCase) => Promise<CaseReport>;

/**
 * Runs every case of the given files, one after the other.
 *
 * In     `say` is told what a reader has to know, as it becomes known.
 * Out    how many passed and failed; a file that is not one of cases, and an id with two contents, is one failure each.
 */
export async function runFiles(files: readonly GivenFile[], run: RunGathered, say: (news: ConformanceNews) => void): Promise<ConformanceCount> {
  const { cases, faults, corrected } = gatherCases(files);
  for (const one of corrected) say({ type: 'corrected', ...one });
  for (const fault of faults) say({ type: 'fault', ...fault });
  let passed = 0;
  let failed = faults.length;
  for (const gathered of cases) {
    const report = await run(gathered);
    if (report.passed) passed++;
    else {
      failed++;
      const { id, why, expected, got } = report;
      say({ type: 'failed', kind: gathered.kind, id, why, file: gathered.file, expected, got });
    }
  }
  return { passed, failed };
}

/** Longest text of a value that is shown. */
const shownUnits = 4000;

/** What a run says, in words for a terminal or a page. */
export function describeNews(news: ConformanceNews): string {
  if (news.type === 'corrected') return `corrected  ${news.kind} ${news.id}: ${news.file} counts, not ${news.instead}`;
  if (news.type === 'fault') return `failed  ${news.id}\n  why       ${news.why}\n  got       ${news.fault}`;
  return `failed  ${news.kind} ${news.id} (${news.file})\n  why       ${news.why}\n  expected  ${shown(news.expected)}\n  got       ${shown(news.got)}`;
}

function shown(value: Json): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= shownUnits ? text : `${text.slice(0, shownUnits)}… (${text.length - shownUnits} more characters)`;
}
