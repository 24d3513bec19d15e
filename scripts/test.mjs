import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ensureChromium } from './find-chromium.mjs';
import { projectRoot } from './layers.mjs';

/** @typedef {{ name: string, passed: number, failed: number, skipped: number }} Count */

const reports = join(projectRoot, '.cache/test');
const bin = (/** @type {string} */ path) => join(projectRoot, 'node_modules', path);

/** @param {string} name @param {string[]} args @param {Record<string, string>} [env] */
function runNode(name, args, env = {}) {
  console.log(`\n── ${name}`);
  return spawnSync(process.execPath, args, { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env } }).status === 0;
}

/** A check without counts of its own is one test.
 * @param {string} name @param {string[]} args @returns {Count} */
function gate(name, args) {
  const ok = runNode(name, args);
  return { name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** Counts from a runner's report; a runner that broke without naming a failed test is a failure itself.
 * @param {string} name @param {boolean} ok @param {string} file @param {(report: any) => { passed: number, failed: number, skipped: number }} read @returns {Count} */
function counted(name, ok, file, read) {
  if (!existsSync(file)) return { name, passed: 0, failed: 1, skipped: 0 };
  const counts = read(JSON.parse(readFileSync(file, 'utf8')));
  return { name, ...counts, failed: counts.failed === 0 && !ok ? 1 : counts.failed };
}

/** @returns {Count} */
function unit() {
  const file = join(reports, 'unit.json');
  const ok = runNode('unit', [bin('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]);
  return counted('unit', ok, file, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
}

/** The data-driven cases; their command counts them itself, in its last line. @returns {Count} */
function conformance() {
  console.log('\n── conformance');
  const { status, stdout } = spawnSync(process.execPath, ['scripts/conformance.mjs'], {
    cwd: projectRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, INIT_CWD: projectRoot },
  });
  process.stdout.write(stdout ?? '');
  const [, passed = '0', failed = '0'] = /(\d+) passed, (\d+) failed[^\n]*\n?$/.exec(stdout ?? '') ?? [];
  return { name: 'conformance', passed: Number(passed), failed: Number(failed) === 0 && status !== 0 ? 1 : Number(failed), skipped: 0 };
}

/** @returns {Promise<string>} */
function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => done(String(port)));
    });
  });
}

/** Browser tests, of the served page or of the static build. @param {'e2e' | 'e2e:static'} name @returns {Promise<Count>} */
async function browser(name) {
  const file = join(reports, `${name.replace(':', '-')}.json`);
  let chromium;
  try {
    chromium = ensureChromium();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { name, passed: 0, failed: 1, skipped: 0 };
  }
  const ok = runNode(name, name === 'e2e' ? [bin('@playwright/test/cli.js'), 'test'] : ['scripts/e2e-static.mjs'], {
    CHROME_PATH: chromium,
    E2E_PORT: await freePort(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  return counted(name, ok, file, ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }));
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const counts = [
  gate('sync:check', ['scripts/sync.mjs', '--check']),
  gate('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']),
  gate('typecheck', ['scripts/typecheck.mjs']),
  unit(),
  conformance(),
];
if (!process.argv.includes('--quick')) {
  const built = gate('build', ['scripts/prepare.mjs']);
  counts.push(built);
  if (built.failed === 0) counts.push(await browser('e2e'), await browser('e2e:static'));
}

console.log('');
for (const { name, passed, failed, skipped } of counts) console.log(`${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
const absent = existsSync(join(projectRoot, '../shared')) ? '' : ' (../shared absent: its data not tested)';
const sum = (/** @type {'passed' | 'failed'} */ key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed${absent}`);
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
