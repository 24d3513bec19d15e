import { expect, test } from 'vitest';
import type { ApprovalChoice } from '@/lib/contracts/approval';
import { createEngineWorld, type EngineWorld, said, testTool } from '@/test/support/engine-world';

async function running(commands: readonly string[], over: { readonly mode?: 'ask' | 'auto' } = {}) {
  const ran: string[] = [];
  const shell = testTool('exec_shell', ['executes-code'], async (input) => {
    ran.push(String(input['command']));
    return said('ran');
  });
  const world = await createEngineWorld({
    tools: [shell],
    ...over,
    model: (_, step) => (step === 0 ? { calls: commands.map((command) => ({ name: 'exec_shell', input: { command } })) } : { text: 'done' }),
  });
  await world.send('go');
  return { world, ran };
}

const asked = (world: EngineWorld) => world.of('approval-start').map((event) => event.request.subject);
const answer = async (world: EngineWorld, index: number, choice: ApprovalChoice) => {
  const prompt = world.of('approval-start')[index];
  if (prompt === undefined) throw new Error('no such prompt');
  await world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId: prompt.request.approvalId, choice } });
  await world.clock.settle();
};

test('plain reading commands run without a prompt, everything else asks', async () => {
  const { world, ran } = await running(['ls -la', 'git status && git log | head -3', 'npm test', 'cat a > b/../../c']);
  expect([ran, asked(world)]).toEqual([
    ['ls -la', 'git status && git log | head -3'],
    ['npm test', 'cat a > b/../../c'],
  ]);
});

test('an answer for the session covers the family and frees the siblings that it covers', async () => {
  const { world, ran } = await running(['npm test', 'npm test -- --watch', 'npm test | tail -3', 'npm test && git push']);
  expect(world.of('approval-start')[0]?.request.grantCovers).toBe('every command that begins with "npm test", whatever options and words follow');
  await answer(world, 0, 'session');
  expect([ran, world.of('approval-end').map((event) => event.outcome.kind)]).toEqual([
    ['npm test', 'npm test -- --watch', 'npm test | tail -3'],
    ['answered', 'covered', 'covered'],
  ]);
});

test('a prompt has every part of its command, whole', async () => {
  const command = `npm test &&\n  sh -c 'rm -rf build' # ${'and more '.repeat(30)}`;
  const { world } = await running([command]);
  const request = world.of('approval-start')[0]?.request;
  expect([request?.subject, request?.parts?.map((part) => [part.text, part.verdict, part.rule])]).toEqual([
    command,
    [
      ['npm test', 'ask', 'default'],
      ["sh -c 'rm -rf build'", 'ask', 'wrapper'],
      ['rm -rf build', 'ask', 'default'],
    ],
  ]);
});

test('auto mode lets plain commands pass and asks for what its lists name', async () => {
  const { world, ran } = await running(['npm test && npm run lint', 'npm test && git push', 'node x.js', 'eval "$X"'], { mode: 'auto' });
  expect([ran, asked(world)]).toEqual([['npm test && npm run lint'], ['npm test && git push', 'node x.js', 'eval "$X"']]);
});
