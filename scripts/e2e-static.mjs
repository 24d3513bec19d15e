import { join } from 'node:path';
import { projectRoot } from './layers.mjs';
import { run } from './prepare.mjs';

// A sub-path of two names: what holds there holds at the root.
const built = run(process.execPath, [join(projectRoot, 'scripts/build-static.mjs')], { BASE_PATH: '/tools/gatehouse' });
const passed =
  built &&
  run(process.execPath, [join(projectRoot, 'node_modules/@playwright/test/cli.js'), 'test', '-c', 'playwright.static.config.ts', ...process.argv.slice(2)]);
process.exitCode = passed ? 0 : 1;
