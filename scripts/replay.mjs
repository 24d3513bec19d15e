import { bundleAndRun } from './support/bundle-run.mjs';

await bundleAndRun('scripts/replay/replay-main.ts');
