import { expect, type Page, test } from '@playwright/test';
import { openWorkbench, shellShows, typeInShell } from './workbench';

/** Nobody is asked but this machine: the vendor's host does not answer. Counts how often it was asked. */
async function closeVendor(page: Page): Promise<{ asked: number }> {
  const vendor = { asked: 0 };
  await page.route('https://stackblitz.com/**', (route) => {
    vendor.asked++;
    return route.abort();
  });
  return vendor;
}

test('WebContainer that cannot be reached: the reason is said, the files stay, and the choice is back where it was', async ({ page }) => {
  const vendor = await closeVendor(page);
  const workbench = await openWorkbench(page);
  await typeInShell(workbench, 'echo kept > kept.txt');
  await page.getByRole('button', { name: 'Runtime: embedded' }).click();
  await page.getByRole('menuitemradio', { name: /^WebContainer/ }).click();
  const note = page.getByRole('alert').filter({ hasText: 'cannot be reached from here' });
  await expect(note).toContainText('Your files stay on the embedded runtime.');
  await expect(page.getByRole('button', { name: 'Runtime: embedded' })).toBeVisible();
  expect(vendor.asked).toBe(1);
  await typeInShell(workbench, 'clear; cat kept.txt');
  await shellShows(workbench, /kept\s+~ \$\s*$/);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Runtime: embedded' })).toBeVisible({ timeout: 60_000 });
  expect(vendor.asked).toBe(1);
});

test('cl-60: a start that took the page down is not tried by itself at the next loads, and is when a person asks', async ({ page }) => {
  const vendor = await closeVendor(page);
  // As the page leaves them when it dies while WebContainer boots.
  await page.addInitScript(() => {
    if (localStorage.getItem('gatehouse.runtime') !== null) return;
    localStorage.setItem('gatehouse.runtime', 'webcontainer');
    localStorage.setItem('gatehouse.webcontainer-boot', 'begun');
  });
  await openWorkbench(page);
  const refused = page.getByRole('alert').filter({ hasText: 'It was not started again by itself' });
  await expect(refused).toBeVisible();
  await page.reload();
  await expect(refused).toBeVisible({ timeout: 60_000 });
  expect(vendor.asked).toBe(0);

  await page.getByRole('button', { name: 'Runtime: embedded' }).click();
  await page.getByRole('menuitemradio', { name: /^WebContainer/ }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached from here' })).toBeVisible();
  expect(vendor.asked).toBe(1);
});
