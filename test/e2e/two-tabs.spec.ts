import { expect, test } from '@playwright/test';
import { eventsOf, faultsOf, storedEvents } from './stored';
import { allow, call, openWorkbench, prompted, ready, send, setPace, turnEnded, workbenchOf } from './workbench';

test('two tabs at one session: the second follows and answers prompts, takes over in the middle of a turn, and goes on to the goal', async ({ context }) => {
  const first = await openWorkbench(await context.newPage());
  await first.startTask.click();
  await prompted(first, 'Would change src/duration.ts');

  // It sees what was said before it came, and its answer counts.
  const second = workbenchOf(await context.newPage());
  await setPace(second.page, 'instant');
  await second.page.goto('/');
  const takeOver = second.page.getByRole('button', { name: 'Take over here' });
  await expect(takeOver).toBeVisible({ timeout: 60_000 });
  await expect(second.conversation.getByText('rounding is where such code slips')).toBeVisible();
  await allow(second, 'Would change src/duration.ts');
  await expect(call(first, 'edit_file')).toContainText('done');
  await prompted(first, 'npm test');
  await prompted(second, 'npm test');

  // Taken over while a prompt waits: it is asked again in the tab that writes now, and answered there once.
  await takeOver.click();
  await expect(takeOver).toHaveCount(0);
  await ready(second);
  await expect(first.page.getByRole('button', { name: 'Take over here' })).toBeVisible();
  if ((await second.approval.count()) === 0) await send(second, 'continue');
  await allow(second, /npm (run )?test/);
  await allow(second, 'npm run report');
  await expect(second.conversation.getByText('slowed down for a whale').last()).toBeVisible({ timeout: 90_000 });
  await expect(first.conversation.getByText('slowed down for a whale').last()).toBeVisible();
  await expect(second.stop).toHaveCount(0);

  // And back.
  await first.page.getByRole('button', { name: 'Take over here' }).click();
  await expect(takeOver).toBeVisible();
  const turns = eventsOf(await storedEvents(first.page), 'turn-start').length;
  await send(first, 'Thank you.');
  await turnEnded(first, turns + 1);
  const events = await storedEvents(first.page);
  expect(faultsOf(events)).toEqual([]);
  expect(eventsOf(events, 'call-settled').filter(({ outcome }) => outcome.status === 'ok' && (outcome.changes ?? []).length > 0)).toHaveLength(1);
});
