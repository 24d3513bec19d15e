import { expect, type Page, test } from '@playwright/test';
import { callsAndOutcomes, eventsOf, faultsOf, storedEvents, storedRecords, transcriptOf } from './stored';
import { allow, call, openWorkbench, prompted, shellShows, turnEnded, typeInShell } from './workbench';

/** Watches the rows of calls; answers the arguments that a row showed and then lost. */
async function watchArguments(page: Page): Promise<() => Promise<{ readonly rows: number; readonly lost: readonly string[] }>> {
  await page.evaluate(() => {
    const last: string[] = [];
    const lost: string[] = [];
    const look = (): void => {
      // Rows keep their order: calls are only ever added at the end.
      document.querySelectorAll('[aria-label="Conversation"] button[aria-expanded] > [title]').forEach((line, row) => {
        const words = line.textContent ?? '';
        const before = last[row] ?? '';
        if (words === '' && before !== '') lost.push(before);
        last[row] = words;
      });
      Object.assign(window, { watched: { rows: last.length, lost } });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { watched: { rows: number; lost: string[] } }).watched);
}

test('cl-09: the task is played from start to end: reads side by side, an edit as a diff, tests that pass, a long output fetched back by its id', async ({
  page,
}) => {
  const workbench = await openWorkbench(page, 'model');
  const { conversation, approval, openFiles } = workbench;
  const watched = await watchArguments(page);
  await workbench.startTask.click();

  // The edit: asked for with its diff, and what was read before stands in one batch.
  await prompted(workbench, 'Would change src/duration.ts');
  const batch = conversation.getByRole('region', { name: /^Batch \d+, concurrent, 4 reads$/ });
  await expect(batch.getByText('ran early').filter({ visible: true })).toHaveCount(4);
  const bars = await batch.getByRole('list', { name: 'Overlap in time' }).getByRole('listitem').allTextContents();
  expect(bars.map((bar) => /^(read_file|grep_files) .+: \d+ to \d+ ms$/.test(bar))).toEqual([true, true, true, true]);
  await expect(approval).toHaveAccessibleName('Approval: Change src/duration.ts');
  const diff = approval.getByRole('group', { name: 'Changes in src/duration.ts' });
  await expect(diff).toContainText('removed: const minutes = Math.round(totalMinutes % 60);');
  await expect(diff).toContainText('added: const rounded = Math.round(totalMinutes);');
  await expect(page).toHaveTitle(/^Waiting for you/);
  await expect(approval).toContainText('Mode ask asks before files change.');
  await workbench.allowOnce.click();

  // The commands.
  await allow(workbench, 'npm test');
  await expect(page).not.toHaveTitle(/^Waiting for you/);
  await allow(workbench, 'npm run report');
  await turnEnded(workbench, 1);
  await expect(approval).toHaveCount(0);
  await expect(conversation.getByText('slowed down for a whale and her calf').last()).toBeVisible();
  await expect(call(workbench, 'exec_shell', 'npm test')).toContainText('done');
  await expect(conversation.getByText(/^all \d+ KB kept aside$/)).toBeVisible();
  await expect(call(workbench, 'retrieve_tool_result')).toContainText('done');
  await expect(openFiles.getByRole('button', { name: 'duration.ts (agent’s edit)', exact: true })).toBeVisible();
  await expect(workbench.files.getByRole('treeitem', { name: 'src' })).toBeVisible();

  // From streaming to done, no row was ever without the arguments it had shown.
  expect(await watched()).toEqual({ rows: 12, lost: [] });

  // The log and the transcript.
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(callsAndOutcomes(events)).toEqual([
    'update_plan ok',
    'list_dir ok',
    'read_file ok',
    'read_file ok',
    'read_file ok',
    'grep_files ok',
    'edit_file ok',
    'exec_shell ok',
    'update_plan ok',
    'exec_shell ok',
    'retrieve_tool_result ok',
    'update_plan ok',
  ]);
  expect(eventsOf(events, 'approval-end').map(({ outcome }) => outcome)).toEqual(Array(3).fill({ kind: 'answered', choice: 'once' }));
  expect(transcriptOf(events).map((message) => message.role)).toEqual(['user', ...Array(7).fill(['assistant', 'tool']).flat(), 'assistant']);

  // The spill: whole, under the id that the transcript names, and the answer was looked up there.
  const [cut] = eventsOf(events, 'result-cut');
  const spills = (await storedRecords(page, 'spill-entries')) as readonly { ref: string; bytes: number }[];
  expect(spills).toEqual([expect.objectContaining({ ref: cut?.ref, bytes: cut?.totalBytes, tool: 'exec_shell' })]);
  const [text] = (await storedRecords(page, 'spill-texts')) as readonly string[];
  expect(text).toContain('slowed down for a whale and her calf');
  const report = transcriptOf(events).flatMap((message) =>
    message.role === 'tool' ? message.results.filter((result) => result.content.includes(cut?.ref ?? '?')) : [],
  );
  expect(report[0]?.content).not.toContain('whale');

  // The person looks for themselves.
  await typeInShell(workbench, 'npm test; echo "code $?"');
  await shellShows(workbench, 'code 0');
  await shellShows(workbench, 'fail 0');
  await typeInShell(workbench, 'clear; cat src/duration.ts | head -8');
  await shellShows(workbench, 'const rounded = Math.round(totalMinutes);');
});
