import { bundleAndRun } from './support/bundle-run.mjs';

await bundleAndRun('test/bench/bench-main.ts', ['--expose-gc']);
