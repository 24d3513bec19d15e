import type { Failure } from './failure';

/** Tries in all, the first one included. */
export const TRY_LIMIT = 3;
const FIRST_WAIT_MS = 500;
/** A longer wait is the person's to decide. */
const LONGEST_WAIT_MS = 60_000;

/**
 * How long to wait before the next try.
 *
 * In     `tries` made so far, from 1; `random` in [0, 1).
 * Out    milliseconds: what the provider asked for, else 0.5 s doubled a try, give or take a quarter; undefined = give up.
 */
export function retryWaitMs(failure: Failure, tries: number, random: number): number | undefined {
  if (!failure.isPassing || tries >= TRY_LIMIT) return undefined;
  const asked = failure.error.retryAfterMs;
  if (asked !== undefined) return asked <= LONGEST_WAIT_MS ? asked : undefined;
  return Math.round(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.75 + random / 2));
}

/**
 * The wait that an answer's headers ask for.
 *
 * In     `retry-after-ms`, or `retry-after` in seconds or as a date; a date is taken against the answer's own `date`.
 * Out    milliseconds, at least 0; undefined when nothing readable is said.
 */
export function retryAfterMs(headers: { get(name: string): string | null }): number | undefined {
  const exact = positive(headers.get('retry-after-ms'));
  if (exact !== undefined) return Math.round(exact);
  const given = headers.get('retry-after');
  const seconds = positive(given);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const until = Date.parse(given ?? '') - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

function positive(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
