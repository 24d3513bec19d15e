import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './scripts/find-chromium.mjs';

const port = Number(process.env.E2E_PORT ?? 3457);
const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

// The built app as `npm start` serves it. Expectations are patient: two busy cores are enough.
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: '.cache/test/e2e-results',
  timeout: 240_000,
  expect: { timeout: 20_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  reporter: reportFile ? [['list'], ['json', { outputFile: reportFile }]] : [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    // A spinner drawn without a graphics card costs a third of a test's time; pictures in a trace cost as much again.
    contextOptions: { reducedMotion: 'reduce' },
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: { executablePath: findChromium(), args: chromiumArgs() },
  },
  webServer: {
    command: 'node scripts/start.mjs',
    env: { PORT: String(port) },
    url: `http://localhost:${port}/icon.svg`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
