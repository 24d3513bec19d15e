import { expect, test } from '@playwright/test';
import { call, prompted, ready, shellShows, typeInShell, workbenchOf } from '@/test/e2e/workbench';
import { type FileHost, serveFiles } from './file-host';

let host: FileHost;
test.beforeAll(async () => {
  host = await serveFiles('out', '/tools/gatehouse');
});
test.afterAll(async () => {
  await host.close();
});

test('cl-57: the static build under a sub-path, not isolated, says what is missing and does the rest', async ({ page }) => {
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== new URL(host.url).origin) foreign.push(request.url());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`blocked ${event.violatedDirective}: ${event.blockedURI}`));
  });
  await page.goto(host.url);
  const workbench = workbenchOf(page);
  await ready(workbench);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);

  await page.getByRole('button', { name: 'Runtime: embedded, not isolated' }).click();
  const menu = page.getByRole('menu', { name: 'Runtime' });
  await expect(menu).toContainText('This page is not cross-origin isolated');
  await menu.getByRole('menuitemradio', { name: /^WebContainer/ }).click();
  const note = page.getByRole('alert').filter({ hasText: 'WebContainer needs cross-origin isolation' });
  await expect(note).toContainText('Your files stay on the embedded runtime.');
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await expect(note).toHaveCount(0);

  await typeInShell(workbench, 'echo "not $((40 + 2)) isolated"');
  await shellShows(workbench, 'not 42 isolated');
  await typeInShell(workbench, `node -e "try { require('child_process').execSync('true') } catch (error) { console.log(error.message) }"`);
  await shellShows(workbench, /this page has no shared memory/);
  await typeInShell(workbench, 'clear; npm test');
  await shellShows(workbench, /failing tests:[\s\S]*'1h 60m' !== '2h 0m'/);

  await workbench.startTask.click();
  await prompted(workbench, 'src/duration.ts');
  await workbench.allowOnce.click();
  await prompted(workbench, 'npm test');
  const result = page.getByRole('group', { name: 'Result of edit_file' });
  await call(workbench, 'edit_file').click();
  await expect(result).toContainText(/\[Diagnostics/);
  expect({ complaints, foreign, missed: host.missed }).toEqual({ complaints: [], foreign: [], missed: [] });
});
