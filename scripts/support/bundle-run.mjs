import { spawn } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/**
 * Bundles a TypeScript entry for Node and runs it with this process's arguments and terminal.
 *
 * In     `entry` relative to the project; `nodeArguments` for the node that runs it; `sourceMaps`: traces name the sources, which costs a fifth of the time.
 * Out    exits with the program's own exit code.
 */
export async function bundleAndRun(entry, nodeArguments = [], { sourceMaps = true } = {}) {
  const folder = path.join(root, '.cache', 'run');
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}.mjs`);
  // Written aside: the same command may run twice at a time.
  const draft = `${outfile}.${process.pid}`;
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: draft,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: { '@': root },
    sourcemap: sourceMaps && 'inline',
    logLevel: 'error',
  });
  await rename(draft, outfile);
  const child = spawn(process.execPath, [...(sourceMaps ? ['--enable-source-maps'] : []), ...nodeArguments, outfile, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
