import { expect, test } from '@playwright/test';

test('cl-62: a page load asks no other origin, and nothing is reported on the console', async ({ page, baseURL }) => {
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== baseURL) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`blocked ${event.violatedDirective}: ${event.blockedURI}`));
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});

test('every answer carries the policy and keeps the page isolated', async ({ page, baseURL }) => {
  const lacking: string[] = [];
  let workers = 0;
  page.on('response', (response) => {
    const url = new URL(response.url());
    if (url.origin !== baseURL) return;
    const headers = response.headers();
    const policy = headers['content-security-policy'] ?? '';
    const whole = headers['cross-origin-opener-policy'] === 'same-origin' && headers['cross-origin-embedder-policy'] === 'require-corp';
    if (!whole || !/^default-src '(self|none)'; /.test(policy) || (policy.includes("'unsafe-eval'") && url.pathname !== '/generated/node.worker.js'))
      lacking.push(url.pathname);
    if (url.pathname.includes('turbopack-worker')) workers++;
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect.poll(() => workers).toBeGreaterThan(0);
  expect(lacking).toEqual([]);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

test('a worker that runs programs has no network by its own policy, and only the one for code compiles text', async ({ request }) => {
  const policyOf = async (path: string): Promise<string[]> => ((await request.get(path)).headers()['content-security-policy'] ?? '').split('; ');
  const closed = ["worker-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  expect(await policyOf('/generated/node.worker.js')).toEqual(["default-src 'none'", "script-src 'unsafe-eval' blob:", ...closed]);
  expect(await policyOf('/generated/shell.worker.js')).toEqual(["default-src 'none'", "script-src 'none'", ...closed]);
  expect(await policyOf('/generated/search.worker.js')).toEqual(["default-src 'none'", "script-src 'none'", ...closed]);
});

test('two loads have two nonces, and a script without one does not run', async ({ page }) => {
  const nonceOf = async (): Promise<string | undefined> => {
    const response = await page.goto('/');
    return /'nonce-([^']+)'/.exec(response?.headers()['content-security-policy'] ?? '')?.[1];
  };
  const [first, second] = [await nonceOf(), await nonceOf()];
  expect(first).toBeTruthy();
  expect(second).toBeTruthy();
  expect(first).not.toBe(second);
  const [blocked, ran] = await page.evaluate(
    () =>
      new Promise<[string[], boolean]>((done) => {
        const blocked: string[] = [];
        document.addEventListener('securitypolicyviolation', (event) => {
          blocked.push(`${event.violatedDirective} ${event.blockedURI}`);
          if (blocked.length === 2) done([blocked.toSorted(), 'ran' in window]);
        });
        document.body.insertAdjacentHTML('beforeend', '<img src="missing" onerror="window.ran = true">');
        // The debugger's own calls may compile text; a task of the page's may not.
        setTimeout(() => new Function('window.ran = true')());
      }),
  );
  expect({ blocked, ran }).toEqual({ blocked: ['script-src eval', 'script-src-attr inline'], ran: false });
});
