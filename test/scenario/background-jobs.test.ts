import { expect, test } from 'vitest';
import { retrieveToolResult } from '@/lib/tools/results/retrieve-tool-result';
import { execShell } from '@/lib/tools/shell/exec-shell';
import { execShellCancel } from '@/lib/tools/shell/exec-shell-cancel';
import { execShellInteract } from '@/lib/tools/shell/exec-shell-interact';
import { execShellWait } from '@/lib/tools/shell/exec-shell-wait';
import { allowAll } from '@/test/support/allow-all';
import { createEngineWorld, type EngineWorld, type TestCall } from '@/test/support/engine-world';
import { createScriptedPrograms } from '@/test/support/scripted-programs';

const tools = [execShell, execShellWait, execShellInteract, execShellCancel, retrieveToolResult];

/** A session whose model sends these calls, one step after the other; every prompt is allowed. */
async function session(steps: readonly (readonly TestCall[])[]) {
  const { runtime, programs } = createScriptedPrograms();
  let next = 0;
  const world = await createEngineWorld({ tools, runtime, model: () => (next < steps.length ? { calls: steps[next++] as TestCall[] } : { text: 'done' }) });
  allowAll(world.engine);
  return { world, programs };
}

const start: TestCall = { name: 'exec_shell', input: { command: 'npm start', background: true } };
const wait = (timeout_ms: number): TestCall => ({ name: 'exec_shell_wait', input: { task_id: 'task_1', timeout_ms } });
const results = (world: EngineWorld) => world.of('result-push').map((event) => event.content);
const spills = async (world: EngineWorld) => (await world.stores.spills.list()).length;

test('a background command comes back at once, and a look shows what is new and no more', async () => {
  const { world, programs } = await session([[start], [wait(5_000)], [wait(5_000)], [wait(60_000)]]);
  await world.send('go');
  expect(results(world)).toEqual([
    'Started task_1. exec_shell_wait task_id=task_1 shows what it writes and how it ends, exec_shell_interact writes to it, exec_shell_cancel ends it.',
  ]);
  programs[0]?.write('listening\n');
  await world.clock.advance(5_000);
  expect(results(world)[1]).toBe('listening\n[task_1 is running for 5 seconds; 10 bytes written in all.]');
  programs[0]?.write('GET /\n');
  await world.clock.advance(5_000);
  expect(results(world)[2]).toBe('GET /\n[task_1 is running for 10 seconds; 16 bytes written in all.]');
  await world.clock.advance(1_000);
  programs[0]?.write('bye');
  programs[0]?.end(3);
  await world.clock.settle();
  expect(results(world)[3]).toBe('bye\n[task_1 has ended after 11 seconds: exit code 3; 19 bytes written in all.]');
  expect(world.of('call-settled').at(-1)?.outcome).toMatchObject({
    status: 'failed',
    error: 'execution-failed',
    metadata: { taskId: 'task_1', status: 'failed', exitCode: 3 },
  });
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['yielded']);
});

test('what it writes is shown live under the call that started it, also between turns', async () => {
  const { world, programs } = await session([[start]]);
  await world.send('go');
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['yielded']);
  programs[0]?.write('still here\n');
  programs[0]?.end(0);
  await world.clock.settle();
  const [call] = world.of('job-start');
  expect(world.of('call-output').map(({ callId, text }) => ({ callId, text }))).toEqual([{ callId: call?.callId, text: 'still here\n' }]);
  expect(world.of('job-end').map(({ taskId, status, exitCode }) => ({ taskId, status, exitCode }))).toEqual([
    { taskId: 'task_1', status: 'completed', exitCode: 0 },
  ]);
  const stored = await world.stores.sessions.events(world.sessionId);
  expect(stored.events.at(-1)?.type).toBe('job-end');
});

test('stopping the turn ends a wait, not the command; closing the session ends the command', async () => {
  const { world, programs } = await session([[start], [wait(600_000)]]);
  await world.send('go');
  await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
  await world.clock.settle();
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['stopped']);
  expect(world.of('job-end')).toEqual([]);
  programs[0]?.write('unseen\n');
  await world.engine.command({ type: 'session-remove', sessionId: world.sessionId });
  expect(world.of('job-end').map(({ status, exitCode }) => ({ status, exitCode }))).toEqual([{ status: 'killed', exitCode: 130 }]);
});

test('twenty looks at a running command store nothing; the look that sees its end stores all of it, once', async () => {
  const looks = Array.from({ length: 20 }, () => [wait(1_000)]);
  const { world, programs } = await session([[start], ...looks, [wait(60_000)], [wait(0)]]);
  await world.send('go');
  for (let n = 0; n < 20; n++) {
    programs[0]?.write(`${String(n).padStart(2, '0')}${'x'.repeat(2_497)}\n`);
    await world.clock.advance(1_000);
    expect(await spills(world)).toBe(0);
  }
  programs[0]?.write('end\n');
  programs[0]?.end(0);
  await world.clock.settle();
  expect(await spills(world)).toBe(1);
  const [record] = await world.stores.spills.list();
  expect(record).toMatchObject({ tool: 'exec_shell_wait', bytes: 20 * 2_500 + 4 });
  expect(results(world).slice(-2)).toEqual([
    `end\n[task_1 has ended after 20 seconds: exit code 0; 48.8 KB written in all.]\nFull output saved; call retrieve_tool_result ref=${record?.ref} to view it.`,
    `[task_1 has ended after 20 seconds: exit code 0, nothing new; 48.8 KB written in all. Full output saved; call retrieve_tool_result ref=${record?.ref} to view it.]`,
  ]);
});

test('a look at a running command that shows too much is cut and promises nothing', async () => {
  const { world, programs } = await session([[start], [wait(1_000)]]);
  await world.send('go');
  programs[0]?.write('y'.repeat(40_000));
  await world.clock.advance(1_000);
  expect(results(world)[1]).toContain('[Not stored yet: task_1 still runs; its output is stored when a look sees its end.]');
  expect(results(world)[1]).not.toContain('ref=');
  expect(await spills(world)).toBe(0);
});

test('input is written and closed, and the answer comes back with it', async () => {
  const answer: TestCall = { name: 'exec_shell_interact', input: { task_id: 'task_1', input: 'yes\n', close_stdin: true } };
  const { world, programs } = await session([[start], [answer], [answer]]);
  await world.send('go');
  expect([programs[0]?.input, programs[0]?.inputClosed()]).toEqual([['yes\n'], true]);
  programs[0]?.write('thank you\n');
  await world.clock.settle();
  expect(results(world).slice(1)).toEqual([
    'thank you\n[task_1 is running for 0 seconds; 10 bytes written in all.]',
    'The input of task_1 is closed already, so it reads nothing any more.',
  ]);
  expect(world.of('approval-start').map((event) => event.request.title)).toEqual([
    'Run a command in the shell',
    'Write to a running command',
    'Write to a running command',
  ]);
});

test('a cancelled command says so; its own timeout stops one that was given one', async () => {
  const limited: TestCall = { name: 'exec_shell', input: { command: 'sleep 60', background: true, timeout_ms: 3_000 } };
  const { world } = await session([
    [start, limited],
    [{ name: 'exec_shell_wait', input: { task_id: 'task_2', timeout_ms: 10_000 } }],
    [{ name: 'exec_shell_cancel', input: { all: true } }],
    [{ name: 'exec_shell_cancel', input: { task_id: 'task_9' } }],
  ]);
  await world.send('go');
  await world.clock.advance(10_000);
  expect(results(world).slice(2)).toEqual([
    '[task_2 was stopped by its timeout after 3 seconds, nothing new; 0 bytes written in all.]',
    '[task_1 was cancelled after 3 seconds, nothing new; 0 bytes written in all.]',
    'There is no task "task_9" here. The tasks are: task_1, task_2. Start a command with exec_shell and background=true.',
  ]);
  expect(world.of('job-end').map(({ taskId, status }) => [taskId, status])).toEqual([
    ['task_2', 'timed-out'],
    ['task_1', 'killed'],
  ]);
});

test('equal looks at a silent command are told apart by the time that passed, and are no loop', async () => {
  const { world } = await session([[start], ...Array.from({ length: 6 }, () => [wait(2_000)])]);
  await world.send('go');
  await world.clock.advance(20_000);
  expect(results(world).slice(1)).toEqual(
    [2, 4, 6, 8, 10, 12].map((seconds) => `[task_1 is running for ${seconds} seconds, nothing new; 0 bytes written in all.]`),
  );
});

test('reopened, a session says which commands the closed tab ended, and gives no id twice', async () => {
  const { world, programs } = await session([[start]]);
  await world.send('go');
  expect(programs.length).toBe(1);
  const { runtime } = createScriptedPrograms();
  let step = 0;
  const again = await createEngineWorld({
    tools,
    runtime,
    stores: world.stores,
    clock: world.clock,
    mode: 'auto',
    model: () => (step++ === 0 ? { calls: [wait(0)] } : { text: 'done' }),
  });
  const opened = await again.engine.command({ type: 'session-open', sessionId: world.sessionId });
  expect(
    opened.ok && opened.value.events.filter((event) => event.type === 'job-end').map((event) => event.type === 'job-end' && [event.taskId, event.status]),
  ).toEqual([['task_1', 'killed']]);
  await again.engine.command({ type: 'turn-send', sessionId: world.sessionId, text: 'look' });
  await again.clock.settle();
  const pushed = again.events.filter((event) => event.type === 'result-push').map((event) => event.type === 'result-push' && event.content);
  expect(pushed).toEqual([
    'There is no task "task_1" here. No task was started since this page was opened; tasks end when it is closed. Start a command with exec_shell and background=true.',
  ]);
});
