import { expect, type Page, test } from '@playwright/test';
import { eventsOf, faultsOf, storedEvents } from './stored';
import { ready, send, setPace, shellShows, typeInShell, type Workbench, workbenchOf } from './workbench';

/** The same numbers for the same seed: the points at which a tab dies are always the same. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function open(page: Page): Promise<Workbench> {
  await page.goto('/');
  const workbench = workbenchOf(page);
  await ready(workbench);
  return workbench;
}

/** Does what a person would do next: answers the prompt that is open, or sends the agent on. Out: true when the goal is reached. */
async function act(workbench: Workbench): Promise<boolean> {
  const { page, conversation, approval, allowOnce, stop, message } = workbench;
  if (await approval.isVisible()) {
    await allowOnce.click({ timeout: 5_000 }).catch(() => undefined);
    return false;
  }
  if ((await stop.count()) > 0 || !(await message.isVisible())) return false;
  if (await workbench.startTask.isVisible()) await workbench.startTask.click({ timeout: 5_000 }).catch(() => undefined);
  else if ((await conversation.getByText('slowed down for a whale').count()) > 0) return true;
  else if ((await page.getByRole('button', { name: 'Send' }).count()) > 0) await send(workbench, 'continue').catch(() => undefined);
  return false;
}

for (const play of [1, 2, 3, 4, 5]) {
  test(`play ${play} of the task with a tab that dies at four seeded points: nothing committed is lost, nothing runs twice, the goal is reached`, async ({
    context,
  }) => {
    test.setTimeout(300_000);
    const random = numbers(play * 7919);
    let page = await context.newPage();
    let workbench = await open(page);
    let before: readonly unknown[] = [];
    for (let kill = 0; kill < 4; kill++) {
      const until = Date.now() + 400 + random() * 6_000;
      while (Date.now() < until) {
        await act(workbench);
        await page.waitForTimeout(100);
      }
      await page.close({ runBeforeUnload: false });
      page = await context.newPage();
      // After the last of them nothing has to be caught in the middle any more.
      if (kill === 3) await setPace(page, 'instant');
      workbench = await open(page);
      const stored = await storedEvents(page);
      expect(stored.slice(0, before.length)).toEqual(before);
      before = stored;
    }
    await expect(async () => {
      expect(await act(workbench)).toBe(true);
    }).toPass({ intervals: [250], timeout: 180_000 });
    const events = await storedEvents(page);
    expect(faultsOf(events)).toEqual([]);
    expect(eventsOf(events, 'call-settled').filter((event) => event.outcome.status === 'ok' && (event.outcome.changes ?? []).length > 0)).toHaveLength(1);
    await typeInShell(workbench, 'npm test > /dev/null 2>&1; echo "code $?"');
    await shellShows(workbench, 'code 0');
  });
}
