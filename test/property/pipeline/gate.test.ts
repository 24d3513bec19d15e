import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGate } from '@/lib/pipeline/4-execute/gate';

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('read' as const) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('write' as const) }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('leave' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('abort' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('read-late' as const) }) },
);

interface Visit {
  readonly kind: 'read' | 'write';
  readonly controller: AbortController;
  state: 'waiting' | 'inside' | 'left' | 'gave-up';
  release?: () => void;
  reason?: unknown;
}

/** Lets every promise that can settle do so. */
const calm = async () => {
  for (let i = 0; i < 6; i++) await Promise.resolve();
};

describe('the gate', () => {
  it('lets readers overlap and writers be alone, keeps nobody waiting for ever, and forgets who gave up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const gate = createGate();
        const visits: Visit[] = [];
        const enter = (kind: Visit['kind'], aborted = false) => {
          const visit: Visit = { kind, controller: new AbortController(), state: 'waiting' };
          if (aborted) visit.controller.abort(visit);
          visits.push(visit);
          gate[kind](visit.controller.signal).then(
            (release) => {
              visit.state = 'inside';
              visit.release = release;
            },
            (reason) => {
              visit.state = 'gave-up';
              visit.reason = reason;
            },
          );
        };
        const check = () => {
          const inside = visits.filter((visit) => visit.state === 'inside');
          if (inside.some((visit) => visit.kind === 'write')) expect(inside.length).toBe(1);
          const first = visits.find((visit) => visit.state === 'waiting');
          // The first in line waits only for somebody inside who excludes it.
          if (first !== undefined) expect(inside.some((visit) => visit.kind === 'write' || first.kind === 'write')).toBe(true);
          for (const visit of visits) if (visit.state === 'gave-up') expect(visit.reason).toBe(visit);
        };
        for (const one of steps) {
          if (one.act === 'read' || one.act === 'write') enter(one.act);
          else if (one.act === 'read-late') enter('read', true);
          else {
            const fitting = visits.filter((visit) => visit.state === (one.act === 'leave' ? 'inside' : 'waiting'));
            const visit = fitting[one.which % Math.max(1, fitting.length)];
            if (visit !== undefined && one.act === 'leave') {
              visit.release?.();
              visit.release?.();
              visit.state = 'left';
            } else visit?.controller.abort(visit);
          }
          await calm();
          check();
        }
        for (let rounds = 0; rounds < 40 && visits.some((visit) => visit.state === 'inside' || visit.state === 'waiting'); rounds++) {
          for (const visit of visits) {
            if (visit.state !== 'inside') continue;
            visit.release?.();
            visit.state = 'left';
          }
          await calm();
        }
        expect(visits.filter((visit) => visit.state !== 'left' && visit.state !== 'gave-up')).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
