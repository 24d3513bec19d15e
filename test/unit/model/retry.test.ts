import { describe, expect, it } from 'vitest';
import type { Failure } from '@/lib/model/failure';
import { retryAfterMs, retryWaitMs } from '@/lib/model/retry';

const passing = (asked?: number): Failure => ({ error: { code: 'rate-limited', message: '', retryAfterMs: asked }, isPassing: true });

describe('the wait before another try', () => {
  it('doubles, give or take a quarter, and ends after three tries', () => {
    expect([retryWaitMs(passing(), 1, 0), retryWaitMs(passing(), 1, 0.999), retryWaitMs(passing(), 2, 0.5), retryWaitMs(passing(), 3, 0)]).toEqual([
      375,
      625,
      1000,
      undefined,
    ]);
  });

  it('is what was asked for, unless that is more than a minute', () => {
    expect([retryWaitMs(passing(0), 1, 0), retryWaitMs(passing(60_000), 1, 0), retryWaitMs(passing(60_001), 1, 0)]).toEqual([0, 60_000, undefined]);
  });

  it('is never for a failure that stays', () => {
    expect(retryWaitMs({ ...passing(), isPassing: false }, 1, 0)).toBe(undefined);
  });

  it('is read from seconds, milliseconds, or a date against the date of the answer', () => {
    const read = (headers: Record<string, string>): number | undefined => retryAfterMs(new Headers(headers));
    expect([
      read({ 'retry-after': '3' }),
      read({ 'retry-after': '1.5' }),
      read({ 'retry-after-ms': '250', 'retry-after': '9' }),
      read({ 'retry-after': 'Tue, 01 Dec 2026 10:00:30 GMT', date: 'Tue, 01 Dec 2026 10:00:00 GMT' }),
      read({ 'retry-after': 'Tue, 01 Dec 2026 10:00:00 GMT', date: 'Tue, 01 Dec 2026 10:00:30 GMT' }),
      read({ 'retry-after': 'soon' }),
      read({}),
    ]).toEqual([3000, 1500, 250, 30_000, 0, undefined, undefined]);
  });
});
