import { expect, test } from '@playwright/test';
import { faultsOf, storedEvents } from './stored';
import { allow, openWorkbench, prompted, ready } from './workbench';

test('an engine whose worker ends without a word is noticed, restarted by a click, and the session goes on where it was', async ({ page }) => {
  const workbench = await openWorkbench(page);
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  const before = await storedEvents(page);

  // Workers come and go (spares of programs), so one may be gone before it is asked; the engine's is asked by its name.
  const asked = page.workers().map((worker) =>
    worker
      .evaluate(() => {
        if (self.name !== 'engine') return false;
        setTimeout(() => self.close());
        return true;
      })
      .catch(() => false),
  );
  expect(await Promise.all(asked)).toContain(true);
  await expect(page.getByText('The engine stopped: its worker ended')).toBeVisible();
  await page.getByRole('button', { name: 'Restart the engine' }).click();
  await ready(workbench);

  await allow(workbench, 'Would change src/duration.ts');
  await prompted(workbench, 'npm test');
  const after = await storedEvents(page);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(faultsOf(after).filter((fault) => !fault.includes('never ended') && !fault.includes('answered by nothing'))).toEqual([]);
});
