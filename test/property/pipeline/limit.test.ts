import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCallLimit } from '@/lib/pipeline/4-execute/limit';

describe('the call limit', () => {
  it('never runs more than its limits, gives a free place to the earliest that may start, and runs everybody once', async () => {
    const hosts = fc.array(fc.constantFrom(undefined, 'a', 'b'), { maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(
        hosts,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
        async (wanted, total, perHost, picks) => {
          const limit = createCallLimit(total, perHost);
          const running = new Map<number, () => void>();
          const started: number[] = [];
          const all = wanted.map((host, index) =>
            limit.run(host, () => {
              started.push(index);
              return new Promise<number>((resolve) => running.set(index, () => resolve(index)));
            }),
          );
          for (const pick of picks) {
            const busy = (host: string) => [...running.keys()].filter((index) => wanted[index] === host).length;
            expect(running.size).toBeLessThanOrEqual(total);
            expect(Math.max(busy('a'), busy('b'))).toBeLessThanOrEqual(perHost);
            const able = wanted.findIndex((host, index) => !started.includes(index) && (host === undefined || busy(host) < perHost));
            if (able >= 0) expect(running.size).toBe(total);
            const index = [...running.keys()][pick % Math.max(1, running.size)];
            if (index === undefined) break;
            const finish = running.get(index);
            running.delete(index);
            finish?.();
            for (let i = 0; i < 6; i++) await Promise.resolve();
          }
          expect(await Promise.all(all)).toEqual(wanted.map((_, index) => index));
          expect(started.length).toBe(wanted.length);
          for (const host of [undefined, 'a', 'b']) {
            const order = started.filter((index) => wanted[index] === host);
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('gives the place back when a call throws', async () => {
    const limit = createCallLimit(1, 1);
    const failing = limit.run('a', () => Promise.reject(new Error('no')));
    const next = limit.run('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
