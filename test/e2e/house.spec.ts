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
    if (!whole || !policy.includes("default-src 'self'") || policy.includes("'unsafe-eval'") || !/script-src 'self'/.test(policy)) lacking.push(url.pathname);
    if (url.pathname.includes('turbopack-worker')) workers++;
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(lacking).toEqual([]);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(workers).toBeGreaterThan(0);
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
  const ran = await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">');
    try {
      new Function('window.ran = true')();
    } catch {
      // Refused, as it should be.
    }
    return 'ran' in window;
  });
  expect(ran).toBe(false);
});
