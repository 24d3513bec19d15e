import { describe, expect, test } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import type { ApprovalChoice } from '@/lib/contracts/approval';
import type { EngineCommand } from '@/lib/contracts/commands';
import type { Runtime } from '@/lib/contracts/runtime';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { replayLog } from '@/lib/replay/replay-log';
import { writeFile } from '@/lib/tools/files/write-file';
import { explainPolicy } from '@/lib/tools/policy/explain-policy';
import { createEngineWorld, type EngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const file = 'gatehouse.policy.json';
const denying = '{"version": 1, "shell": {"deny": ["npm publish *"], "allow": ["npm test"]}}';

async function started(steps: readonly (readonly TestCall[])[], files: Record<string, string> = {}, more: readonly ToolSpec[] = []) {
  const fs = createMemoryRuntimeFs(files);
  const runtime: Runtime = { ...emptyRuntime, fs };
  const ran: string[] = [];
  const shell = testTool('exec_shell', ['executes-code'], async (input) => {
    const command = String(input['command']);
    ran.push(command);
    // A program may write what it likes.
    if (command.startsWith('git checkout')) await fs.writeFile(file, '{"version": 1, "shell": {"allow": ["*"]}}');
    return said('ran');
  });
  const read = testTool('read_file', ['read-only'], async () => said('read'));
  const world = await createEngineWorld({
    runtime,
    tools: [shell, read, writeFile, explainPolicy, ...more],
    model: (_, step) => (steps[step] === undefined ? { text: 'done' } : { calls: steps[step] }),
  });
  const command = async <Command extends EngineCommand>(given: Command) => {
    const answer = await world.engine.command(given);
    await world.clock.settle();
    return answer;
  };
  return { world, fs, ran, command };
}

const call = (command: string): TestCall => ({ name: 'exec_shell', input: { command } });
const answer = async ({ engine, sessionId, clock, of }: EngineWorld, choice: ApprovalChoice) => {
  const prompt = of('approval-start').at(-1);
  await engine.command({ type: 'approval-answer', sessionId, answer: { approvalId: prompt?.request.approvalId as never, choice } });
  await clock.settle();
};
const statuses = (world: EngineWorld) => world.of('policy-change').map(({ status }) => [status.inForce !== undefined, status.pending !== undefined]);

describe('the policy in force', () => {
  test('is the person’s as soon as they write it, and decides open prompts again', async () => {
    const { world, ran, command } = await started([[call('npm test'), call('npm publish'), call('npm run x')]]);
    await world.send('go');
    expect(world.of('approval-start')).toHaveLength(3);
    await command({ type: 'policy-write', sessionId: world.sessionId, text: denying });
    expect([ran, world.of('approval-end').map((event) => event.outcome)]).toEqual([
      ['npm test'],
      [
        { kind: 'covered', decision: 'allow' },
        {
          kind: 'covered',
          decision: 'deny',
          deniedBy: { rule: 'shell-policy', evidence: 'The deny rule "npm publish *" fits it.', verdict: 'deny', decided: true },
        },
      ],
    ]);
    await answer(world, 'deny');
    expect(world.of('result-push').map((event) => event.content)[1]).toBe(
      'exec_shell was not executed: this call is denied. The deny rule "npm publish *" fits it. Only this call is denied, not the tool: go on without it, or ask the person.',
    );
    expect(statuses(world)).toEqual([[true, false]]);
  });

  test('that comes while a read waits behind a prompt denies it: its slot says by which rule, and it does not run', async () => {
    let looks = 0;
    const look = testTool(
      'look',
      ['read-only'],
      async () => {
        looks++;
        return said('seen');
      },
      { supportsParallel: true },
    );
    const { world, ran, command } = await started([[call('npm run x'), { name: 'look' }]], {}, [look]);
    await world.send('go');
    const text = '{"version": 1, "rules": [{"effect": "deny", "tool": "look", "reason": "not now"}]}';
    await command({ type: 'policy-write', sessionId: world.sessionId, text });
    await answer(world, 'once');
    expect([ran, looks, world.of('call-settled').map((event) => event.outcome.status)]).toEqual([['npm run x'], 0, ['ok', 'denied']]);
    expect(world.of('result-push').map((event) => event.content)[1]).toMatch(/^look was not executed: this call is denied\. .*not now/);
  });

  test('or a mode, that comes while an allowed call waits for its turn denies it: by an answer, edited, by a grant or by a rule, it does not run', async () => {
    const { world, ran, command } = await started([[call('npm run first'), call('npm run a'), call('npm run b'), call('npm run c'), call('ls')]]);
    await world.send('go');
    const prompts = world.of('approval-start').map((event) => event.request.approvalId);
    const say = (index: number, given: object) =>
      command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId: prompts[index] as never, choice: 'once', ...given } });
    await say(1, {});
    await say(2, { edited: { command: 'npm run edited' } });
    await say(3, { choice: 'session' });
    await command({ type: 'mode-set', sessionId: world.sessionId, mode: 'plan' });
    expect([ran, world.of('call-settled').map((event) => event.outcome.status)]).toEqual([[], ['denied', 'denied', 'denied', 'denied', 'denied']]);
    expect(world.of('result-push').map((event) => event.content)).toEqual([
      expect.stringMatching(/^exec_shell was not executed: this call is denied\./),
      expect.stringMatching(/^exec_shell was not executed: this call is denied\./),
      expect.stringMatching(/The person edited the arguments of this call before allowing it\. They are now: \{"command":"npm run edited"\}\]$/),
      expect.stringMatching(/^exec_shell was not executed: this call is denied\./),
      expect.stringMatching(/^exec_shell was not executed: this call is denied\./),
    ]);

    const ruled = await started([[call('npm run first'), call('npm run a'), call('npm run b')]]);
    await ruled.world.send('go');
    const second = ruled.world.of('approval-start')[1]?.request.approvalId as never;
    await ruled.command({ type: 'approval-answer', sessionId: ruled.world.sessionId, answer: { approvalId: second, choice: 'once' } });
    await ruled.command({ type: 'policy-write', sessionId: ruled.world.sessionId, text: '{"version": 1, "shell": {"deny": ["npm run a"]}}' });
    await ruled.command({ type: 'approval-answer-all', sessionId: ruled.world.sessionId, choice: 'once' });
    expect(ruled.ran).toEqual(['npm run first', 'npm run b']);
  });

  test('that a person breaks asks for everything, in auto mode too, and says where', async () => {
    const { world, ran, command } = await started([[{ name: 'read_file', input: { path: 'a' } }, call('ls')]]);
    await command({ type: 'mode-set', sessionId: world.sessionId, mode: 'auto' });
    await command({ type: 'policy-write', sessionId: world.sessionId, text: '{\n  "version": 1,\n  "dney": []\n}' });
    await world.send('go');
    expect([ran, world.of('approval-start').map((event) => event.request.trace.at(-1)?.rule)]).toEqual([[], ['policy-broken', 'policy-broken']]);
    expect(world.of('notice').map((event) => event.text)).toEqual([
      'gatehouse.policy.json does not load: line 3, column 3: "dney" is no field of a policy. A misspelt field would change nothing silently. Until it does, every call is asked for.',
    ]);
    await command({ type: 'policy-write', sessionId: world.sessionId, text: null });
    expect([ran, world.of('approval-end').map((event) => event.outcome.kind)]).toEqual([['ls'], ['covered', 'covered']]);
  });

  test('that comes while a prompt is open, and a mode, give its card the reasons that hold now', async () => {
    const { world, command } = await started([[call('npm run x && ls')]]);
    await world.send('go');
    const [prompt] = world.of('approval-start');
    await command({ type: 'policy-write', sessionId: world.sessionId, text: '{"version": 1, "dney": []}' });
    await command({ type: 'policy-write', sessionId: world.sessionId, text: '{"version": 1, "shell": {"ask": ["npm *"], "allow": ["ls"]}}' });
    await command({ type: 'policy-write', sessionId: world.sessionId, text: '{"version": 1, "shell": {"ask": ["npm *"], "allow": ["ls"]}} ' });
    const revised = world.of('approval-revise');
    expect(revised.map((event) => [event.approvalId, event.trace.at(-1)?.rule, event.parts?.map(({ rule }) => rule)])).toEqual([
      [prompt?.request.approvalId, 'policy-broken', expect.anything()],
      [prompt?.request.approvalId, 'shell-policy', ['npm *', 'ls']],
    ]);
    await answer(world, 'once');
    expect(world.of('call-settled').map((event) => event.outcome.status)).toEqual(['ok']);
    expect(replayLog(world.events).replayed.filter((one) => one.moment !== 'stopped' && !one.same)).toEqual([]);
  });

  test('written by a call that the person allowed is accepted, and its card shows what it would change', async () => {
    const write: TestCall = { name: 'write_file', input: { path: file, content: denying } };
    const { world, ran } = await started([[call('npm test')], [write], [call('npm test'), call('npm publish')]]);
    await world.send('go');
    await answer(world, 'once');
    const card = world.of('approval-start').at(-1)?.request;
    expect([card?.tool, card?.policyDifference?.compared, card?.policyDifference?.changed, card?.policyDifference?.lines.slice(0, 2)]).toEqual([
      'write_file',
      2,
      [
        {
          callId: world.of('approval-start')[0]?.request.callId,
          tool: 'exec_shell',
          summary: 'npm test',
          before: 'ask',
          after: 'allow',
          evidence: 'The allow rule "npm test" fits it.',
        },
      ],
      ['− allow command ls *', '− allow command cat *'],
    ]);
    await answer(world, 'once');
    expect([statuses(world), ran]).toEqual([[[true, false]], ['npm test', 'npm test']]);
    expect(world.of('call-settled').map((event) => event.outcome.status)).toEqual(['ok', 'ok', 'ok', 'denied']);
  });

  test('that a checkout brings decides nothing until a person accepts it', async () => {
    const { world, ran, command } = await started([[call('git checkout other')], [call('rm -rf build')]]);
    await world.send('go');
    await answer(world, 'once');
    expect([ran, statuses(world), world.of('notice').map((event) => event.code)]).toEqual([['git checkout other'], [[false, true]], ['policy-waits']]);
    const compared = await command({ type: 'policy-compare', sessionId: world.sessionId });
    expect(compared.ok && compared.value.difference?.changed.map(({ summary, before, after }) => [summary, before, after])).toEqual([
      ['rm -rf build', 'ask', 'allow'],
      ['git checkout other', 'ask', 'allow'],
    ]);
    const fingerprint = world.of('policy-change')[0]?.status.pending?.fingerprint ?? '';
    expect(await command({ type: 'policy-accept', sessionId: world.sessionId, fingerprint: 'another' })).toEqual({ ok: true, value: { counted: false } });
    expect(await command({ type: 'policy-accept', sessionId: world.sessionId, fingerprint })).toEqual({ ok: true, value: { counted: true } });
    expect(ran).toEqual(['git checkout other', 'rm -rf build']);
  });

  test('gets a rule from a call: the file is made from the starter policy, and the prompt is answered by it', async () => {
    const { world, fs, ran, command } = await started([[call('npm run build')], [call('sudo ls')]]);
    await world.send('go');
    const { callId } = world.of('approval-start')[0]?.request ?? {};
    expect(await command({ type: 'policy-rule-add', sessionId: world.sessionId, callId: callId as never })).toEqual({
      ok: true,
      value: { rule: 'allow the command npm run build' },
    });
    expect(ran).toEqual(['npm run build']);
    expect(new TextDecoder().decode(fs.contents.get(file))).toContain('"git show *",\n      "npm run build"\n');
    const next = world.of('approval-start')[1]?.request.callId;
    await command({ type: 'policy-rule-add', sessionId: world.sessionId, callId: next as never });
    expect([ran, new TextDecoder().decode(fs.contents.get(file))]).toEqual([
      ['npm run build', 'sudo ls'],
      expect.stringContaining('"rules": [{ "effect": "allow", "tool": "exec_shell", "args": { "command": "sudo ls" } }]'),
    ]);
  });

  test('gets no rule for what no rule may cover', async () => {
    const { world, command } = await started([[{ name: 'write_file', input: { path: file, content: '{}' } }]]);
    await world.send('go');
    const { callId } = world.of('approval-start')[0]?.request ?? {};
    expect(await command({ type: 'policy-rule-add', sessionId: world.sessionId, callId: callId as never })).toEqual({
      ok: false,
      code: 'no-rule',
      message: 'No rule can let this call pass: It writes what the law protects. Nothing was changed.',
    });
  });

  test('is explained to the model without asking anybody', async () => {
    const asked: TestCall = { name: 'explain_policy', input: { tool: 'exec_shell', input: { command: 'ls && npm publish' } } };
    const unknown: TestCall = { name: 'explain_policy', input: { tool: 'no_such_tool', input: {} } };
    const { world, command } = await started([[asked, unknown]]);
    await command({ type: 'policy-write', sessionId: world.sessionId, text: denying });
    await world.send('go');
    expect(world.of('result-push').map((event) => event.content.split('\n'))).toEqual([
      [
        'exec_shell: It would be denied. Only this call, not the tool.',
        'Rule: shell-policy. 1 of its 2 parts is denied, first "npm publish": The deny rule "npm publish *" fits it.',
        '  ask: ls: No rule fits it, and the policy asks for what no rule fits.',
        '  deny: npm publish: The deny rule "npm publish *" fits it.',
        'Looked too: capability-level. exec_shell declares executes-code: level required.',
        'Mode ask, under the policy of gatehouse.policy.json.',
      ],
      [
        'no_such_tool: It would be refused before anybody decides about it.',
        'Rule: name. There is no tool named "no_such_tool".',
        'Mode ask, under the policy of gatehouse.policy.json.',
      ],
    ]);
    expect(world.of('approval-start')).toEqual([]);
  });
});
