import { expect, test } from '@playwright/test';
import { eventsOf, storedEvents } from './stored';
import { allow, call, openWorkbench, prompted, shellShows, turnEnded, typeInShell } from './workbench';

test('an edit is looked at by the compiler, in a worker of its own that is loaded for it', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/generated/language.worker.js')) loaded.push(request.url());
  });
  const workbench = await openWorkbench(page);
  expect(loaded).toEqual([]);
  await workbench.startTask.click();
  // It reads ahead while a person looks at the edit, and once only.
  await prompted(workbench, 'Would change src/duration.ts');
  await expect.poll(() => loaded.length).toBe(1);
  await workbench.allowOnce.click();
  // On a slow machine what is found comes with a later result.
  await allow(workbench, 'npm test');
  await allow(workbench, 'npm run report');
  await turnEnded(workbench, 1);
  expect(loaded).toHaveLength(1);
  expect(eventsOf(await storedEvents(page), 'diagnostics').map(({ checked, count }) => [checked, count])).toEqual([[['src/duration.ts'], 0]]);
  await call(workbench, 'edit_file').click();
  await expect(workbench.conversation.getByRole('group', { name: 'Result of edit_file' })).toContainText(/\[Diagnostics/);
});

test('a turn is undone and done again, by keyboard too, and a reload keeps the way back', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const { conversation } = workbench;
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  await workbench.allowOnce.click();
  await allow(workbench, 'npm test');
  await allow(workbench, 'npm run report');
  await turnEnded(workbench, 1);

  const undo = conversation.getByRole('button', { name: 'Undo this turn' });
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect(conversation.getByText('this turn is undone')).toBeVisible();
  // Whoever pressed a key stands at the way forth, not at the beginning of the page.
  await expect(conversation.getByRole('button', { name: 'Redo this turn' })).toBeFocused();
  await typeInShell(workbench, 'grep -c "totalMinutes % 60" src/duration.ts && echo is-$((1+1))-back');
  await shellShows(workbench, 'is-2-back');

  await page.reload();
  await conversation.getByRole('button', { name: 'Redo this turn' }).click();
  await expect(undo).toBeVisible();
  await typeInShell(workbench, 'grep -c "Math.round(totalMinutes);" src/duration.ts && echo is-$((1+1))-fixed');
  await shellShows(workbench, 'is-2-fixed');

  // What the person wrote since is never taken away.
  await typeInShell(workbench, 'echo "// mine" > src/duration.ts && echo wrote-$((1+1))');
  await shellShows(workbench, 'wrote-2');
  await undo.click();
  await expect(conversation.getByRole('region', { name: 'Files that changed since' })).toContainText('src/duration.ts: changed since by you');
});
