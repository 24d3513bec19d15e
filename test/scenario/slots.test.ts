import { expect, test } from 'vitest';
import { at } from '@/test/support/at';
import { createEngineWorld, type EngineWorld, said, testTool } from '@/test/support/engine-world';

const sleepy = testTool('sleepy_read', ['read-only'], async (input) => said(String(input['n'] ?? '')), { supportsParallel: true });

function reading(world: () => EngineWorld, ms: number) {
  return testTool(
    'slow_read',
    ['read-only'],
    async (input, context) => {
      await world().clock.sleep(ms, context.signal);
      return said(`read ${String(input['n'])}`);
    },
    { supportsParallel: true },
  );
}

const results = (world: EngineWorld) => world.of('result-push').map((event) => event.content);

test('twenty reads of 50 ms take 50 ms', async () => {
  let world = undefined as unknown as EngineWorld;
  world = await createEngineWorld({
    tools: [reading(() => world, 50)],
    model: (_, step) => (step === 0 ? { calls: Array.from({ length: 20 }, (__, n) => ({ name: 'slow_read', input: { n } })) } : { text: 'done' }),
  });
  const before = world.clock.now();
  await world.send('read');
  await world.clock.advance(50);
  const settled = world.of('call-settled');
  expect(settled.length).toBe(20);
  expect(settled.every((event) => event.at - before === 50)).toBe(true);
  expect(results(world)).toEqual(Array.from({ length: 20 }, (_, n) => `read ${n}`));
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['yielded']);
});

test('a read whose arguments are complete runs before the stream ends, and runs once', async () => {
  let runs = 0;
  const read = testTool(
    'early_read',
    ['read-only'],
    async () => {
      runs++;
      return said('early');
    },
    { supportsParallel: true },
  );
  const world = await createEngineWorld({
    tools: [read],
    model: (_, step) => (step === 0 ? { calls: [{ name: 'early_read' }], tailMs: 500 } : { text: 'done' }),
  });
  await world.send('go');
  expect(runs).toBe(1);
  expect(world.of('early-start').length).toBe(1);
  expect(world.of('step-end').length).toBe(0);
  await world.clock.advance(500);
  expect(runs).toBe(1);
  expect(world.of('call-start').map((event) => event.early)).toEqual([true]);
  expect(results(world)).toEqual(['early']);
});

test('a call that writes never starts early', async () => {
  let runs = 0;
  const write = testTool('write_it', ['writes-files'], async () => {
    runs++;
    return said('written');
  });
  const world = await createEngineWorld({
    tools: [write],
    mode: 'auto-edit',
    model: (_, step) => (step === 0 ? { calls: [{ name: 'write_it' }], tailMs: 500 } : { text: 'done' }),
  });
  await world.send('go');
  expect([runs, world.of('early-start').length]).toEqual([0, 0]);
  await world.clock.advance(500);
  expect(runs).toBe(1);
});

test('a denied, a failed and a timed-out call fill their own slot and no other', async () => {
  let world = undefined as unknown as EngineWorld;
  const tools = [
    testTool('read_ok', ['read-only'], async (input) => said(`ok ${String(input['n'])}`), { supportsParallel: true }),
    testTool(
      'read_fails',
      ['read-only'],
      async () => {
        throw new Error('no such thing');
      },
      { supportsParallel: true },
    ),
    testTool(
      'read_hangs',
      ['read-only'],
      async (_, context) => {
        await world.clock.sleep(1e9, context.signal);
        return said('never');
      },
      { supportsParallel: true, timeoutMs: 1000 },
    ),
    testTool('run_it', ['executes-code'], async () => said('ran')),
  ];
  world = await createEngineWorld({
    tools,
    model: (_, step) =>
      step === 0
        ? {
            calls: [
              { name: 'read_ok', input: { n: 1 } },
              { name: 'read_fails' },
              { name: 'read_hangs' },
              { name: 'read_ok', input: { n: 2 } },
              { name: 'run_it' },
              { name: 'read_ok', input: { n: 3 } },
            ],
          }
        : { text: 'done' },
  });
  await world.send('go');
  const [prompt] = world.of('approval-start');
  expect(prompt?.request.tool).toBe('run_it');
  await world.engine.command({
    type: 'approval-answer',
    sessionId: world.sessionId,
    answer: { approvalId: at(prompt).request.approvalId, choice: 'deny', words: 'not today' },
  });
  await world.clock.advance(1000);
  const byCall = new Map(world.of('call-settled').map((event) => [event.callId, event.outcome.status]));
  expect(world.of('result-push').map((event) => byCall.get(event.callId))).toEqual(['ok', 'failed', 'timed-out', 'ok', 'denied', 'ok']);
  expect(results(world)[4]).toContain('They said: not today');
  expect(results(world)[0]).toBe('ok 1');
  expect(results(world)[5]).toBe('ok 3');
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['yielded']);
  const history = at(world.requests[1]).messages.at(-1);
  expect(history?.role === 'tool' && history.results.map((result) => result.isError)).toEqual([false, true, true, false, true, false]);
});

test('stopping in the middle cancels what runs, what waits and what was never reached, one result each', async () => {
  let world = undefined as unknown as EngineWorld;
  const tools = [
    testTool('run_long', ['read-only'], async (_, context) => {
      await world.clock.sleep(1e9, context.signal);
      return said('never');
    }),
    testTool('run_it', ['executes-code'], async () => said('ran')),
  ];
  world = await createEngineWorld({ tools, model: () => ({ calls: [{ name: 'run_long' }, { name: 'run_it' }, { name: 'run_long', input: { n: 2 } }] }) });
  await world.send('go');
  expect(world.of('approval-start').length).toBe(1);
  await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
  await world.clock.settle();
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['stopped']);
  expect(results(world)).toEqual([
    'Cancelled (the turn was stopped): it had been started, its effect is unknown, check before repeating',
    'Cancelled (the turn was stopped): it was not started',
    'Cancelled (the turn was stopped): it was not started',
  ]);
  expect(world.of('approval-end').map((event) => event.outcome)).toEqual([{ kind: 'cancelled' }]);
});

test('a tool that ignores its signal is abandoned: the slot is filled at once, the late result starts nothing', async () => {
  let world = undefined as unknown as EngineWorld;
  let late: unknown;
  const stubborn = testTool('stubborn', ['read-only'], async (_, context) => {
    await world.clock.sleep(5000);
    late = await context.files.stat('a').catch((error: { code: string }) => error.code);
    return said('late');
  });
  world = await createEngineWorld({ tools: [stubborn], model: () => ({ calls: [{ name: 'stubborn' }] }) });
  await world.send('go');
  await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
  await world.clock.settle();
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['stopped']);
  await world.clock.advance(5000);
  expect(late).toBe('cancelled');
  expect(world.of('call-late-result').length).toBe(1);
  expect(results(world).length).toBe(1);
});

test('a session grant covers the identical call only, and frees the sibling that waits', async () => {
  let runs = 0;
  const run = testTool('run_it', ['executes-code'], async () => {
    runs++;
    return said('ran');
  });
  const world = await createEngineWorld({
    tools: [run],
    model: (_, step) =>
      step === 0
        ? {
            calls: [
              { name: 'run_it', input: { c: 'a' } },
              { name: 'run_it', input: { c: 'a' } },
              { name: 'run_it', input: { c: 'b' } },
            ],
          }
        : { text: 'done' },
  });
  await world.send('go');
  const prompts = world.of('approval-start');
  expect(prompts.length).toBe(3);
  await world.engine.command({
    type: 'approval-answer',
    sessionId: world.sessionId,
    answer: { approvalId: at(prompts[0]).request.approvalId, choice: 'session' },
  });
  await world.clock.settle();
  expect(runs).toBe(2);
  expect(world.of('approval-end').map((event) => event.outcome.kind)).toEqual(['answered', 'covered']);
  expect(world.of('turn-end').length).toBe(0);
});

test('an answer counts once, and an unknown one never', async () => {
  const run = testTool('run_it', ['executes-code'], async () => said('ran'));
  const world = await createEngineWorld({ tools: [run], model: (_, step) => (step === 0 ? { calls: [{ name: 'run_it' }] } : { text: 'done' }) });
  await world.send('go');
  const approvalId = at(world.of('approval-start')[0]).request.approvalId;
  const answer = (id: string) =>
    world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId: id as typeof approvalId, choice: 'once' } });
  expect(await answer('nonsense')).toEqual({ ok: true, value: { counted: false } });
  expect(await answer(approvalId)).toEqual({ ok: true, value: { counted: true } });
  expect(await answer(approvalId)).toEqual({ ok: true, value: { counted: false } });
});

test('plan mode denies what is not read-only, without asking', async () => {
  const run = testTool('run_it', ['executes-code'], async () => said('ran'));
  const world = await createEngineWorld({
    tools: [run, sleepy],
    mode: 'plan',
    model: (_, step) => (step === 0 ? { calls: [{ name: 'run_it' }, { name: 'sleepy_read', input: { n: 1 } }] } : { text: 'done' }),
  });
  await world.send('go');
  expect(world.of('approval-start').length).toBe(0);
  expect(
    world
      .of('call-settled')
      .map((event) => event.outcome.status)
      .sort(),
  ).toEqual(['denied', 'ok']);
});

test('a stream that breaks ends the turn with what it had, and its complete call has one result', async () => {
  const world = await createEngineWorld({
    tools: [testTool('run_it', ['executes-code'], async () => said('ran'))],
    model: () => ({ text: 'I will', calls: [{ name: 'run_it' }], breaks: true }),
  });
  await world.send('go');
  expect(world.of('turn-end').map((event) => [event.end, event.reason])).toEqual([['failed', 'The answer broke off.']]);
  expect(results(world)).toEqual(['Cancelled (the model’s answer broke off): it was not started']);
});

test('the third identical call is blocked and told which result answers it', async () => {
  const world = await createEngineWorld({
    tools: [sleepy],
    model: (_, step) => (step < 3 ? { calls: [{ name: 'sleepy_read', input: { n: 1 } }] } : { text: 'done' }),
  });
  await world.send('go');
  expect(world.of('call-settled').map((event) => event.outcome.status)).toEqual(['ok', 'ok', 'blocked']);
  expect(results(world)[2]).toContain('already answers it');
});

test('eight failures in a row halt the turn after the step', async () => {
  const fails = testTool('fails', ['read-only'], async () => {
    throw new Error('still broken');
  });
  const world = await createEngineWorld({ tools: [fails], model: (_, step) => ({ calls: [{ name: 'fails', input: { step } }] }) });
  await world.send('go');
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['halted']);
  expect(world.of('result-push').length).toBe(8);
});

test('a model that never stops calling pauses after fifty steps', async () => {
  const world = await createEngineWorld({ tools: [sleepy], model: (_, step) => ({ calls: [{ name: 'sleepy_read', input: { n: step } }] }) });
  await world.send('go');
  for (let i = 0; i < 20; i++) await world.clock.settle();
  expect(world.of('turn-end').map((event) => event.end)).toEqual(['paused']);
  expect(world.of('step-start').length).toBe(50);
});
