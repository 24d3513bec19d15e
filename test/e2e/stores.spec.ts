import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';

test('the stores keep their contract on the IndexedDB of the browser', async ({ page }) => {
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [here('./stores-in-page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'contract',
    platform: 'browser',
    target: 'es2022',
    alias: { '@': here('../..').replace(/\/$/, ''), vitest: here('./contract-runner.ts') },
    logLevel: 'error',
  });
  // A page of the same origin in which no engine runs.
  await page.goto('/icon.svg');
  const { count, failures } = await page.evaluate<{ count: number; failures: readonly string[] }>(`${outputFiles[0]?.text}; contract.runStoresContract()`);
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(15);
});
