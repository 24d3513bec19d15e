import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './layers.mjs';
import { bundleWorkers, install, run, sourcesHash } from './prepare.mjs';

const basePath = process.env.BASE_PATH ?? '';
const stamp = join(projectRoot, '.cache/static-stamp');

/** Builds the product without server routes into `out/`, to be served under `BASE_PATH` (such as `/tools/gatehouse`; the root by default). */
async function buildStatic() {
  if (basePath !== '' && !/^(\/[\w.~-]+)+$/.test(basePath))
    throw new Error(`BASE_PATH begins with a slash and ends without one, such as /gatehouse; it is "${basePath}".`);
  install();
  const hash = `${sourcesHash()} ${basePath}`;
  const isBuilt = existsSync(join(projectRoot, '.cache/next-static/BUILD_ID')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (!isBuilt) {
    rmSync(stamp, { force: true });
    await bundleWorkers();
    const env = { GATEHOUSE_STATIC: '1', BASE_PATH: basePath };
    if (!run(process.execPath, [join(projectRoot, 'node_modules/next/dist/bin/next'), 'build'], env))
      throw new Error('`next build` failed; the reason stands above.');
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
  }
  const { bundleAndRun } = await import('./support/bundle-run.mjs');
  await bundleAndRun('scripts/static/assemble-main.ts');
}

try {
  await buildStatic();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
