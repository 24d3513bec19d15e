import { expect, type Page, test } from '@playwright/test';
import { connect, serveModel } from './model-server';
import { callsAndOutcomes, eventsOf, faultsOf, storedEvents, transcriptOf } from './stored';
import { allow, call, openWorkbench, prompted, ready, send, shellShows, turnEnded, typeInShell } from './workbench';

test('a reload between turns brings back the conversation, the files and the list of sessions', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await workbench.startTask.click();
  await allow(workbench, 'Would change src/duration.ts');
  await prompted(workbench, 'npm test');
  await workbench.deny.click();
  await turnEnded(workbench, 1);
  await typeInShell(workbench, 'mkdir -p notes/empty && echo mine > notes/today.txt && ls notes');
  await shellShows(workbench, 'today.txt');
  await sessions.getByRole('button', { name: 'New session' }).click();
  await expect(workbench.conversation.getByText('You: ')).toHaveCount(0);
  await sessions.getByRole('button', { name: 'Fix the failing test', exact: true }).click();
  await expect(call(workbench, 'edit_file')).toContainText('done');
  const before = { events: await storedEvents(page), text: await workbench.conversation.textContent(), sessions: await sessions.textContent() };

  await page.reload();
  await ready(workbench);
  await expect(call(workbench, 'exec_shell', 'npm test')).toContainText('denied');
  expect(await workbench.conversation.textContent()).toBe(before.text);
  expect(await sessions.textContent()).toBe(before.sessions);
  // Opening changes nothing.
  expect(await storedEvents(page)).toEqual(before.events);
  await typeInShell(workbench, 'cat notes/today.txt; ls notes; npm test > /dev/null 2>&1; echo "code $?"');
  await shellShows(workbench, /mine\s+empty\s+today\.txt\s+code 0/);
  await workbench.files.getByRole('treeitem', { name: 'notes' }).click();
  await expect(workbench.files.getByRole('treeitem', { name: 'today.txt' })).toBeVisible();

  // The answer of before the reload still counts: the script asks with other words, the person allows.
  await send(workbench, 'continue');
  await allow(workbench, 'npm run test');
  await prompted(workbench, 'npm run report');
  expect(faultsOf((await storedEvents(page)).slice(0, before.events.length))).toEqual([]);
});

test('a reload while a prompt is open asks again for the same call, which has not run, and the turn goes on in its place', async ({ page }) => {
  const workbench = await openWorkbench(page);
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');

  await page.reload();
  await ready(workbench);
  await prompted(workbench, 'Would change src/duration.ts');
  const events = await storedEvents(page);
  const asked = eventsOf(events, 'approval-start').map((event) => event.request.callId);
  expect(asked).toEqual([asked[0], asked[0]]);
  expect(eventsOf(events, 'approval-end').map((event) => event.outcome)).toEqual([{ kind: 'cancelled' }]);
  expect(eventsOf(events, 'call-start').filter((event) => event.callId === asked[0])).toEqual([]);
  await typeInShell(workbench, 'grep -c "Math.round(totalMinutes % 60)" src/duration.ts');
  await shellShows(workbench, /duration\.ts\s+1\s/);

  await allow(workbench, 'Would change src/duration.ts');
  await prompted(workbench, 'npm test');
  await workbench.deny.click();
  await turnEnded(workbench, 1);
  const after = await storedEvents(page);
  expect(faultsOf(after)).toEqual([]);
  expect(callsAndOutcomes(after).filter((line) => line.startsWith('edit_file'))).toEqual(['edit_file ok']);
  expect(eventsOf(after, 'turn-start')).toHaveLength(1);
});

test('a reload while a command runs tells that its effect is unknown; it is not run again, and the next turn works', async ({ page }) => {
  const server = await serveModel();
  try {
    const workbench = await openWorkbench(page);
    await connect(workbench, server);
    server.answer({ calls: [{ name: 'exec_shell', input: { command: 'echo begun >> mark.txt; sleep 100; echo ended >> mark.txt' } }] });
    await send(workbench, 'Run it.');
    await allow(workbench, 'echo begun');
    await expect(page.getByRole('tab', { name: 'Agent' })).toContainText('running');
    await expect(workbench.files.getByRole('treeitem', { name: 'mark.txt' })).toBeVisible();
    await storedFile(page, 'mark.txt');

    await page.reload();
    await ready(workbench);
    await expect(call(workbench, 'exec_shell', 'echo begun')).toContainText('cancelled');
    const events = await storedEvents(page);
    expect(faultsOf(events)).toEqual([]);
    expect(transcriptOf(events).map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(eventsOf(events, 'result-push').map((event) => event.content)).toEqual([
      'Cancelled (the tab closed): it had been started, its effect is unknown, check before repeating',
    ]);
    await typeInShell(workbench, 'cat mark.txt; echo "that was all"');
    await shellShows(workbench, /begun\s+that was all/);

    // The key was in memory only, so the model is connected anew.
    await expect(page.getByRole('button', { name: /^Model: Practice/ })).toBeVisible();
    await connect(workbench, server);
    server.answer({ text: 'I look before I repeat.' });
    await send(workbench, 'What happened?');
    await turnEnded(workbench, 2);
    await expect(workbench.conversation.getByText('I look before I repeat.')).toBeVisible();
    const sent = JSON.parse(server.requests.at(-1)?.body ?? '{}') as { messages: { role: string; content: string }[] };
    expect(sent.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(faultsOf(await storedEvents(page))).toEqual([]);
  } finally {
    await server.close();
  }
});

/** Waits until a file of a workspace is durable. */
async function storedFile(page: Page, path: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        (wanted) =>
          new Promise<boolean>((resolve) => {
            const opening = indexedDB.open('gatehouse');
            opening.onsuccess = () => {
              const request = opening.result.transaction('files').objectStore('files').getAllKeys();
              request.onsuccess = () => {
                opening.result.close();
                resolve((request.result as [string, string][]).some(([, name]) => name === wanted));
              };
            };
          }),
        path,
      ),
    )
    .toBe(true);
}
