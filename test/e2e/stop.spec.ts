import { expect, test } from '@playwright/test';
import { connect, serveModel } from './model-server';
import { callsAndOutcomes, eventsOf, faultsOf, storedEvents } from './stored';
import { allow, call, openWorkbench, prompted, send, shellShows, turnEnded, typeInShell, type Workbench } from './workbench';

const stopped = /^Stopped/;

async function playToTheEnd(workbench: Workbench, from: 'edit' | 'test' | 'report'): Promise<void> {
  const prompts = { edit: 'Would change src/duration.ts', test: 'npm test', report: 'npm run report' };
  const order = ['edit', 'test', 'report'] as const;
  for (const name of order.slice(order.indexOf(from))) await allow(workbench, prompts[name]);
}

test('Esc in the middle of a stream ends the turn at once; what was said stays, and “continue” goes on to the goal', async ({ page }) => {
  const workbench = await openWorkbench(page, 'model');
  await workbench.startTask.click();
  // The reads are being streamed: at least one of them is complete, the turn is not.
  await expect(call(workbench, 'read_file', 'package.json')).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('Escape');
  await turnEnded(workbench, 1, stopped);
  await expect(workbench.conversation.getByText('rounding is where such code slips')).toBeVisible();
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(eventsOf(events, 'turn-end').map((event) => event.end)).toEqual(['stopped']);

  await send(workbench, 'continue');
  await playToTheEnd(workbench, 'edit');
  await turnEnded(workbench, 2);
  const after = await storedEvents(page);
  expect(faultsOf(after)).toEqual([]);
  expect(callsAndOutcomes(after).slice(-3)).toContain('retrieve_tool_result ok');
});

test('Stop while a prompt waits is no denial: the prompt closes, its call is cancelled, the next turn asks again', async ({ page }) => {
  const workbench = await openWorkbench(page);
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  await workbench.approval.getByRole('button', { name: 'Stop the turn' }).click();
  await expect(workbench.approval).toHaveCount(0);
  await turnEnded(workbench, 1, stopped);
  await expect(call(workbench, 'edit_file')).toContainText('cancelled');
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  const settled = eventsOf(events, 'call-settled').at(-1)?.outcome;
  expect({ status: settled?.status, started: settled?.started, words: settled?.content }).toEqual({
    status: 'cancelled',
    started: false,
    words: expect.stringMatching(/^Cancelled \(.+\): it was not started$/),
  });

  await send(workbench, 'continue');
  await prompted(workbench, 'Would change src/duration.ts');
  // The same by the button of the composer.
  await workbench.stop.click();
  await turnEnded(workbench, 2, stopped);
  await expect(workbench.approval).toHaveCount(0);
  expect(faultsOf(await storedEvents(page))).toEqual([]);
});

test('Esc stops a command that runs: it ends at once, its effect is told to be unknown, and nothing of it goes on', async ({ page }) => {
  const server = await serveModel();
  try {
    const workbench = await openWorkbench(page);
    await connect(workbench, server);
    const command = 'echo begun > mark.txt; node -e "setInterval(() => console.log(Date.now()), 50)"; echo ended >> mark.txt';
    server.answer({ calls: [{ name: 'exec_shell', input: { command } }] }, { text: 'I see that it was stopped.' });
    await send(workbench, 'Run it.');
    await allow(workbench, 'echo begun');
    await expect(page.getByRole('tab', { name: 'Agent' })).toContainText('running');
    await expect(page.getByRole('tabpanel', { name: 'Agent' })).toContainText(/\d{13}/, { useInnerText: true });
    await workbench.message.press('Escape');
    await turnEnded(workbench, 1, stopped);
    const settled = eventsOf(await storedEvents(page), 'call-settled').at(-1)?.outcome;
    expect({ status: settled?.status, started: settled?.started, words: settled?.content }).toEqual({
      status: 'cancelled',
      started: true,
      words: expect.stringMatching(/it had been started, its effect is unknown, check before repeating\nIts output until then:\n\d{13}/),
    });
    await typeInShell(workbench, 'cat mark.txt; echo "that was all"');
    await shellShows(workbench, /begun\s+that was all/);

    await send(workbench, 'And now?');
    await turnEnded(workbench, 2);
    await expect(workbench.conversation.getByText('I see that it was stopped.')).toBeVisible();
    expect(faultsOf(await storedEvents(page))).toEqual([]);
    const last = JSON.parse(server.requests.at(-1)?.body ?? '{}') as { messages: { role: string; tool_call_id?: string }[] };
    expect(last.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  } finally {
    await server.close();
  }
});

test('Stop in the middle of npm test, and “continue” runs the tests again and plays on', async ({ page }) => {
  const workbench = await openWorkbench(page);
  // A test that takes long, so that the run is sure to be under way.
  await typeInShell(
    workbench,
    `echo "import { test } from 'node:test'; test('slow', () => new Promise((done) => setTimeout(done, 90000)));" > test/slow.test.ts`,
  );
  await workbench.startTask.click();
  await allow(workbench, 'Would change src/duration.ts');
  await allow(workbench, 'npm test');
  await expect(page.getByRole('tab', { name: 'Agent' })).toContainText('running');
  await workbench.stop.click();
  await turnEnded(workbench, 1, stopped);
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(callsAndOutcomes(events).slice(-2)).toEqual(['edit_file ok', 'exec_shell cancelled']);
  expect(eventsOf(events, 'call-settled').at(-1)?.outcome.started).toBe(true);

  await typeInShell(workbench, 'rm test/slow.test.ts; ls test');
  await shellShows(workbench, /duration\.test\.ts/);
  await send(workbench, 'continue');
  await playToTheEnd(workbench, 'test');
  await turnEnded(workbench, 2);
  const after = await storedEvents(page);
  expect(faultsOf(after)).toEqual([]);
  expect(callsAndOutcomes(after)).toContain('retrieve_tool_result ok');
});
