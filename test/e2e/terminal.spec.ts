import { expect, test } from '@playwright/test';
import { openWorkbench, shellShows, typeInShell } from './workbench';

test('a person works in the terminal: folders, variables, history, completion, exit codes, programs', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const run = async (line: string, shows: string | RegExp): Promise<void> => {
    await typeInShell(workbench, line);
    await shellShows(workbench, shows);
  };
  await run('echo hello "big  world" | tr a-z A-Z', /HELLO BIG {2}WORLD/);
  await run('cd src && ls', /duration\.ts\s+report\.ts\s+season\.ts\s+timetable\.ts/);
  await shellShows(workbench, /~\/src \$\s*$/);
  await run('export NAME=ferry; cd ..', /~ \$\s*$/);
  await run('clear; echo "$NAME at $(basename "$PWD")"', /ferry at \w+\s+~ \$\s*$/);
  await run('false; echo "code $?"', /code 1\s/);
  await run('node -e "process.exit(7)"', /~ \$\s*$/);
  await run('echo "then $?"', /then 7\s/);
  await run('no-such-command; echo "code $?"', /command not found\s+code 127\s/);
  await run('clear; node -e "console.log([1, 2, 3].map((n) => n * n))"', /\[ 1, 4, 9 \]/);

  // History: the line before the last, changed at its end.
  await run('clear; echo alpha', /alpha\s+~ \$\s*$/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type(' beta');
  await page.keyboard.press('Enter');
  await shellShows(workbench, /alpha beta\s+~ \$\s*$/);
  // Completion.
  await page.keyboard.type('cat pack');
  await page.keyboard.press('Tab');
  await shellShows(workbench, /cat package\.json\s*$/);
  await page.keyboard.type('| head -2');
  await page.keyboard.press('Enter');
  await shellShows(workbench, /"name": "ferry-log"/);

  // Nobody who walks with Tab is caught here: it leaves where nothing is typed, and Shift+Tab always does.
  const terminal = page.getByRole('textbox', { name: 'Terminal input' });
  await page.keyboard.press('Tab');
  await expect(terminal).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(terminal).toBeFocused();
  await page.keyboard.type('half a li');
  await page.keyboard.press('Tab');
  await expect(terminal).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(terminal).not.toBeFocused();
});

test('Ctrl+C ends a loop and a program, Ctrl+D ends what is typed in, and exit offers a new shell', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const terminal = page.getByRole('textbox', { name: 'Terminal input' });
  await typeInShell(workbench, 'while true; do echo round; sleep 0.05; done');
  await shellShows(workbench, /round\s+round/);
  await page.keyboard.press('Control+c');
  await shellShows(workbench, /\^C\s+~ \$\s*$/);
  await typeInShell(workbench, 'clear; node -e "for (;;) {}"');
  await shellShows(workbench, /^(?!.*round).*$/s);
  await page.keyboard.press('Control+c');
  await shellShows(workbench, /\^C\s+~ \$\s*$/);
  await typeInShell(workbench, 'clear; cat > poem.txt');
  await page.keyboard.type('two lines\nof verse\n');
  await page.keyboard.press('Control+d');
  await shellShows(workbench, /~ \$\s*$/);
  await typeInShell(workbench, 'clear; wc -l < poem.txt; cat poem.txt');
  await shellShows(workbench, /2\s+two lines\s+of verse/);
  await expect(workbench.files.getByRole('treeitem', { name: 'poem.txt' })).toBeVisible();
  await typeInShell(workbench, 'exit 3');
  await expect(workbench.shell.getByRole('status')).toContainText('The shell ended with exit code 3.');
  await workbench.shell.getByRole('button', { name: 'Start a new shell' }).click();
  await typeInShell(workbench, 'echo back again');
  await shellShows(workbench, /\$ echo back again\s+back again/);
  await expect(terminal).toBeFocused();
});
