import { describe, expect, test } from 'vitest';
import { deferTools } from '@/lib/catalog/defer-tools';
import type { ApprovalAnswer } from '@/lib/contracts/approval';
import type { SessionId, WorkspaceId } from '@/lib/contracts/ids';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { at } from '@/test/support/at';
import { createEngineWorld, type EngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';
import { createJournalStores } from '@/test/support/journal-stores';
import { createVirtualClock } from '@/test/support/virtual-clock';

const ran: string[] = [];
const shell = testTool('exec_shell', ['executes-code'], async (input) => {
  ran.push(String(input['command']));
  return said(`ran ${String(input['command'])}`);
});
const command = (text: string): TestCall => ({ name: 'exec_shell', input: { command: text } });

/** A world whose model asks for these commands, a step each list, and yields after them. */
async function asking(steps: readonly (readonly TestCall[])[], options: Partial<Parameters<typeof createEngineWorld>[0]> = {}): Promise<EngineWorld> {
  ran.length = 0;
  const world = await createEngineWorld({
    tools: [shell],
    model: (_, step) => (step < steps.length ? { calls: at(steps[step]) } : { text: 'done' }),
    ...options,
  });
  await world.send('go');
  return world;
}
const prompt = (world: EngineWorld, index: number) => at(world.of('approval-start')[index]).request;
const answer = async (world: EngineWorld, index: number, given: Omit<ApprovalAnswer, 'approvalId'>) => {
  const { approvalId } = prompt(world, index);
  const told = await world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId, ...given } });
  await world.clock.settle();
  return told.ok ? told.value : told;
};
const results = (world: EngineWorld) => world.of('result-push').map((event) => event.content);

describe('the turn and its prompts', () => {
  test('cl-34: a result that comes after its call was cancelled is logged and starts nothing', async () => {
    const clock = createVirtualClock();
    const slow = testTool('exec_shell', ['executes-code'], async (input) => {
      ran.push(String(input['command']));
      await clock.sleep(5000);
      return said('late');
    });
    const world = await asking([[command('npm test')]], { tools: [slow], clock });
    await answer(world, 0, { choice: 'once' });
    await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
    await clock.settle();
    const before = world.events.length;
    await clock.advance(5000);
    expect(world.events.slice(before).map((event) => event.type)).toEqual(['call-late-result']);
    expect([ran, world.requests.length, results(world)]).toEqual([
      ['npm test'],
      1,
      ['Cancelled (the turn was stopped): it had been started, its effect is unknown, check before repeating'],
    ]);
  });

  test('cl-35: while one call waits for approval the turn does not go on, although another one of the step is deferred', async () => {
    const later = testTool('look_up', ['read-only'], async () => said('found'), { deferLoading: true });
    const taught = testTool('later', ['executes-code'], async () => said('never'), { deferLoading: true });
    for (const calls of [
      [command('npm test'), { name: 'look_up', input: {} }, { name: 'later', input: {} }],
      [{ name: 'later', input: {} }, { name: 'look_up', input: {} }, command('npm test')],
    ]) {
      const world = await asking([calls], { tools: [shell, later, taught], wrap: deferTools });
      await world.clock.advance(3_600_000);
      expect([world.requests.length, world.of('turn-end').length]).toEqual([1, 0]);
      await answer(world, 0, { choice: 'once' });
      const history = at(world.requests[1]).messages.at(-1);
      expect(history?.role === 'tool' && history.results.map(({ name, isError }) => [name, isError])).toEqual(
        calls.map(({ name }) => [name, name === 'later']),
      );
    }
  });

  test('cl-36: an identical call that is blocked names its tool and the earlier result', async () => {
    const world = await asking([[command('ls')], [command('ls')], [command('ls')]]);
    const calls = world.of('plan-end').flatMap((event) => event.calls.map((call) => call.callId));
    expect([ran, results(world)]).toEqual([
      ['ls', 'ls'],
      [
        'ran ls',
        'ran ls',
        `exec_shell was not executed: this is the same call with the same arguments for the third time in this turn. The result of the earlier exec_shell call (${calls[1]}) already answers it. Use that result, change the arguments, or do something else.`,
      ],
    ]);
  });

  test('cl-24: allow all answers the prompts of this turn; one of an earlier turn is gone and its answer does nothing', async () => {
    let step = 0;
    const world = await asking([], { model: () => ({ calls: [command(`npm run job-${step++}`)] }) });
    await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
    await world.clock.settle();
    await world.send('again');
    const all = await world.engine.command({ type: 'approval-answer-all', sessionId: world.sessionId, choice: 'once' });
    await world.clock.settle();
    expect([all, ran, await answer(world, 0, { choice: 'session' })]).toEqual([{ ok: true, value: { counted: 1 } }, ['npm run job-1'], { counted: false }]);
  });

  test('a result that is there goes back while a later call of the step waits', async () => {
    const world = await asking([[command('ls'), command('npm test'), command('pwd')]]);
    expect([results(world), world.of('turn-end').length]).toEqual([['ran ls'], 0]);
    await answer(world, 0, { choice: 'deny' });
    const history = at(world.requests[1]).messages.at(-1);
    expect(history?.role === 'tool' && history.results.map((result) => result.isError)).toEqual([false, true, false]);
  });

  test('an answer is stored before the tab can close, also where its call has to wait for its turn', async () => {
    const journal = createJournalStores();
    const world = await asking([[command('npm test'), command('npm run lint')]], { stores: journal.stores });
    await answer(world, 1, { choice: 'once' });
    const { events } = await (await journal.stateAfter(journal.landed())).sessions.events(world.sessionId);
    expect([ran, events.flatMap((event) => (event.type === 'approval-end' ? [event.outcome] : []))]).toEqual([[], [{ kind: 'answered', choice: 'once' }]]);
  });
});

describe('words, edits and time', () => {
  test('words that come with a yes stand behind the one result', async () => {
    const world = await asking([[command('npm test')]]);
    await answer(world, 0, { choice: 'once', words: ' use tabs ' });
    expect(results(world)).toEqual(['ran npm test\n\n[The person allowed this call and says: use tabs]']);
  });

  test('edited arguments are checked, run as edited, told to the model, and both are in the log', async () => {
    const world = await asking([[command('npm test')]]);
    expect(prompt(world, 0).input).toEqual({ command: 'npm test' });
    await answer(world, 0, { choice: 'once', edited: { command: 'npm test -- --bail' } });
    expect([ran, results(world), world.of('approval-end').map((event) => event.outcome)]).toEqual([
      ['npm test -- --bail'],
      ['ran npm test -- --bail\n\n[The person edited the arguments of this call before allowing it. They are now: {"command":"npm test -- --bail"}]'],
      [
        {
          kind: 'answered',
          choice: 'once',
          edited: { input: { command: 'npm test -- --bail' }, summary: 'npm test -- --bail', facts: expect.objectContaining({ inputLevel: 'required' }) },
        },
      ],
    ]);
  });

  test('arguments that are not valid leave the prompt open and say why', async () => {
    const { z } = await import('@/lib/contracts/zod');
    const strict = testTool('exec_shell', ['executes-code'], async () => said('ran'), { input: z.object({ command: z.string() }) });
    const world = await asking([[command('npm test')]], { tools: [strict] });
    expect(await answer(world, 0, { choice: 'once', edited: { command: 3 } })).toEqual({ counted: false, problem: expect.stringContaining('command') });
    expect(await answer(world, 0, { choice: 'session', edited: { command: 'ls' } })).toEqual({
      counted: false,
      problem: 'Edited arguments can be allowed once only. The prompt is still open.',
    });
    expect([world.of('approval-end').length, await answer(world, 0, { choice: 'once' })]).toEqual([0, { counted: true }]);
  });

  test('an edit into what was denied before is denied, and does not run', async () => {
    const world = await asking([[command('rm x'), command('npm test')]]);
    await answer(world, 0, { choice: 'deny' });
    await answer(world, 1, { choice: 'once', edited: { command: 'rm x' } });
    expect([ran, at(results(world)[1])]).toEqual([
      [],
      'exec_shell was not executed: this call is denied. You denied exactly this call in this session. Only this call is denied, not the tool: go on without it, or ask the person.\n\n[The person edited the arguments of this call before allowing it. They are now: {"command":"rm x"}]',
    ]);
  });

  test('prompts wait for ever until the person sets a time; then they deny, and nothing is remembered', async () => {
    const world = await asking([[command('npm test')], [command('npm test')]]);
    await world.clock.advance(86_400_000);
    expect(world.of('approval-end').length).toBe(0);
    await world.engine.command({ type: 'prompt-timeout-set', sessionId: world.sessionId, timeoutMs: 60_000 });
    await world.clock.advance(86_400_000);
    expect(world.of('approval-end').length).toBe(0);
    await answer(world, 0, { choice: 'once' });
    await world.clock.advance(59_999);
    expect(world.of('approval-end').length).toBe(1);
    await world.clock.advance(1);
    expect([at(world.of('approval-end')[1]).outcome, ran]).toEqual([{ kind: 'expired', afterMs: 60_000 }, ['npm test']]);
    expect(results(world)[1]).toBe(
      'Denied: nobody answered within 60 s, so exec_shell was not executed. That is no answer to the call itself: go on without it, or ask the person.',
    );
    expect(await world.stores.sessions.get(world.sessionId)).toMatchObject({ promptTimeoutMs: 60_000 });
  });
});

describe('what is remembered', () => {
  test('the parts that an answer names are remembered, each on its own; the card says what each would let through', async () => {
    const world = await asking([[command('npm test && npm publish')], [command('npm test -- --bail'), command('npm publish')]]);
    expect(prompt(world, 0).partCovers).toEqual(['every command that begins with "npm test", whatever options and words follow', 'exactly "npm publish"']);
    await answer(world, 0, { choice: 'session', parts: ['npm test'] });
    expect([ran, world.of('approval-start').map((event) => event.request.subject)]).toEqual([
      ['npm test && npm publish', 'npm test -- --bail'],
      ['npm test && npm publish', 'npm publish'],
    ]);
  });

  test('always holds in another session of the workspace, open or new, and is stored before the call runs', async () => {
    const stores = createMemoryStores();
    let storedAtStart: unknown;
    let workspaceId = undefined as unknown as WorkspaceId;
    const watching = testTool('exec_shell', ['executes-code'], async (input) => {
      ran.push(String(input['command']));
      storedAtStart ??= (await stores.workspaces.get(workspaceId))?.grants.map(({ tool, covers }) => [tool, covers]);
      return said('ran');
    });
    const world = await asking([[command('npm test')], [], [command('npm test -- -w')]], { tools: [watching], stores });
    const record = at((await stores.sessions.list())[0]);
    workspaceId = record.workspaceId;
    await stores.workspaces.put({ workspaceId, name: 'test', createdAt: 0, grants: [] });
    await answer(world, 0, { choice: 'always' });
    expect(storedAtStart).toEqual([['exec_shell', 'every command that begins with "npm test", whatever options and words follow']]);

    const second = await world.engine.command({ type: 'session-create' });
    const sessionId = (second.ok ? second.value.record.sessionId : '') as SessionId;
    await world.engine.command({ type: 'turn-send', sessionId, text: 'again' });
    await world.clock.settle();
    expect([ran, world.of('approval-start').length]).toEqual([['npm test', 'npm test -- -w'], 1]);
    const listed = await world.engine.command({ type: 'grant-list', sessionId });
    expect(listed.ok && [listed.value.session.length, listed.value.workspace.map((grant) => grant.covers)]).toEqual([
      0,
      ['every command that begins with "npm test", whatever options and words follow'],
    ]);
  });

  test('what was allowed can be taken back, for the session and for the workspace', async () => {
    const world = await asking([
      [command('npm test'), command('npm run lint')],
      [command('npm test'), command('npm run lint')],
    ]);
    await answer(world, 0, { choice: 'session' });
    await world.engine.command({ type: 'mode-set', sessionId: world.sessionId, mode: 'ask' });
    const listed = await world.engine.command({ type: 'grant-list', sessionId: world.sessionId });
    const key = listed.ok ? at(listed.value.session[0]).key : '';
    const revoke = () => world.engine.command({ type: 'grant-revoke', sessionId: world.sessionId, key });
    expect([await revoke(), await revoke()]).toEqual([
      { ok: true, value: { revoked: true } },
      { ok: true, value: { revoked: false } },
    ]);
    await answer(world, 1, { choice: 'once' });
    expect(world.of('approval-start').map((event) => event.request.subject)).toEqual(['npm test', 'npm run lint', 'npm test', 'npm run lint']);
    expect(prompt(world, 2).wouldHaveCovered).toBe(1);
  });

  test('an always that cannot be stored holds for the session, and that is said', async () => {
    const stores = createMemoryStores();
    const full = { ...stores, workspaces: { ...stores.workspaces, update: () => Promise.reject(new Error('the disk is full')) } };
    const world = await asking([[command('npm test')], [command('npm test')]], { stores: full });
    await answer(world, 0, { choice: 'always' });
    expect([ran, world.of('notice').map((event) => event.code)]).toEqual([['npm test', 'npm test'], ['grant-not-stored']]);
  });
});
