import { expect, type Page, test } from '@playwright/test';
import { fillConnection, type ModelServer, serveModel } from './model-server';
import { callsAndOutcomes, faultsOf, storedEvents, storedRecords } from './stored';
import { allow, openWorkbench, send, turnEnded } from './workbench';

const key = 'sk-e2e-4f7c1b9d2a6e8035';

const modelTest = test.extend<{ server: ModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
  server: async ({}, use) => {
    const server = await serveModel();
    await use(server);
    await server.close();
  },
});

const stores = ['spill-entries', 'spill-texts', 'sessions', 'events', 'workspaces', 'files'];

/** Where in this browser a text is kept or shown; an empty list when nowhere. */
async function placesOf(page: Page, text: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (const store of stores) if (JSON.stringify(await storedRecords(page, store)).includes(text)) places.push(store);
  const seen = await page.evaluate((wanted) => {
    const kept = {
      localStorage: JSON.stringify(localStorage),
      sessionStorage: JSON.stringify(sessionStorage),
      cookies: document.cookie,
      page: document.documentElement.outerHTML,
    };
    return Object.entries(kept).flatMap(([name, held]) => (held.includes(wanted) ? [name] : []));
  }, text);
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  return [...places, ...seen, ...databases.filter((name) => name !== 'gatehouse').map((name) => `database ${name}`)];
}

modelTest('a model is tested before it is used, and every fault is told in plain words that never hold the key', async ({ page, server }) => {
  const workbench = await openWorkbench(page);
  await fillConnection(workbench, server.baseUrl, key);
  const dialog = page.getByRole('dialog', { name: 'Connect a model' });
  const status = dialog.getByRole('status');
  const testIt = (): Promise<void> => dialog.getByRole('button', { name: 'Test' }).click();
  const says = async (words: RegExp): Promise<void> => {
    await expect(status).toHaveText(words, { timeout: 60_000 });
    await expect(status).not.toContainText(key.slice(-8));
  };

  server.answer((response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } })),
  );
  await testIt();
  await says(/does not accept the key \(401\)\..*Check the key/);

  server.answer((response) =>
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `There is no stand-in here (asked with ${key})` } })),
  );
  await testIt();
  await says(/does not know the model "stand-in", or has nothing at this address \(404\).*There is no stand-in here/);

  server.answer((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hello</title>'));
  await testIt();
  await says(/answered with a web page, not with a model's stream.*\/v1 is missing/);

  server.answer({ text: 'Ready.' });
  await testIt();
  await says(/^It works\. The model answered: “Ready\.”$/);
  expect(server.requests.map((request) => request.authorization)).toEqual(Array(4).fill(`Bearer ${key}`));

  await server.close();
  await testIt();
  await says(/cannot be reached\..*CORS/);
  expect(await placesOf(page, 'gatehouse-nothing')).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await placesOf(page, key)).toEqual([]);
});

modelTest('a connected model plays a turn with a call; its key is in no store, no event, no page, and is gone after a reload', async ({ page, server }) => {
  const workbench = await openWorkbench(page);
  await fillConnection(workbench, server.baseUrl, key);
  await page.getByRole('button', { name: 'Use this model' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(server.requests).toEqual([]);
  server.answer(
    { text: 'I look first. ', calls: [{ name: 'read_file', input: { path: 'package.json' } }] },
    { calls: [{ name: 'exec_shell', input: { command: 'env; cat package.json | head -3' } }] },
    { text: 'It is the **ferry-log**.' },
  );
  await send(workbench, 'What is this?');
  await allow(workbench, 'env; cat package.json');
  await turnEnded(workbench, 1);
  await expect(workbench.conversation.getByText('It is the ferry-log.')).toBeVisible();
  const events = await storedEvents(page);
  expect(faultsOf(events)).toEqual([]);
  expect(callsAndOutcomes(events)).toEqual(['read_file ok', 'exec_shell ok']);
  const [first, second] = server.requests.map(
    (request) => JSON.parse(request.body) as { model: string; tools: { function: { name: string } }[]; messages: { role: string; content: string }[] },
  );
  expect(first?.model).toBe('stand-in');
  const offered = first?.tools.map((tool) => tool.function.name) ?? [];
  expect(offered).toEqual(offered.toSorted());
  expect(offered).toEqual(expect.arrayContaining(['edit_file', 'exec_shell', 'grep_files', 'list_dir', 'read_file', 'retrieve_tool_result', 'update_plan']));
  expect(second?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(second?.messages.at(-1)?.content).toContain('"name": "ferry-log"');
  expect(server.requests.map((request) => request.authorization)).toEqual(Array(3).fill(`Bearer ${key}`));
  expect(await placesOf(page, key)).toEqual([]);

  await page.reload();
  await expect(page.getByRole('button', { name: /^Model: Practice/ })).toBeVisible({ timeout: 60_000 });
  expect(await placesOf(page, key)).toEqual([]);
});

modelTest('a turn that meets a fault of the model ends with the reason where it was asked, and the next one works', async ({ page, server }) => {
  const workbench = await openWorkbench(page);
  await fillConnection(workbench, server.baseUrl, key);
  await page.getByRole('button', { name: 'Use this model' }).click();
  server.answer((response) => response.writeHead(401).end('{}'));
  await send(workbench, 'Hello?');
  await turnEnded(workbench, 1, /^The turn failed/);
  await expect(workbench.conversation.getByText(/does not accept the key \(401\)/)).toBeVisible();
  server.answer({ text: 'Hello yourself.' });
  await send(workbench, 'Hello again?');
  await turnEnded(workbench, 2);
  await expect(workbench.conversation.getByText('Hello yourself.')).toBeVisible();
  expect(faultsOf(await storedEvents(page))).toEqual([]);
});
