import { expect, it } from 'vitest';
import { runShell } from '@/lib/engine/run-shell';
import { findTask } from '@/lib/practice/tasks';
import { createWebContainerRuntime } from '@/lib/runtime/webcontainer/create-webcontainer-runtime';
import { systemClock } from '@/lib/shared/system-clock';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';
import { acrossBridge } from '@/test/support/across-bridge';
import { allowAll } from '@/test/support/allow-all';
import { bootWebContainerStandIn } from '@/test/support/webcontainer-stand-in';
import { composeEngine } from '@/workers/compose-engine';

it('a task is done on the runtime of the page, and its files are stored at home', { timeout: 120_000 }, async () => {
  const task = findTask('fix-the-test');
  if (task === undefined) throw new Error('the task is missing');
  const page = createWebContainerRuntime({ instance: await bootWebContainerStandIn(), after: systemClock.after });
  const stores = createMemoryStores();
  const engine = composeEngine({
    stores,
    spawnWorker: await createThreadSpawner(),
    sharedMemory: true,
    clock: systemClock,
    fetch: () => Promise.reject(new Error('nobody is asked')),
    practicePace: 'instant',
    practiceWire: 'openai-chat',
    onProblem: (message) => expect.unreachable(message),
  });
  let end: string | undefined;
  engine.subscribe((events) => {
    for (const event of events) if (event.type === 'turn-end') end = event.end;
  });
  allowAll(engine);
  const created = await engine.command({ type: 'session-create', taskId: task.taskId });
  if (!created.ok) throw new Error(created.message);
  const { sessionId, workspaceId } = created.value.record;
  await engine.offerRuntime(sessionId, acrossBridge(page));
  await engine.command({ type: 'turn-send', sessionId, text: task.prompt });
  await engine.idle(sessionId);

  const { runtime, files, git } = await engine.workspaceOf(sessionId);
  const verdict = await task.check(files, (request) => runShell(runtime, request, AbortSignal.timeout(60_000)), git);
  expect([end, runtime.info.driver, verdict.passed]).toEqual(['yielded', 'webcontainer', true]);
  await runtime.flush();
  const stored = (await stores.workspaces.loadFiles(workspaceId)).files.find((file) => file.path === 'src/duration.ts');
  expect(stored?.bytes).toEqual(await page.fs.readFile('src/duration.ts'));

  await engine.offerRuntime(sessionId, undefined);
  expect(runtime.info.driver).toBe('embedded');
  expect((await task.check(files, (request) => runShell(runtime, request, AbortSignal.timeout(60_000)), git)).passed).toBe(true);
  await runtime.dispose();
  await page.dispose();
});
