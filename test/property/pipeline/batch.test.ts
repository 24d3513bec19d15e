import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewId } from '@/lib/contracts/ids';
import type { PlannedCall } from '@/lib/contracts/plan';
import { batchCalls } from '@/lib/pipeline/3-batch/batch';
import { createNewId } from '@/lib/shared/new-ids';

const planned = fc
  .array(fc.boolean(), { maxLength: 60 })
  .map((flags) => flags.map((parallelSafe, index) => ({ index, parallelSafe }) as unknown as PlannedCall));

describe('batches', () => {
  it('keep every call, in order, in one batch each', () => {
    fc.assert(
      fc.property(planned, (calls) => {
        const batches = batchCalls(calls, createNewId('p') as NewId);
        expect(batches.flatMap((batch) => batch.calls)).toEqual(calls);
        expect(new Set(batches.map((batch) => batch.batchId)).size).toBe(batches.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never put a serial call together with another, nor split neighbours that may run together', () => {
    fc.assert(
      fc.property(planned, (calls) => {
        const batches = batchCalls(calls, createNewId('p') as NewId);
        for (const [index, batch] of batches.entries()) {
          if (batch.kind === 'serial') expect(batch.calls.map((call) => call.parallelSafe)).toEqual([false]);
          else expect(batch.calls.every((call) => call.parallelSafe)).toBe(true);
          if (batch.kind === 'parallel') expect(batches[index + 1]?.kind).not.toBe('parallel');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
