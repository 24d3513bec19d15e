import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { messageOf } from '@/lib/shared/coded-error';
import { chromiumArgs, findChromium } from '@/scripts/find-chromium.mjs';
import { fixedHeaders } from '@/security-headers';
import type { SmokeReport } from './report';

/** Boot and all checks at their own limits, and some. */
const patienceMs = 8 * 60_000;

/** Exit status: 0 every check held on the real WebContainer; 1 it booted and some did not; 2 it could not be tried, and why. */
async function main(): Promise<number> {
  const executablePath = findChromium();
  if (executablePath === undefined) return untried('There is no Chrome or Chromium here; name one by CHROME_PATH.');
  const page = await build({
    entryPoints: ['scripts/smoke/webcontainer-page.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: { '@': process.cwd() },
    logLevel: 'error',
  });
  const script = page.outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { ...fixedHeaders, 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(
      isScript ? script : '<!doctype html><title>WebContainer</title><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
  try {
    console.log('Trying the real WebContainer in Chromium …');
    const tab = await browser.newPage();
    const reported = new Promise<SmokeReport>((resolve, reject) => {
      setTimeout(() => reject(new Error(`the page said nothing within ${patienceMs / 60_000} minutes`)), patienceMs).unref();
      tab.on('crash', () => reject(new Error('the page crashed')));
      tab.on('pageerror', reject);
      void tab.exposeFunction('smokeReport', resolve).then(() => tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`));
    });
    return conclude(await reported);
  } catch (error) {
    return untried(messageOf(error));
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

function conclude(report: SmokeReport): number {
  if (!report.booted) return untried(report.why);
  for (const { name, held, seen } of report.checks) console.log(`${held ? 'held   ' : 'DIFFERS'}  ${name}${seen === undefined ? '' : `: ${seen}`}`);
  const differing = report.checks.filter((check) => !check.held).length;
  console.log(`${report.checks.length - differing} held, ${differing} differ`);
  return differing > 0 ? 1 : 0;
}

function untried(why: string): number {
  console.log(`Not tried: ${why}`);
  return 2;
}

process.exitCode = await main();
