import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const knownPlaces = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** @param {string} path */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Browsers that Playwright keeps for itself, the newest first. */
function playwrightBrowsers() {
  const caches = [process.env.PLAYWRIGHT_BROWSERS_PATH, join(homedir(), '.cache/ms-playwright'), join(homedir(), 'Library/Caches/ms-playwright')];
  const inside = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return caches
    .filter((cache) => cache !== undefined && existsSync(cache))
    .flatMap((cache) =>
      readdirSync(/** @type {string} */ (cache))
        .filter((name) => /^chromium-\d+$/.test(name))
        .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
        .flatMap((name) => inside.map((path) => join(/** @type {string} */ (cache), name, path))),
    );
}

/**
 * The path of a Chrome or Chromium that is on this machine; undefined when there is none.
 *
 * Order  `CHROME_PATH`, then PATH, then known places, then what Playwright has downloaded.
 */
export function findChromium() {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (canRun(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, which cannot be run.`);
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => commandNames.map((name) => join(folder, name)));
  return [...onPath, ...knownPlaces, ...playwrightBrowsers()].find(canRun);
}

/** Finds Chromium, or installs it: by apt when this is root on Debian's kin, else by Playwright. Throws with what to do when nothing works. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) =>
    spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  if (process.getuid?.() === 0 && canRun('/usr/bin/apt-get')) {
    console.log('No Chromium found: installing it by apt …');
    if (run('apt-get', ['update', '-q']) && run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'])) {
      const installed = findChromium();
      if (installed) return installed;
    }
  }
  console.log("No Chromium found: trying Playwright's own download …");
  run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  throw new Error(
    'The browser tests need Chrome or Chromium. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or name yours: `CHROME_PATH=/path/to/chrome npm test`.',
  );
}

/** Launch arguments for tests: quiet, no requests of the browser's own, and no sandbox where root has none. */
export function chromiumArgs() {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
}
