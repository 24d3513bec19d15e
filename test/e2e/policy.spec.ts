import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { openWorkbench, typeInShell } from './workbench';

const file = 'gatehouse.policy.json';

test('the policy is seen, edited as a file, told where it is wrong, and one that a command brought waits for a word', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const button = page.getByRole('button', { name: /^Policy: / });
  const dialog = page.getByRole('dialog', { name: 'Policy' });
  await expect(button).toHaveAccessibleName('Policy: starter');
  await button.click();
  await expect(dialog).toContainText('"git show *"');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await dialog.getByRole('button', { name: `Edit it as ${file}` }).click();
  await expect(dialog).toHaveCount(0);
  const editor = page.getByRole('textbox', { name: file, exact: true });
  await expect(editor).toBeAttached({ timeout: 60_000 });
  await expect(button).toHaveAccessibleName('Policy: your file');

  await editor.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\n"dney": [],');
  await page.keyboard.press('Control+s');
  await expect(button).toHaveAccessibleName('Policy: does not load');
  await button.click();
  await expect(dialog).toContainText('"dney" is no field of a policy.');
  await expect(dialog).toContainText('Line 2, column');
  await page.keyboard.press('Escape');

  await typeInShell(workbench, `echo '{"version": 1}' > ${file}`);
  await expect(button).toHaveAccessibleName('Policy: waits for you');
  await button.click();
  await expect(dialog.getByRole('list', { name: 'Lines of the policy that change' })).toContainText('− every call is asked for: the file does not load');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await dialog.getByRole('button', { name: 'Accept this policy' }).click();
  await expect(dialog).toContainText('The policy has no rules');
  await dialog.getByRole('button', { name: 'Use the starter policy again' }).click();
  await expect(dialog).toContainText('No policy file yet.');
  await page.keyboard.press('Escape');
  await expect(button).toHaveAccessibleName('Policy: starter');
});
