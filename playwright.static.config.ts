import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './scripts/find-chromium.mjs';

const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

// The static build as a plain file host serves it: under a sub-path, without a header of ours. The tests start that host themselves.
export default defineConfig({
  testDir: 'test/static',
  outputDir: '.cache/test/static-results',
  timeout: 180_000,
  expect: { timeout: 20_000 },
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: reportFile ? [['list'], ['json', { outputFile: reportFile }]] : [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    trace: { mode: 'retain-on-failure', screenshots: false },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: findChromium(), args: chromiumArgs() },
  },
});
