import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page, test } from '@playwright/test';
import { chromiumArgs, findChromium } from '@/scripts/find-chromium.mjs';
import { eventsOf, faultsOf, storedEvents, transcriptOf } from './stored';
import { allow, call, openWorkbench, prompted, ready, send, turnEnded, workbenchOf } from './workbench';

/** A page of this origin that opens no database of its own. */
const plainPage = '/icon.svg';

function openDatabase(page: Page, version: number): Promise<unknown> {
  return page.evaluate(
    (wanted) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('gatehouse', wanted);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          opening.result.close();
          resolve();
        };
      }),
    version,
  );
}

function deleteDatabase(page: Page): Promise<unknown> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('gatehouse');
        deleting.onerror = () => reject(deleting.error);
        deleting.onsuccess = () => resolve();
      }),
  );
}

/** Replaces one stored value by another, as a damaged disk would. */
function overwrite(page: Page, store: string, key: readonly [string, number], value: unknown): Promise<unknown> {
  return page.evaluate(
    ([name, at, put]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('gatehouse');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(name as string, 'readwrite');
          transaction.objectStore(name as string).put(put, [...(at as [string, number])]);
          transaction.onerror = () => reject(transaction.error);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    [store, key, value] as const,
  );
}

/** What the origin may store in the test of a full storage, in bytes. */
const quota = 30_000_000;

/** Takes what room the origin has left, in a cache of its own, down to a few bytes. */
function fillStorage(page: Page): Promise<unknown> {
  return page.evaluate(async (all) => {
    const filler = await caches.open('filler');
    for (let size = 8_000_000, part = 0; size >= 512; part++) {
      try {
        await filler.put(`/filler/${part}`, new Response(new Uint8Array(size)));
      } catch {
        size = Math.floor(size / 2);
      }
    }
    // The browser goes by the room that it last counted for a database until more is asked of it than that: ask for all of it once.
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('filler');
      opening.onerror = () => reject(opening.error);
      opening.onupgradeneeded = () => opening.result.createObjectStore('bytes');
      opening.onsuccess = () => resolve(opening.result);
    });
    const stored = await new Promise<boolean>((resolve) => {
      const transaction = database.transaction('bytes', 'readwrite');
      transaction.objectStore('bytes').put(new Uint8Array(all), 0);
      transaction.onabort = () => resolve(false);
      transaction.oncomplete = () => resolve(true);
    });
    database.close();
    if (stored) throw new Error(`${all} bytes more found room in a full storage.`);
  }, quota);
}

test('a database that a newer version has opened is not worked beside: the page says so, and a restart goes on once it is free', async ({ page }) => {
  await page.goto(plainPage);
  await openDatabase(page, 99);
  await page.goto('/');
  const problem = page.getByRole('alert').filter({ hasText: 'Restart the engine' });
  await expect(problem).toContainText('a newer version of Gatehouse has opened the stored data in another tab. Reload this page. What is stored is untouched.');
  await deleteDatabase(page);
  await problem.getByRole('button', { name: 'Restart the engine' }).click();
  await ready(workbenchOf(page));
});

test('where the browser lets the site store nothing, the task is played all the same, and the page says that a reload forgets it', async ({ baseURL }) => {
  const profile = mkdtempSync(join(tmpdir(), 'gatehouse-profile-'));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
  const context = await chromium.launchPersistentContext(profile, { executablePath: findChromium(), args: chromiumArgs(), baseURL });
  try {
    const page = await context.newPage();
    await page.goto('/');
    const workbench = workbenchOf(page);
    await expect(workbench.message).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('alert').filter({ hasText: 'a reload forgets it' })).toContainText('What is stored is untouched. You can work here');
    await workbench.startTask.click();
    await allow(workbench, 'Would change src/duration.ts');
    await prompted(workbench, 'npm test');
    await workbench.deny.click();
    await turnEnded(workbench, 1);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

test('stored data that is gone is said to be gone, and a fresh workspace is open', async ({ page }) => {
  await openWorkbench(page);
  await page.goto(plainPage);
  await deleteDatabase(page);
  await page.goto('/');
  const workbench = workbenchOf(page);
  await expect(workbench.message).toBeVisible({ timeout: 60_000 });
  const note = page.getByRole('alert').filter({ hasText: 'The sessions and files that were stored here are gone' });
  await expect(note).toContainText('A fresh workspace is open');
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await ready(workbench);
});

test('cl-55: damaged entries of the log are skipped and flagged, whatever they became, and the session goes on', async ({ page }) => {
  const workbench = await openWorkbench(page);
  await workbench.startTask.click();
  await allow(workbench, 'Would change src/duration.ts');
  await prompted(workbench, 'npm test');
  await workbench.deny.click();
  await turnEnded(workbench, 1);
  const events = await storedEvents(page);
  const sessionId = events[0]?.sessionId ?? '';
  await page.goto(plainPage);
  const plan = eventsOf(events, 'plan-end')[0];
  const text = eventsOf(events, 'text-delta')[0];
  const output = events.find((event) => event.type === 'batch-start');
  await overwrite(page, 'events', [sessionId, plan?.seq ?? 0], null);
  await overwrite(page, 'events', [sessionId, text?.seq ?? 0], { ...text, text: { not: 'text' } });
  await overwrite(page, 'events', [sessionId, output?.seq ?? 0], 'x'.repeat(20));

  await page.goto('/');
  await expect(page.getByText('3 stored events could not be read; the rest of the session is shown, and the files are safe.')).toBeVisible({ timeout: 60_000 });
  await expect(call(workbench, 'edit_file')).toBeVisible();
  await send(workbench, 'continue');
  await allow(workbench, 'npm run test');
  await prompted(workbench, 'npm run report');
});

test('cl-51: with the storage full nothing older is lost, the person is told, and what was kept back is stored once there is room', async ({
  page,
  baseURL,
}) => {
  const browser = await page.context().newCDPSession(page);
  // A quota counts from the first use of an origin on.
  await browser.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL ?? '').origin, quotaSize: quota });
  const workbench = await openWorkbench(page);
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  const before = await storedEvents(page);
  await fillStorage(page);
  await allow(workbench, 'Would change src/duration.ts');
  await expect(workbench.conversation.getByText('could not be stored').first()).toContainText('is tried again');
  await prompted(workbench, 'npm test');
  expect((await storedEvents(page)).slice(0, before.length)).toEqual(before);

  await page.evaluate(() => caches.delete('filler'));
  await allow(workbench, 'npm test');
  await prompted(workbench, 'npm run report');
  await workbench.deny.click();
  await turnEnded(workbench, 1);
  const after = await storedEvents(page);
  expect(faultsOf(after)).toEqual([]);
  expect(after.slice(0, before.length)).toEqual(before);
  await page.reload();
  await ready(workbench);
  await expect(call(workbench, 'edit_file')).toContainText('done');
  expect(transcriptOf((await storedEvents(page)).slice(0, after.length))).toEqual(transcriptOf(after));
});
