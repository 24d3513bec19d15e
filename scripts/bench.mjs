import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './layers.mjs';
import { bundleAndRun } from './support/bundle-run.mjs';

/** The other programs of the table are packages of the bench alone: they come when it is first run, and it goes on without them. */
function installPeers() {
  const folder = join(projectRoot, 'test/bench');
  const record = join(folder, 'node_modules/.package-lock.json');
  const wanted = Object.entries(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages).filter(([path]) => path !== '');
  const present = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).packages : {};
  if (wanted.every(([path, { version }]) => present[path]?.version === version)) return;
  console.error('Installing what the bench compares with (once) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, all] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
  const { status } = spawnSync(command, all, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (status !== 0) console.error('They could not be installed (is there a network?). The bench goes on without them.');
}

installPeers();
await bundleAndRun('test/bench/bench-main.ts', [], { sourceMaps: false });
