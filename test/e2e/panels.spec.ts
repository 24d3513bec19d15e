import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { call, openWorkbench, prompted, ready, turn, turnEnded, workbenchOf } from './workbench';

/** What axe finds, as one line each: every rule in light, what depends on colours in dark too. */
async function violations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const axe = new AxeBuilder({ page });
    const { violations: all } = await (colorScheme === 'dark' ? axe.withRules('color-contrast') : axe).analyze();
    for (const { id, nodes } of all)
      for (const { target, failureSummary } of nodes) found.push(`${colorScheme} ${id}: ${target.join(' ')} ${failureSummary ?? ''}`);
  }
  return found;
}

// Axe looks at every element with every rule: on a busy machine that takes its time.
test.describe.configure({ timeout: 300_000 });

test('no panel has a fault that axe can find: empty, with a prompt, with an open call and a diff', async ({ page }) => {
  const workbench = await openWorkbench(page);
  await expect(workbench.startTask).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  await workbench.approval.getByRole('button', { name: /^More/ }).click();
  await workbench.approval.getByRole('button', { name: 'Deny with words…' }).click();
  expect(await violations(page)).toEqual([]);

  await workbench.allowOnce.click();
  await prompted(workbench, 'npm test');
  await workbench.deny.click();
  await turnEnded(workbench, 1);
  await call(workbench, 'edit_file').click();
  await expect(turn(workbench, 1).getByRole('group', { name: 'Changes in src/duration.ts' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'src/duration.ts, after the edit' })).toBeAttached({ timeout: 60_000 });
  expect(await violations(page)).toEqual([]);
});

test('the dialog for a model has no fault that axe can find, takes the focus and gives it back', async ({ page }) => {
  await openWorkbench(page);
  const menu = page.getByRole('button', { name: /^Model: / });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Connect a model…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Connect a model' });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await dialog.getByLabel('Address').fill('localhost');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('status')).toContainText('This is not an address');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
});

test('the pace of practice is chosen in the model menu with the keyboard, and is still chosen after a reload', async ({ page }) => {
  await page.goto('/');
  const chosen = async (): Promise<string> => {
    await ready(workbenchOf(page));
    await page.getByRole('button', { name: /^Model: / }).press('Enter');
    return (await page.getByRole('menuitemradio', { checked: true }).allTextContents()).join(', ');
  };
  expect(await chosen()).toBe('Practice (scripted, no AI), Like a quick model');
  await page.getByRole('menuitemradio', { name: 'Without waiting' }).press('Enter');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.reload();
  expect(await chosen()).toBe('Practice (scripted, no AI), Without waiting');
});

test('at 360 px the panels are tabs, nothing scrolls sideways, and a task can be played', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const workbench = workbenchOf(page);
  await page.goto('/');
  await expect(workbench.startTask).toBeVisible({ timeout: 60_000 });
  const panels = page.getByRole('tablist', { name: 'Panels' }).getByRole('tab');
  await expect(panels).toHaveText(['Conversation', 'Files', 'Editor', 'Terminal']);
  await expect(workbench.message).toBeInViewport();
  await expect(page.getByRole('radio', { name: 'Ask', exact: true })).toBeChecked();
  const sideways = (): Promise<number> => page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - window.innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);

  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  for (const button of [workbench.deny, workbench.allowOnce, workbench.approval.getByRole('button', { name: 'Stop the turn' })])
    await expect(button).toBeInViewport();
  expect(await sideways()).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await panels.filter({ hasText: 'Terminal' }).click();
  await expect(panels.filter({ hasText: 'Conversation' })).toContainText('waiting for you');
  await expect(workbench.shell).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
  await panels.filter({ hasText: 'Conversation' }).click();
  await workbench.allowOnce.click();
  // The agent's edit waits in the editor; the conversation stays in sight.
  await prompted(workbench, 'npm test');
  await workbench.deny.click();
  await turnEnded(workbench, 1);
  await panels.filter({ hasText: 'Editor' }).click();
  await expect(page.getByRole('textbox', { name: 'src/duration.ts, after the edit' })).toBeAttached({ timeout: 60_000 });
  expect(await sideways()).toBeLessThanOrEqual(0);
  await panels.filter({ hasText: 'Conversation' }).click();
  await workbench.message.fill('continue');
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  expect(await sideways()).toBeLessThanOrEqual(0);
});
