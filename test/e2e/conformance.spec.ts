import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test('the cases of the project pass in the page as they do by the command', async ({ page }) => {
  test.setTimeout(120_000);
  const { outputFiles } = await build({
    entryPoints: [here('./conformance-in-page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'conformance',
    platform: 'browser',
    target: 'es2022',
    alias: { '@': here('../..').replace(/\/$/, '') },
    logLevel: 'error',
  });
  const files = readdirSync(here('../cases'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, text: readFileSync(here(`../cases/${name}`), 'utf8') }));
  // A page of the same origin in which no engine runs.
  await page.goto('/icon.svg');
  const { count, told } = await page.evaluate<{ count: { passed: number; failed: number }; told: readonly string[] }>(
    `${outputFiles[0]?.text}; conformance.runInPage(${JSON.stringify(files)})`,
  );
  expect(told).toEqual([]);
  expect(count.failed).toBe(0);
  expect(count.passed).toBeGreaterThan(400);
});
