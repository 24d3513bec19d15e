import { bundleAndRun } from './support/bundle-run.mjs';

await bundleAndRun('scripts/conformance/conformance-main.ts');
