import { expect, test } from '@playwright/test';
import { eventsOf, storedEvents } from './stored';
import { allow, openWorkbench, shellShows, turnEnded, typeInShell } from './workbench';

test('cl-62: a whole task, with editor and terminal, asks no other origin, reports nothing, and every answer keeps the page isolated', async ({
  page,
  context,
  baseURL,
}) => {
  const foreign: string[] = [];
  const complaints: string[] = [];
  const bare: string[] = [];
  const served = new Set<string>();
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (!['blob:', 'data:'].includes(url.protocol) && url.origin !== baseURL) foreign.push(request.url());
  });
  context.on('response', (response) => {
    const url = new URL(response.url());
    if (url.origin !== baseURL) return;
    served.add(/^\/(?:_next\/static|generated)(?=\/)/.exec(url.pathname)?.[0] ?? url.pathname);
    const headers = response.headers();
    if (
      headers['cross-origin-opener-policy'] !== 'same-origin' ||
      headers['cross-origin-embedder-policy'] !== 'require-corp' ||
      !/^default-src '(self|none)'; /.test(headers['content-security-policy'] ?? '')
    )
      bare.push(url.pathname);
  });
  const complain = (type: string, text: string): void => {
    // The terminal's library remarks on a slow machine.
    if ((type === 'error' || type === 'warning') && !/^task queue exceeded allotted deadline by \d+ms$/.test(text)) complaints.push(text);
  };
  context.on('console', (message) => complain(message.type(), message.text()));
  page.on('worker', (worker) => worker.on('console', (message) => complain(message.type(), `${message.text()} (${worker.url()})`)));
  context.on('weberror', (error) => complaints.push(String(error.error())));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`blocked ${event.violatedDirective}: ${event.blockedURI}`));
  });

  const workbench = await openWorkbench(page);
  await workbench.startTask.click();
  await allow(workbench, 'Would change src/duration.ts');
  await allow(workbench, 'npm test');
  await allow(workbench, 'npm run report');
  await turnEnded(workbench, 1);
  await workbench.files.getByRole('treeitem', { name: 'package.json' }).click();
  await expect(page.getByRole('textbox', { name: 'package.json' })).toBeAttached({ timeout: 60_000 });
  await typeInShell(workbench, 'node -e "console.log(6 * 7)"; echo $((6 * 9))');
  await shellShows(workbench, /42\s+54/);

  expect({ foreign, complaints, bare }).toEqual({ foreign: [], complaints: [], bare: [] });
  expect([...served]).toEqual(expect.arrayContaining(['/', '/_next/static', '/generated']));
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(eventsOf(await storedEvents(page), 'notice')).toEqual([]);
});
