import { expect, test } from 'vitest';
import { execShell } from '@/lib/tools/shell/exec-shell';
import { allowAll } from '@/test/support/allow-all';
import { createEngineWorld } from '@/test/support/engine-world';
import { createScriptedPrograms } from '@/test/support/scripted-programs';

/** A session whose model runs one command, which is allowed. */
async function running(command: string) {
  const { runtime, programs } = createScriptedPrograms();
  let next = 0;
  const world = await createEngineWorld({
    tools: [execShell],
    runtime,
    model: () => (next++ === 0 ? { calls: [{ name: 'exec_shell', input: { command } }] } : { text: 'done' }),
  });
  allowAll(world.engine);
  await world.send('go');
  return { world, programs, results: () => world.of('result-push').map((event) => event.content) };
}

test('a command that takes too long gives the model what it said until then', async () => {
  const { world, programs, results } = await running('npm test');
  programs[0]?.write('ok 1 - adds\n');
  programs[0]?.write('not ok 2 - waits for ever\n');
  await world.clock.advance(120_000);
  expect(results()).toEqual([
    'exec_shell was stopped: it took longer than 120000 ms. Its effect is unknown; check before repeating, with less work or a longer timeout.\nIts output until then:\nok 1 - adds\nnot ok 2 - waits for ever\n',
  ]);
  expect(world.of('call-settled').map((event) => event.outcome.status)).toEqual(['timed-out']);
});

test('so does one that a person stops, and one that said nothing says nothing', async () => {
  const { world, programs, results } = await running('npm start');
  programs[0]?.write('listening\n');
  await world.clock.settle();
  await world.engine.command({ type: 'turn-stop', sessionId: world.sessionId });
  await world.clock.settle();
  expect(results()).toEqual([
    expect.stringMatching(/^Cancelled \(.+\): it had been started, its effect is unknown, check before repeating\nIts output until then:\nlistening\n$/),
  ]);

  const quiet = await running('sleep 1000');
  await quiet.world.clock.advance(120_000);
  expect(quiet.results()).toEqual([expect.stringMatching(/with less work or a longer timeout\.$/)]);
});
