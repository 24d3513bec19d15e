import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './layers.mjs';

/** @param {string[]} args @returns {Promise<boolean>} */
const run = (args) =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } });
    child.on('error', () => done(false));
    child.on('close', (code) => done(code === 0));
  });
const compile = (/** @type {string} */ project) => run(['node_modules/typescript/bin/tsc', '--noEmit', '-p', project]);

// Next writes the types of pages and style sheets; a build has them already.
const typed = existsSync(join(projectRoot, 'next-env.d.ts')) || (await run(['node_modules/next/dist/bin/next', 'typegen']));
// The engine's side once more, without the DOM: at the same time, since neither knows of the other.
const compiled = await Promise.all([compile('tsconfig.json'), compile('tsconfig.engine.json')]);
process.exitCode = typed && compiled.every(Boolean) ? 0 : 1;
