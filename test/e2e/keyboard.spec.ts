import { expect, type Locator, type Page, test } from '@playwright/test';
import { callsAndOutcomes, eventsOf, faultsOf, storedEvents } from './stored';
import { openWorkbench, prompted, turnEnded, type Workbench, workbenchOf } from './workbench';

/** Puts the page's own watch into the test's hand, so that "in the first 400 ms" does not depend on a busy machine. */
async function holdTheWatch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const real = performance.now.bind(performance);
    let held: number | undefined;
    performance.now = () => held ?? real();
    Object.assign(window, {
      holdWatch: () => {
        held = real();
      },
      moveWatch: (ms: number) => {
        if (held !== undefined) held += ms;
      },
      freeWatch: () => {
        held = undefined;
      },
    });
  });
}

const watch = (page: Page, act: 'holdWatch' | 'moveWatch' | 'freeWatch', ms = 0): Promise<void> =>
  page.evaluate(([name, by]) => (window as unknown as Record<string, (ms: number) => void>)[name as string]?.(by as number), [act, ms] as const);

/** Everything that the page says aloud, from now on. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[aria-live="assertive"], [role="alert"]');
        const words = region?.textContent?.trim() ?? '';
        if (words !== '') said.push(words);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

/** From the field for messages to the task's button, and Enter. */
async function startByKeyboard({ page, message, startTask }: Workbench): Promise<void> {
  const pressUntil = async (key: string, wanted: Locator): Promise<void> => {
    for (let round = 0; round < 6 && !(await wanted.evaluate((element) => element === document.activeElement)); round++) await page.keyboard.press(key);
    await expect(wanted).toBeFocused();
  };
  await pressUntil('F6', message);
  await pressUntil('Shift+Tab', startTask);
  await page.keyboard.press('Enter');
}

test('cl-30, cl-31: the whole task by keyboard: each prompt is announced once, opens on Deny, and each of its buttons does what it says', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const { approval, deny, allowOnce } = workbench;
  const said = await listen(page);
  await startByKeyboard(workbench);

  await prompted(workbench, 'Would change src/duration.ts');
  await expect(approval).toHaveRole('region');
  await expect(approval).toHaveAccessibleName('Approval: Change src/duration.ts');
  await expect(deny).toBeFocused();
  expect(await said()).toEqual([expect.stringMatching(/^Approval needed\. Change src\/duration\.ts: /)]);
  await page.waitForTimeout(450);
  // More is before Deny, the choices are after it.
  await page.keyboard.press('Shift+Tab');
  await expect(approval.getByRole('button', { name: /^More/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(approval.getByRole('group', { name: 'Input' })).toContainText('"path": "src/duration.ts"');
  await page.keyboard.press('Enter');
  await expect(approval.getByRole('group', { name: 'Input' })).toHaveCount(0);
  for (const button of ['Deny', 'Allow once', 'Allow for this session', 'Allow always in this workspace', 'Edit…', 'Deny with words…', 'Stop the turn']) {
    await page.keyboard.press('Tab');
    await expect(approval.getByRole('button', { name: button, exact: true })).toBeFocused();
  }
  for (const button of ['Deny with words…', 'Edit…', 'Allow always in this workspace', 'Allow for this session', 'Allow once']) {
    await page.keyboard.press('Shift+Tab');
    await expect(approval.getByRole('button', { name: button, exact: true })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(approval.filter({ hasText: 'Would change src/duration.ts' })).toHaveCount(0);

  await prompted(workbench, 'npm test');
  await expect(deny).toBeFocused();
  await page.waitForTimeout(450);
  await page.keyboard.press('Tab');
  await expect(allowOnce).toBeFocused();
  await page.keyboard.press('Space');

  await prompted(workbench, 'npm run report');
  await expect(deny).toBeFocused();
  await page.waitForTimeout(450);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await turnEnded(workbench, 1);
  // The button that began the task is gone: the next thing to do is to write.
  await expect(workbench.message).toBeFocused();

  expect((await said()).map((words) => words.split(':')[0])).toEqual([
    'Approval needed. Change src/duration.ts',
    'Approval needed. Run a command in the shell',
    'Approval needed. Run a command in the shell',
  ]);
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(eventsOf(events, 'approval-end').map((event) => event.outcome)).toEqual(
    (['once', 'once', 'session'] as const).map((choice) => ({ kind: 'answered', choice })),
  );

  // And to the terminal, and back.
  await page.keyboard.press('Control+`');
  await expect(page.getByRole('textbox', { name: /^(Terminal input|Commands of the agent)/ }).and(page.locator(':focus'))).toHaveCount(1);
  await page.keyboard.press('F6');
  await expect(workbench.message).toBeFocused();
  await page.keyboard.press('F6');
  await expect(workbench.files.getByRole('treeitem', { name: 'src' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(workbench.files.getByRole('treeitem', { name: /^duration\.ts/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(workbench.files.getByRole('treeitem', { name: /^duration\.ts/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(workbench.openFiles.getByRole('button', { name: 'duration.ts', exact: true })).toBeVisible();
});

test('cl-18, cl-20, cl-31: keys in the first 400 ms of a prompt do nothing; after that Enter is on Deny and denies', async ({ page }) => {
  await holdTheWatch(page);
  const workbench = await openWorkbench(page);
  const { approval, deny } = workbench;
  await startByKeyboard(workbench);
  await watch(page, 'holdWatch');
  await prompted(workbench, 'Would change src/duration.ts');
  await expect(deny).toBeFocused();
  for (const key of ['Enter', 'Space', 'y', 'a', 'Tab', 'Enter', 'Escape']) await page.keyboard.press(key);
  await watch(page, 'moveWatch', 399);
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
  await expect(approval).toBeVisible();
  await expect(deny).toBeFocused();
  await expect(workbench.stop).toBeVisible();
  expect(eventsOf(await storedEvents(page), 'approval-end')).toEqual([]);

  await watch(page, 'moveWatch', 2);
  await page.keyboard.press('Enter');
  await watch(page, 'freeWatch');
  await turnEnded(workbench, 1);
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(eventsOf(events, 'approval-end').map((event) => event.outcome)).toEqual([{ kind: 'answered', choice: 'deny' }]);
  expect(callsAndOutcomes(events).at(-1)).toBe('edit_file denied');
});

test('cl-23: what is typed in the field for words answers nothing and grants nothing; Esc there closes the field, Esc outside stops the turn', async ({
  page,
}) => {
  const workbench = await openWorkbench(page);
  const { approval } = workbench;
  await startByKeyboard(workbench);
  await prompted(workbench, 'Would change src/duration.ts');
  await page.waitForTimeout(450);
  const words = approval.getByRole('textbox', { name: 'Words to the model' });
  const openField = approval.getByRole('button', { name: 'Deny with words…' });
  await openField.focus();
  await page.keyboard.press('Enter');
  await expect(words).toBeFocused();
  await page.keyboard.type('yes allow always');
  for (const key of ['Enter', 'Control+Enter', 'y', 'a', 's', '1', 'Shift+Tab']) await page.keyboard.press(key);
  await expect(words).not.toBeFocused();
  await words.focus();
  await expect(approval).toBeVisible();
  await expect(words).toHaveValue(/^yes allow always\n+yas1$/);
  await page.keyboard.press('Escape');
  await expect(words).toHaveCount(0);
  await expect(approval).toBeVisible();
  expect(eventsOf(await storedEvents(page), 'approval-end')).toEqual([]);

  await openField.focus();
  await page.keyboard.press('Escape');
  await turnEnded(workbench, 1, /^Stopped/);
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(eventsOf(events, 'approval-end').map((event) => event.outcome)).toEqual([{ kind: 'cancelled' }]);
});

test('cl-21: the click that brings the window forward does not answer a prompt; the next one does', async ({ page }) => {
  const workbench = workbenchOf(page);
  await openWorkbench(page);
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  // A window that comes forward is told so after the press that did it, or before it: both are tried.
  await workbench.allowOnce.click();
  await expect(workbench.approval).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await workbench.allowOnce.evaluate((button) => {
    window.dispatchEvent(new Event('focus'));
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
  });
  await expect(workbench.approval).toBeVisible();
  expect(eventsOf(await storedEvents(page), 'approval-end')).toEqual([]);
  await workbench.allowOnce.click();
  await prompted(workbench, 'npm test');
  expect(eventsOf(await storedEvents(page), 'approval-end').map((event) => event.outcome)).toEqual([{ kind: 'answered', choice: 'once' }]);
});
