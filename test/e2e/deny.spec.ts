import { expect, test } from '@playwright/test';
import { connect, serveModel } from './model-server';
import { callsAndOutcomes, eventsOf, faultsOf, storedEvents, transcriptOf } from './stored';
import { allow, call, openWorkbench, prompted, send, shellShows, turnEnded, typeInShell } from './workbench';

test('an edit that is denied with words leaves the file as it was, and the model takes the words up', async ({ page }) => {
  const workbench = await openWorkbench(page);
  const { approval, conversation } = workbench;
  await workbench.startTask.click();
  await prompted(workbench, 'Would change src/duration.ts');
  await approval.getByRole('button', { name: 'Deny with words…' }).click();
  await approval.getByRole('textbox', { name: 'Words to the model' }).fill('Explain it to me first.');
  await approval.getByRole('button', { name: 'Deny with these words' }).click();
  await turnEnded(workbench, 1);
  await expect(conversation.getByText('You said no to the edit: “Explain it to me first.”')).toBeVisible();
  await expect(call(workbench, 'edit_file')).toContainText('denied');

  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  const edit = eventsOf(events, 'approval-start')[0]?.request.callId;
  expect(eventsOf(events, 'approval-end').map((event) => event.outcome)).toEqual([{ kind: 'answered', choice: 'deny', words: 'Explain it to me first.' }]);
  expect(eventsOf(events, 'call-start').some((event) => event.callId === edit)).toBe(false);
  const answers = transcriptOf(events).flatMap((message) => (message.role === 'tool' ? message.results.filter((result) => result.callId === edit) : []));
  expect(answers).toEqual([expect.objectContaining({ isError: true, content: expect.stringContaining('They said: Explain it to me first.') })]);
  await typeInShell(workbench, 'sed -n 6,7p src/duration.ts');
  await shellShows(workbench, /const hours = Math\.floor\(totalMinutes \/ 60\);\s+const minutes = Math\.round\(totalMinutes % 60\);/);

  // The other way round in the next turn: it asks again, and a yes is a yes.
  await send(workbench, 'continue');
  await allow(workbench, 'Would change src/duration.ts');
  await prompted(workbench, 'npm test');
  await workbench.deny.click();
  await turnEnded(workbench, 2);
  await expect(conversation.getByText('I could not verify it').last()).toBeVisible();
  expect(callsAndOutcomes(await storedEvents(page)).slice(-2)).toEqual(['edit_file ok', 'exec_shell denied']);
});

test('plan mode denies an edit without asking, and says so to the model', async ({ page }) => {
  const workbench = await openWorkbench(page);
  // The switch shows the mode once the engine has it.
  const plan = page.getByRole('radio', { name: 'Plan', exact: true });
  await plan.click();
  await expect(plan).toBeChecked();
  await workbench.startTask.click();
  await turnEnded(workbench, 1);
  await expect(call(workbench, 'edit_file')).toContainText('denied');
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(eventsOf(events, 'approval-start')).toEqual([]);
  const settled = eventsOf(events, 'call-settled').filter((event) => event.outcome.status === 'denied');
  expect(settled.map((event) => [event.outcome.started, event.outcome.content.includes('plan mode')])).toEqual([[false, true]]);
});

test('a denial and a grant are remembered for the identical call, and for no other', async ({ page }) => {
  const server = await serveModel();
  try {
    const workbench = await openWorkbench(page);
    const { approval } = workbench;
    await connect(workbench, server);
    const run = (code: string) => ({ calls: [{ name: 'exec_shell', input: { command: `node -e "${code}"` } }] });
    server.answer(run('console.log(1)'), run('console.log(1)'), run('console.log(2)'), run('console.log(2)'), run('console.log(2) // again'), {
      text: 'That was all.',
    });
    await send(workbench, 'Run what you like.');

    // Denied, then sent again: no prompt for the same call.
    await prompted(workbench, 'console.log(1)');
    await workbench.deny.click();
    // Granted for the session, then sent again: no prompt either. The next one differs by a comment only, and asks.
    await prompted(workbench, 'console.log(2)');
    await expect(approval).toContainText('For this session: exactly this call, with exactly these arguments');
    await approval.getByRole('button', { name: 'Allow for this session' }).click();
    await prompted(workbench, 'console.log(2) // again');
    await workbench.allowOnce.click();
    await turnEnded(workbench, 1);

    const events = await storedEvents(page);
    expect(faultsOf(events)).toEqual([]);
    expect(eventsOf(events, 'approval-start').map((event) => event.request.subject)).toEqual(
      ['console.log(1)', 'console.log(2)', 'console.log(2) // again'].map((code) => `node -e "${code}"`),
    );
    expect(callsAndOutcomes(events)).toEqual(['exec_shell denied', 'exec_shell denied', 'exec_shell ok', 'exec_shell ok', 'exec_shell ok']);
    await expect(call(workbench, 'exec_shell', 'node -e "console.log(1)"')).toHaveCount(2);
    await call(workbench, 'exec_shell', 'node -e "console.log(1)"').last().click();
    await expect(workbench.conversation.getByText('You denied exactly this call in this session.', { exact: true })).toBeVisible();
  } finally {
    await server.close();
  }
});

test('what was written on a card is not lost by the wrong button: changed arguments run as changed, words go with the no', async ({ page }) => {
  const server = await serveModel();
  try {
    const workbench = await openWorkbench(page);
    const { approval, allowOnce, deny } = workbench;
    await connect(workbench, server);
    const run = (code: string) => ({ calls: [{ name: 'exec_shell', input: { command: `node -e "${code}"` } }] });
    server.answer(run('console.log(1)'), run('console.log(3)'), { text: 'That was all.' });
    await send(workbench, 'Run what you like.');

    await prompted(workbench, 'console.log(1)');
    const edit = approval.getByRole('button', { name: 'Edit…' });
    await edit.click();
    const field = approval.getByRole('textbox', { name: 'The command, to edit' });
    await field.fill('node -e "console.log(2)"');
    for (const button of [allowOnce, approval.getByRole('button', { name: 'Allow for this session' })]) await expect(button).toBeDisabled();
    await field.fill('node -e "console.log(1)"');
    await expect(allowOnce).toBeEnabled();
    await field.fill('node -e "console.log(4)"');
    await edit.click();
    await expect(allowOnce).toBeEnabled();
    await edit.click();
    await field.fill('node -e "console.log(2)"');
    await approval.getByRole('button', { name: 'Allow once as edited' }).click();

    await prompted(workbench, 'console.log(3)');
    await expect(call(workbench, 'exec_shell', 'node -e "console.log(2)"')).toBeVisible();
    await expect(workbench.conversation.getByText('you edited its arguments')).toBeVisible();
    await approval.getByRole('button', { name: 'Deny with words…' }).click();
    await approval.getByRole('textbox', { name: 'Words to the model' }).fill('Two is enough.');
    await deny.click();
    await turnEnded(workbench, 1);

    const events = await storedEvents(page);
    expect(faultsOf(events)).toEqual([]);
    expect(callsAndOutcomes(events)).toEqual(['exec_shell ok', 'exec_shell denied']);
    const results = transcriptOf(events).flatMap((message) => (message.role === 'tool' ? message.results.map((result) => result.content) : []));
    expect(results).toEqual([expect.stringMatching(/(^|\n)2(\n|$)/), expect.stringContaining('They said: Two is enough.')]);
  } finally {
    await server.close();
  }
});
