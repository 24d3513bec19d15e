// Plain Node, no packages: it runs before anything is installed. Called by the commands themselves, since npm skips `pre…` scripts
// where install scripts are off (.npmrc).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What the built page is made of. */
const buildInputs = [
  'app',
  'components',
  'lib',
  'public',
  'scripts/support/build-workers.mjs',
  'scripts/support/type-libraries.mjs',
  'server',
  'shims',
  'workers',
  'next.config.ts',
  'proxy.ts',
  'security-headers.ts',
  'postcss.config.mjs',
  'package-lock.json',
  'tsconfig.json',
];

/** Made by the build, so no input of it. */
const generated = 'public/generated';

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return;
  throw new Error(`Node 20.20 or later is needed, this is ${process.versions.node}.`);
}

/**
 * Whether node_modules holds what the lock asks for, by the record that npm itself leaves there when it is done.
 *
 * @param {string} at Folder of the project.
 */
export function isInstalled(at) {
  const record = join(at, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(at, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    return found ? found.version === entry.version && found.integrity === entry.integrity : entry.optional === true || entry.devOptional === true;
  });
}

/** @param {string} path @param {import('node:crypto').Hash} hash */
function addToHash(path, hash) {
  const full = join(root, path);
  if (!existsSync(full) || path === generated) return;
  if (!statSync(full).isDirectory()) {
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
    return;
  }
  for (const name of readdirSync(full).sort()) addToHash(`${path}/${name}`, hash);
}

/** Changes with everything that the page is made of. */
export function sourcesHash() {
  const hash = createHash('sha256').update(process.versions.node);
  for (const path of buildInputs) addToHash(path, hash);
  return hash.digest('hex');
}

/** Runs a program in the project's folder to its end; whether it succeeded.
 * @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
    shell: process.platform === 'win32' && !command.includes('node'),
  });
  if (error) throw error;
  return status === 0;
}

export function install() {
  requireNode();
  if (isInstalled(root)) return;
  console.log('Installing the locked packages (once) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund'];
  if (!(npm?.endsWith('.js') ? run(process.execPath, [npm, ...args]) : run('npm', args))) {
    throw new Error(
      '`npm ci` failed (see above). Check the network or the registry setting (`npm config get registry`), then repeat; `rm -rf node_modules` helps when an earlier install broke off.',
    );
  }
}

/** Bundles the workers that run programs; it repeats at once when they are fresh. */
export async function bundleWorkers() {
  // Imported late: it needs installed packages.
  const { buildWorkers } = await import('./support/build-workers.mjs');
  await buildWorkers(root, 'web');
}

export async function build() {
  const stamp = join(root, '.cache/build-stamp');
  const hash = sourcesHash();
  if (existsSync(join(root, '.next/BUILD_ID')) && existsSync(join(root, generated)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  console.log('Building the page (once per change) …');
  rmSync(stamp, { force: true });
  await bundleWorkers();
  if (!run(process.execPath, [join(root, 'node_modules/next/dist/bin/next'), 'build'])) throw new Error('`next build` failed; the reason stands above.');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    install();
    if (process.argv.includes('--workers-only')) await bundleWorkers();
    else if (!process.argv.includes('--install-only')) await build();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
