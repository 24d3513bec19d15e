import { bundleAndRun } from './support/bundle-run.mjs';

await bundleAndRun('scripts/turn/turn-main.ts');
