import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Case } from '@/lib/conformance/case-file';
import { createGuardedRun } from '@/lib/conformance/guarded-run';
import { systemClock } from '@/lib/shared/system-clock';
import { caseThread } from '@/scripts/conformance/case-thread';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cases-'));
const thread = join(folder, 'planted.cjs');

beforeAll(async () => {
  const entry = join(root, 'test/unit/conformance/planted-thread.ts');
  await build({ entryPoints: [entry], outfile: thread, bundle: true, platform: 'node', format: 'cjs', alias: { '@': root }, logLevel: 'error' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const one = (id: string, maxMillis?: number): Case => ({
  id,
  why: 'planted',
  input: { id },
  expected: { id },
  ...(maxMillis === undefined ? {} : { maxMillis }),
});

describe('a guarded run', () => {
  it('ends a case that loops, waits, throws or takes its worker with it, and the others go on', async () => {
    let spawned = 0;
    const guarded = createGuardedRun(() => {
      spawned++;
      return caseThread(thread);
    }, systemClock);
    const got = async (kind: string, maxMillis?: number) => {
      const cases = [one('a', maxMillis), one('b')];
      const report = await guarded.run({ kind, one: cases[0] as Case, file: 'f.json', cases });
      return report.passed ? 'passed' : report.got;
    };
    expect(await got('fine')).toBe('passed');
    expect(await got('loop', 50)).toEqual({ exception: 'it was ended: it had not come to an end after 50 ms' });
    expect(await got('fine')).toBe('passed');
    expect(await got('wait', 50)).toEqual({ exception: 'it was ended: it had not come to an end after 50 ms' });
    expect(await got('throw')).toEqual({ exception: 'planted' });
    expect(await got('weather')).toEqual({ exception: 'there is no runner for weather' });
    expect(await got('die')).toEqual({ exception: 'its worker died: it left' });
    expect(await got('stray')).toEqual({ exception: 'its worker died: a stray rejection' });
    expect(await got('fine')).toBe('passed');
    expect(spawned).toBe(5);
    guarded.close();
  });

  it('keeps a key __proto__ an own key on its way to the runner and back', async () => {
    const guarded = createGuardedRun(() => caseThread(thread), systemClock);
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    const cases: Case[] = [{ id: 'p', why: 'planted', input: value, expected: { a: 1 } }];
    const report = await guarded.run({ kind: 'fine', one: cases[0] as Case, file: 'f.json', cases });
    expect(JSON.stringify(report.passed ? 'passed' : report.got)).toBe('{"__proto__":{"polluted":true},"a":1}');
    guarded.close();
  });
});
