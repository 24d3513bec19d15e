import { expect, test } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { ApprovalChoice } from '@/lib/contracts/approval';
import { createEngineWorld, type EngineWorld, said, testTool } from '@/test/support/engine-world';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

async function running(commands: readonly string[], { policy, ...over }: { readonly mode?: 'ask' | 'auto'; readonly policy?: string } = {}) {
  const ran: string[] = [];
  const shell = testTool('exec_shell', ['executes-code'], async (input) => {
    ran.push(String(input['command']));
    return said('ran');
  });
  const world = await createEngineWorld({
    tools: [shell],
    runtime: { ...emptyRuntime, fs: createMemoryRuntimeFs() },
    ...over,
    model: (_, step) => (step === 0 ? { calls: commands.map((command) => ({ name: 'exec_shell', input: { command } })) } : { text: 'done' }),
  });
  if (policy !== undefined) await world.engine.command({ type: 'policy-write', sessionId: world.sessionId, text: policy });
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

test('cl-16: a compound command that one part denies tells the model the rule, the part, and that only this call is denied', async () => {
  const { world, ran } = await running(['ls && git push origin', 'ls', 'git push'], {
    policy: '{"version": 1, "shell": {"allow": ["ls"], "deny": ["git push *"]}}',
  });
  expect([ran, world.of('approval-start'), world.of('result-push').map((event) => event.content)]).toEqual([
    ['ls'],
    [],
    [
      'exec_shell was not executed: this call is denied. 1 of its 2 parts is denied, first "git push origin": The deny rule "git push *" fits it. Only this call is denied, not the tool: go on without it, or ask the person.',
      'ran',
      'exec_shell was not executed: this call is denied. The deny rule "git push *" fits it. Only this call is denied, not the tool: go on without it, or ask the person.',
    ],
  ]);
});
