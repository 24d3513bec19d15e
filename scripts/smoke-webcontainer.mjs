import { bundleAndRun } from './support/bundle-run.mjs';

await bundleAndRun('scripts/smoke/webcontainer-main.ts');
