import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';
import type { Repair } from '@/lib/contracts/plan';
import type { CallFacts, Policy, Standing, Verdict } from '@/lib/contracts/policy';
import { approvalLevelOf } from '@/lib/policy/approval-level';
import { decide } from '@/lib/policy/decide';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantKey } from '@/lib/policy/grant-key';
import { policyWithoutRules } from '@/lib/policy/starter-policy';
import type { JsonObject } from '@/lib/shared/json';

const facts = (tool: string, capabilities: readonly Capability[], input: JsonObject = {}, over: Partial<CallFacts> = {}): CallFacts => ({
  tool,
  input,
  capabilities,
  inputLevel: approvalLevelOf(capabilities),
  repairs: [],
  writes: [],
  ...over,
});
const shell = (command: string, over: Partial<CallFacts> = {}) => facts('exec_shell', ['executes-code', 'sandboxable'], { command }, over);
const standing = (mode: Mode, over: Partial<Standing> = {}): Standing => ({ mode, grants: new Set(), denials: new Set(), ...over });
const granted = (...commands: string[]) => new Set(commands.map((command) => grantKey('exec_shell', { command })).filter((key) => key !== undefined));
const said = ({ decision, trace }: Verdict) => [decision, trace.find((entry) => entry.decided)?.rule];
const repair: Repair = { kind: 'argument', rung: 'trailing_commas', note: 'a comma too many' };
const denying: Policy = { ...policyWithoutRules, default: 'allow', shell: { allow: ['*'], ask: ['npm publish *'], deny: ['rm *'] } };

describe('a command', () => {
  it('is decided part by part by the starter policy where the workspace has none', () => {
    expect(['ls -la', 'git diff | head', 'npm test', 'ls && npm test'].map((command) => said(decide(shell(command), standing('ask'))))).toEqual([
      ['allow', 'shell-policy'],
      ['allow', 'shell-policy'],
      ['ask', 'shell-policy'],
      ['ask', 'shell-policy'],
    ]);
  });

  it('passes when its family was allowed before, also as a part', () => {
    const grants = granted('npm test');
    expect(
      ['npm test -- x', 'npm test | head -3', 'npm test && rm x', 'npm run x'].map((command) => said(decide(shell(command), standing('ask', { grants })))),
    ).toEqual([
      ['allow', 'grant'],
      ['allow', 'grant'],
      ['ask', 'shell-policy'],
      ['ask', 'shell-policy'],
    ]);
  });

  it('is denied by a deny rule whatever was allowed before, and a denial comes first', () => {
    const grants = granted('rm x', 'npm publish');
    const denials = new Set([exactFingerprint('exec_shell', { command: 'npm publish' })]);
    expect([
      said(decide(shell('rm x'), standing('auto', { grants, policy: denying }))),
      said(decide(shell('npm publish'), standing('ask', { grants, policy: denying }))),
      said(decide(shell('npm publish'), standing('ask', { grants, denials }))),
    ]).toEqual([
      ['deny', 'shell-policy'],
      ['allow', 'grant'],
      ['deny', 'denial'],
    ]);
  });

  it('is told which part and which rule denied it (cl-16)', () => {
    const { trace } = decide(shell('ls; rm -rf x'), standing('ask', { policy: denying }));
    expect(trace.slice(1)).toEqual([
      { rule: 'shell-part', evidence: '"ls": The allow rule "*" fits it.', verdict: 'allow' },
      { rule: 'shell-part', evidence: '"rm -rf x": The deny rule "rm *" fits it.', verdict: 'deny' },
      { rule: 'shell-policy', evidence: '1 of its 2 parts is denied, first "rm -rf x": The deny rule "rm *" fits it.', verdict: 'deny', decided: true },
    ]);
  });

  it('asks when it was repaired, though a rule or the mode would let it pass', () => {
    expect([
      said(decide(shell('ls', { repairs: [repair] }), standing('ask'))),
      said(decide(shell('npm test', { repairs: [repair] }), standing('auto'))),
    ]).toEqual([
      ['ask', 'repaired-call'],
      ['ask', 'repaired-call'],
    ]);
  });

  it('has its parts in the verdict', () => {
    expect(decide(shell('ls'), standing('ask')).parts).toEqual([
      { text: 'ls', from: 0, to: 2, verdict: 'allow', rule: 'ls *', evidence: 'The allow rule "ls *" fits it.' },
    ]);
  });

  it('of a thousand parts leaves a trace of twenty', () => {
    const { trace } = decide(shell('ls;'.repeat(1_000)), standing('ask'));
    expect([trace.length, trace.at(-2)?.evidence]).toEqual([23, 'And 980 more.']);
  });
});

describe('any other call', () => {
  it('is decided by level and mode', () => {
    const tools = {
      read: facts('read_file', ['read-only']),
      write: facts('write_file', ['writes-files'], { path: 'a' }, { writes: ['a'] }),
      run: facts('run_it', ['executes-code']),
      leave: facts('exit_plan_mode', ['read-only', 'requires-approval']),
    };
    const table = (['plan', 'ask', 'auto-edit', 'auto'] as const).map((mode) => Object.values(tools).map((call) => decide(call, standing(mode)).decision));
    expect(table).toEqual([
      ['allow', 'deny', 'deny', 'ask'],
      ['allow', 'ask', 'ask', 'ask'],
      ['allow', 'allow', 'ask', 'ask'],
      ['allow', 'allow', 'allow', 'allow'],
    ]);
  });

  it('that writes a protected path asks in every mode but plan', () => {
    const paths = ['gatehouse.policy.json', '.git/config', 'sub/.git/hooks/x'];
    const write = (path: string) => facts('write_file', ['writes-files'], { path }, { writes: [path] });
    expect(paths.map((path) => said(decide(write(path), standing('auto'))))).toEqual(paths.map(() => ['ask', 'protected-path']));
    expect([decide(write('sub/gatehouse.policy.json'), standing('auto')).decision, decide(write('.gitignore'), standing('auto')).decision]).toEqual([
      'allow',
      'allow',
    ]);
  });

  it('that fetches asks for its host in every mode, once', () => {
    const fetch = (url: string) => facts('fetch_url', ['read-only', 'network'], { url });
    const grants = new Set([grantKey('fetch_url', { url: 'https://a.example/x' }) as string]);
    expect([
      ...(['plan', 'ask', 'auto'] as const).map((mode) => said(decide(fetch('https://a.example/'), standing(mode)))),
      said(decide(fetch('https://a.example/y'), standing('ask', { grants }))),
    ]).toEqual([
      ['ask', 'host'],
      ['ask', 'host'],
      ['ask', 'host'],
      ['allow', 'grant'],
    ]);
  });
});
