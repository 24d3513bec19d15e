import { expect, type Page, test } from '@playwright/test';
import { connect, serveModel } from './model-server';
import { allow, openWorkbench, prompted, send, shellShows, turnEnded, typeInShell, type Workbench } from './workbench';

async function openFile({ page, files }: Workbench, folder: string, name: string): Promise<void> {
  if (!(await files.getByRole('treeitem', { name }).isVisible())) await files.getByRole('treeitem', { name: folder, exact: true }).click();
  await files.getByRole('treeitem', { name }).click();
  await expect(editor(page, `${folder}/${name}`)).toBeAttached({ timeout: 60_000 });
}

const editor = (page: Page, path: string) => page.getByRole('textbox', { name: path, exact: true });

/** Puts the cursor into the first line and types a line before it. */
async function typeFirstLine(page: Page, path: string, line: string): Promise<void> {
  await editor(page, path).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

test('a file is opened, changed and saved with Ctrl+S, and the shell reads what was saved', async ({ page }) => {
  const workbench = await openWorkbench(page);
  await openFile(workbench, 'src', 'timetable.ts');
  await typeFirstLine(page, 'src/timetable.ts', '// Mine, from the editor.');
  const tab = workbench.openFiles.getByRole('button', { name: /^timetable\.ts/ }).first();
  await expect(tab).toHaveAccessibleName(/not saved/);
  await typeInShell(workbench, 'head -1 src/timetable.ts');
  await shellShows(workbench, /export type Harbour/);
  await editor(page, 'src/timetable.ts').focus();
  await page.keyboard.press('Control+s');
  await expect(tab).not.toHaveAccessibleName(/not saved/);
  await typeInShell(workbench, 'clear; head -1 src/timetable.ts');
  await shellShows(workbench, '// Mine, from the editor.');
  // And the other way round: what the shell writes is shown in the open file.
  await typeInShell(workbench, 'clear; echo "// Theirs, from the shell." > src/timetable.ts');
  await expect(page.getByRole('region', { name: 'Editor' })).toContainText('Theirs, from the shell.'.replaceAll(' ', '\u00a0'));
  await expect(page.getByText('Both versions are kept.')).toHaveCount(0);
});

test('a file that a person is changing and the agent edits shows both, and nothing is lost', async ({ page }) => {
  const server = await serveModel();
  try {
    const workbench = await openWorkbench(page);
    const pane = page.getByRole('region', { name: 'Editor' });
    await connect(workbench, server);
    await openFile(workbench, 'src', 'timetable.ts');
    await typeFirstLine(page, 'src/timetable.ts', '// Mine, not saved.');
    server.answer(
      { calls: [{ name: 'read_file', input: { path: 'src/timetable.ts' } }] },
      { calls: [{ name: 'edit_file', input: { path: 'src/timetable.ts', search: "name: 'Old Marjory'", replace: "name: 'Young Marjory'" } }] },
      { text: 'She is young again.' },
    );
    await send(workbench, 'Rename the boat.');
    await prompted(workbench, 'Would change src/timetable.ts');
    await expect(workbench.approval.getByRole('group', { name: 'Changes in src/timetable.ts' })).toContainText(
      "added: { name: 'Young Marjory', knots: 8 },".replace('added: ', 'added:   '),
    );
    await allow(workbench, 'Would change src/timetable.ts');
    await turnEnded(workbench, 1);

    // The agent's edit came forward as a diff; the person's text is where it was.
    await expect(workbench.openFiles.getByRole('button', { name: 'timetable.ts (agent’s edit)', exact: true })).toHaveAttribute('aria-current', 'true');
    await page.getByRole('button', { name: 'Open the file' }).click();
    await expect(pane.getByRole('alert')).toContainText('timetable.ts changed on disk while you were editing it. Both versions are kept.');
    await expect(pane).toContainText('// Mine, not saved.'.replaceAll(' ', '\u00a0'));
    // Saving does not overwrite what the person has not decided about.
    await editor(page, 'src/timetable.ts').focus();
    await page.keyboard.press('Control+s');
    await typeInShell(workbench, 'grep -c "Young Marjory" src/timetable.ts; grep -c "Mine" src/timetable.ts');
    await shellShows(workbench, /src\/timetable\.ts\s+1\s+0\s/);
    await pane.getByRole('button', { name: 'Compare' }).click();
    await expect(workbench.openFiles.getByRole('button', { name: 'timetable.ts (mine and theirs)', exact: true })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'src/timetable.ts, theirs, on disk' })).toBeAttached();
    await page.getByRole('button', { name: 'Open the file' }).click();

    // Theirs is taken; undo still holds mine.
    await pane.getByRole('button', { name: 'Take theirs' }).click();
    await expect(pane.getByRole('alert')).toHaveCount(0);
    await expect(pane).not.toContainText('// Mine, not saved.'.replaceAll(' ', '\u00a0'));
    await editor(page, 'src/timetable.ts').focus();
    await page.keyboard.press('Control+z');
    await expect(pane).toContainText('// Mine, not saved.'.replaceAll(' ', '\u00a0'));
  } finally {
    await server.close();
  }
});

test('a file with changes is not closed without a question', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const pane = page.getByRole('region', { name: 'Editor' });
  await openFile(workbench, 'src', 'report.ts');
  await typeFirstLine(page, 'src/report.ts', '// kept');
  await workbench.openFiles.getByRole('button', { name: 'Close report.ts' }).click();
  await expect(pane.getByRole('alert')).toContainText('report.ts has changes that are not saved.');
  await pane.getByRole('button', { name: 'Save and close' }).click();
  await expect(workbench.openFiles).toHaveCount(0);
  await typeInShell(workbench, 'head -1 src/report.ts');
  await shellShows(workbench, /\/\/ kept/);
});
