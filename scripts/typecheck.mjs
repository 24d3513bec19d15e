import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './layers.mjs';

const run = (/** @type {string[]} */ args) =>
  spawnSync(process.execPath, args, { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } }).status === 0;

// Next writes the types of pages and style sheets; a build has them already.
const typed = existsSync(join(projectRoot, 'next-env.d.ts')) || run(['node_modules/next/dist/bin/next', 'typegen']);
const whole = run(['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']);
// The engine's side once more, without the DOM.
const engine = run(['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.engine.json']);
process.exitCode = typed && whole && engine ? 0 : 1;
