import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaseFile } from '@/lib/conformance/case-file';
import { runCase, runnerOf } from '@/lib/conformance/run-case';

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

for (const name of files) {
  const { kind, cases } = readCaseFile(readFileSync(new URL(name, folder), 'utf8'));
  const runnable = cases.filter((one) => runnerOf(kind, one) !== undefined);
  if (runnable.length === 0) continue;
  describe(kind, () => {
    for (const one of runnable)
      it(`${kind} ${one.id} ${one.why}`, async () => {
        expect(await runCase(kind, one, cases.filter((other) => other !== one))).toEqual({ passed: true, id: one.id, why: one.why });
      });
  });
}
