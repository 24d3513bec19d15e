import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApprovalChoice, Mode } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import { readPolicyFile } from '@/lib/policy/policy-file';
import { readLog } from '@/lib/replay/read-log';
import { type ReplayedLog, replayLog } from '@/lib/replay/replay-log';
import { execShell } from '@/lib/tools/shell/exec-shell';
import { createEngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';

const look = testTool('look', ['read-only'], async () => said('seen'), { supportsParallel: true });
const change = testTool('change', ['writes-files'], async () => said('changed'));
const shell = { ...execShell, execute: async () => said('ran') };
const commands = ['ls', 'git status && rm -r build', 'git log | head -3', 'npm test', 'npm test -- --watch', 'git push', 'echo $(cat a)'];

const call: fc.Arbitrary<TestCall> = fc.oneof(
  fc.record({ name: fc.constant('look'), input: fc.record({ n: fc.nat(3) }) }),
  fc.record({ name: fc.constantFrom('change', 'Change', 'chnge'), input: fc.record({ n: fc.nat(2) }) }),
  fc.constant({ name: 'change', raw: '{"n": 1,}' }),
  fc.record({ name: fc.constant('exec_shell'), input: fc.record({ command: fc.constantFrom(...commands) }) }),
);
const action = fc.oneof(
  fc.record({ kind: fc.constant('turn' as const), calls: fc.array(call, { minLength: 1, maxLength: 4 }) }),
  fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom<Mode>('plan', 'ask', 'auto-edit', 'auto') }),
);
const answers = fc.array(fc.constantFrom<ApprovalChoice | 'mode'>('once', 'session', 'always', 'deny', 'stop', 'mode'), { minLength: 1, maxLength: 12 });

/** Plays the actions; every prompt gets the next answer, `mode` = the person switches to auto instead and then says no. */
async function play(actions: readonly { kind: string; calls?: readonly TestCall[]; mode?: Mode }[], choices: readonly (ApprovalChoice | 'mode')[]) {
  let calls: readonly TestCall[] | undefined;
  const world = await createEngineWorld({
    tools: [look, change, shell],
    model() {
      const step = calls === undefined ? { text: 'done' } : { calls };
      calls = undefined;
      return step;
    },
  });
  const { engine, sessionId, clock } = world;
  let next = 0;
  for (const one of actions) {
    if (one.mode !== undefined) {
      await engine.command({ type: 'mode-set', sessionId, mode: one.mode });
      continue;
    }
    calls = one.calls;
    await world.send('go');
    for (let open = openPrompt(world.events); open !== undefined; open = openPrompt(world.events)) {
      const choice = choices[next++ % choices.length] as ApprovalChoice | 'mode';
      if (choice === 'mode') await engine.command({ type: 'mode-set', sessionId, mode: 'auto' });
      await engine.command({ type: 'approval-answer', sessionId, answer: { approvalId: open, choice: choice === 'mode' ? 'deny' : choice } });
      await clock.settle();
    }
  }
  return world.events;
}

function openPrompt(events: readonly EngineEvent[]) {
  const ended = new Set(events.flatMap((event) => (event.type === 'approval-end' ? [event.approvalId] : [])));
  return events.flatMap((event) => (event.type === 'approval-start' ? [event.request.approvalId] : [])).find((id) => !ended.has(id));
}

const decisions = ({ replayed }: ReplayedLog) =>
  replayed.flatMap((one) => {
    if (one.moment === 'log') return [];
    const said = one.moment === 'stopped' ? 'stopped' : `${one.logged} ${one.moment === 'loop-guard' ? one.now : one.now.decision} ${one.same}`;
    return [[one.tool, one.moment, said]];
  });

describe('the log alone', () => {
  it('decides again as it was decided, whatever was called, answered and switched', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 4 }), answers, async (actions, choices) => {
        const events = await play(actions, choices);
        const text = events.map((event) => JSON.stringify(event)).join('\n');
        const [read] = [...readLog(text).sessions.values()];
        expect(replayLog(read ?? []).replayed.filter((one) => one.moment !== 'stopped' && !one.same)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  }, 240_000);

  it('tells a grant, a denial and a prompt that a mode let pass', async () => {
    const run = (command: string) => ({ kind: 'turn', calls: [{ name: 'exec_shell', input: { command } }] });
    const events = await play(
      [run('npm test'), run('npm test -- --watch'), run('git push'), run('git push'), { kind: 'turn', calls: [{ name: 'change' }] }],
      ['session', 'deny', 'mode'],
    );
    expect(decisions(replayLog(events))).toEqual([
      ['exec_shell', 'plan', 'ask ask true'],
      ['exec_shell', 'plan', 'allow allow true'],
      ['exec_shell', 'plan', 'ask ask true'],
      ['exec_shell', 'plan', 'deny deny true'],
      ['change', 'plan', 'ask ask true'],
      ['change', 'reconsidered', 'allow allow true'],
    ]);
  });

  it('asks the loop guard again: the third equal call is stopped, and a log that says otherwise does not reproduce', async () => {
    const look = { name: 'look', input: {} };
    const events = await play(
      [
        { kind: 'turn', calls: [look, look, look] },
        { kind: 'turn', calls: [look] },
      ],
      [],
    );
    expect(decisions(replayLog(events))).toEqual([
      ['look', 'plan', 'allow allow true'],
      ['look', 'plan', 'allow allow true'],
      ['look', 'loop-guard', 'stopped stopped true'],
      ['look', 'plan', 'allow allow true'],
    ]);
    const withoutStop = events.map((event) =>
      event.type === 'plan-end' && event.calls.length === 3
        ? { ...event, calls: event.calls.map((one, index) => (index === 2 ? { ...event.calls[1], callId: one.callId, index: 2 } : one)) }
        : event,
    ) as typeof events;
    expect(decisions(replayLog(withoutStop)).filter(([, , said]) => said?.endsWith('false'))).toEqual([['look', 'loop-guard', 'passed stopped false']]);
  });

  it('that was changed afterwards does not reproduce', async () => {
    const events = await play([{ kind: 'turn', calls: [{ name: 'change' }] }], ['once']);
    const forged = events.map((event) =>
      event.type === 'plan-end' ? { ...event, calls: event.calls.map((one) => ({ ...one, decision: 'run' as const })) } : event,
    );
    expect(decisions(replayLog(forged))).toEqual([['change', 'plan', 'allow ask false']]);
  });

  it('shows what another policy would decide otherwise', async () => {
    const events = await play([{ kind: 'turn', calls: [{ name: 'look' }, { name: 'change' }] }], ['once']);
    const policy = readPolicyFile(
      JSON.stringify({
        version: 1,
        default: 'ask',
        shell: { allow: [], ask: [], deny: [] },
        hosts: { allow: [], deny: [], default: 'ask' },
        rules: [{ effect: 'deny', tool: 'change', reason: 'not today' }],
      }),
    );
    expect(decisions(replayLog(events, policy))).toEqual([
      ['look', 'plan', 'allow allow true'],
      ['change', 'plan', 'ask deny false'],
    ]);
  });
});

describe('npm run replay', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'replay-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const replay = (...args: readonly string[]) => {
    const ran = spawnSync(process.execPath, ['scripts/replay.mjs', ...args], { encoding: 'utf8' });
    return { code: ran.status, out: ran.stdout, err: ran.stderr };
  };

  const numberedAnew = () => {
    let seq = 0;
    return () => `"seq":${seq++}`;
  };

  it.each([
    [['missing.jsonl'], /^There is no file missing\.jsonl\.\n$/],
    [['test'], /^test is a folder; the name of a file is wanted\.\n$/],
    [['package.json', '--polcy', 'x'], /^Unknown option '--polcy'.*\n\nusage: npm run replay/s],
    [[], /^One LOG is wanted\.\n\nusage: /],
    [['package.json'], /^Line 1 is not JSON .*\n$/],
  ])('says in a sentence what is wrong with %j', (args, words) => {
    const { code, out, err } = replay(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(words);
    expect(err).not.toMatch(/^ +at /m);
  });

  it('takes what a turn printed, names what differs under another policy, and fails on a log with a hole', () => {
    const log = execFileSync(process.execPath, ['scripts/turn.mjs', '--task', 'watch-it-misbehave', '--approve', 'none', '--json'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const file = path.join(folder, 'log.jsonl');
    writeFileSync(file, log);
    const whole = replay(file);
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(whole.out).toMatch(/rm -rf src\n {7}deny: denial: You denied exactly this call in this session\./);
    expect(whole.out).toMatch(/\n\d+ decisions made again, 0 not reproduced; 2 calls were stopped before anything was decided about them\n$/);

    const policy = path.join(folder, 'policy.json');
    writeFileSync(
      policy,
      JSON.stringify({ version: 1, default: 'ask', shell: { allow: [], ask: [], deny: ['rm *'] }, hosts: { allow: [], deny: [], default: 'ask' }, rules: [] }),
    );
    const other = replay(file, '--policy', policy);
    expect([other.code, other.err]).toEqual([0, '']);
    expect(other.out).toMatch(/rm -rf src\n {7}ask → deny: shell-policy: .*differs/);

    // The last event is cut in the middle, as a dying tab leaves it.
    writeFileSync(file, log.trimEnd().slice(0, -20));
    const torn = replay(file);
    expect([torn.code, torn.err]).toEqual([0, '']);
    expect(torn.out).toMatch(
      /the log ends inside of a turn .*\nline \d+ breaks off in the middle of an event and is left out\n\d+ decisions made again, 0 not/,
    );
    writeFileSync(file, log.replace(/^.*"type":"plan-end".*\n/gm, '').replace(/"seq":\d+/g, numberedAnew()));
    const planless = replay(file);
    expect([planless.code, planless.err]).toEqual([1, '']);
    expect(planless.out).toMatch(/the log cannot be true here: \S+ started, and the log holds no decision about it {2}NOT REPRODUCED/);

    writeFileSync(file, log.split('\n').slice(1).join('\n'));
    expect(replay(file)).toEqual({ code: 1, out: '', err: 'Line 1 is numbered 1, and 0 is due: the log has a hole.\n' });
    writeFileSync(policy, '{"version": 1, "dney": []}');
    writeFileSync(file, log);
    const asking = replay(file, '--policy', policy);
    expect([asking.code, asking.err]).toEqual([0, '']);
    expect(asking.out).toMatch(/does not load: line 1, column \d+: .* asks for everything/);
    expect(asking.out).toMatch(/allow → ask: policy-broken: The policy file does not load.* Line 1, column \d+/);
  });
});
