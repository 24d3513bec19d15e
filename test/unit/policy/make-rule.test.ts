import { describe, expect, it } from 'vitest';
import type { Capability } from '@/lib/contracts/outcome';
import type { CallFacts, Policy } from '@/lib/contracts/policy';
import { approvalLevelOf } from '@/lib/policy/approval-level';
import { decide } from '@/lib/policy/decide';
import { narrowestRule, newRuleWords } from '@/lib/policy/make-rule';
import { isBroken, readPolicyFile } from '@/lib/policy/policy-file';
import { policyText, withRule } from '@/lib/policy/policy-text';
import { starterPolicy } from '@/lib/policy/starter-policy';
import type { JsonObject } from '@/lib/shared/json';

const facts = (tool: string, capabilities: readonly Capability[], input: JsonObject, over: Partial<CallFacts> = {}): CallFacts => ({
  tool,
  input,
  capabilities,
  inputLevel: approvalLevelOf(capabilities),
  repairs: [],
  writes: [],
  ...over,
});
const shell = (command: string, more: JsonObject = {}) => facts('exec_shell', ['executes-code', 'sandboxable'], { command, ...more });
const write = (path: string) => facts('write_file', ['writes-files'], { path, content: 'x' }, { writes: [path] });
const definition = `sha256:${'a'.repeat(64)}`;
const served = (input: JsonObject, own = definition) => facts('mcp__docs__search', ['network', 'requires-approval'], input, { definition: own });

/** The file that the button would write for a call, read again. */
function ruled(call: CallFacts, text: string | null = null): Policy {
  const made = narrowestRule(call);
  const read = made === undefined ? undefined : readPolicyFile(withRule(text, made));
  if (read === undefined || isBroken(read)) throw new Error('no rule was made');
  return read;
}
const decided = (policy: Policy, ...calls: readonly CallFacts[]) =>
  calls.map((call) => decide(call, { mode: 'ask', policy, grants: new Set(), denials: new Set() }).decision);

describe('the narrowest rule of a call', () => {
  it('is, of a plain command, its words', () => {
    const policy = ruled(shell('npm run build', { timeout_ms: 5 }));
    expect(decided(policy, shell('npm run build'), shell('npm run build && ls'), shell('npm run build -x'), shell('npm run test'))).toEqual([
      'allow',
      'allow',
      'ask',
      'ask',
    ]);
  });

  it('never opens a wrapper, an interpreter or a package runner: only exactly this command (cl-15)', () => {
    const commands = [
      'sudo ls',
      'env A=1 ls',
      'xargs ls',
      "sh -c 'ls'",
      "node -e '1'",
      "python -c '1'",
      'A=1 npm test',
      'npm test > ../x',
      '$X',
      'a && b',
      "echo '*'",
    ];
    for (const command of commands) {
      const policy = ruled(shell(command));
      expect([command, policy.shell, policy.rules]).toEqual([command, starterPolicy.shell, [{ effect: 'allow', tool: 'exec_shell', args: { command } }]]);
      expect([
        command,
        ...decided(policy, shell(command), shell(`${command} x`), shell(command, { stdin: 'rm -rf x' }), shell(command, { cwd: 'src' })),
      ]).toEqual([command, 'allow', 'ask', 'ask', 'ask']);
    }
    expect(decided(ruled(shell('npx cowsay')), shell('npx cowsay'), shell('npx rimraf'), shell('npx cowsay x'))).toEqual(['allow', 'ask', 'ask']);
  });

  it('of a package runner covers that command and no other one (cl-15)', () => {
    for (const command of ['npx cowsay', 'npm exec cowsay', 'pnpm dlx cowsay', 'bunx cowsay']) {
      const policy = ruled(shell(command));
      const others = [`${command} b`, `${command}2`, command.replace('cowsay', 'rimraf'), `${command} && ${command} b`];
      expect([command, decided(policy, shell(command), ...others.map((other) => shell(other)))]).toEqual([command, ['allow', 'ask', 'ask', 'ask', 'ask']]);
    }
  });

  it('names folder and input of a command that brings them', () => {
    const call = shell('cat', { stdin: 'a', cwd: 'src' });
    expect(narrowestRule(call)).toEqual({ list: 'rules', rule: { effect: 'allow', tool: 'exec_shell', args: { command: 'cat', stdin: 'a', cwd: 'src' } } });
  });

  it('is, of a tool that writes, its one path and no other of that name', () => {
    const policy = ruled(write('README.md'));
    expect(decided(policy, write('README.md'), write('src/README.md'), write('README.mdx'))).toEqual(['allow', 'ask', 'ask']);
    expect(decided(ruled(write('a/[id].ts')), write('a/[id].ts'), write('a/i.ts'))).toEqual(['allow', 'ask']);
  });

  it('is bound to the definition of an external tool', () => {
    const policy = ruled(served({ q: 'x' }));
    expect(policy.rules).toEqual([{ effect: 'allow', tool: 'mcp__docs__search', args: { q: 'x' }, definition }]);
    expect(decided(policy, served({ q: 'x' }), served({ q: 'y' }), served({ q: 'x' }, `sha256:${'b'.repeat(64)}`))).toEqual(['allow', 'ask', 'ask']);
  });

  it('is, of a fetch, its host', () => {
    const fetched = (url: string) => facts('fetch_url', ['read-only', 'network'], { url });
    const policy = ruled(fetched('https://Docs.example.com./a'));
    expect([policy.hosts.allow, decided(policy, fetched('https://docs.example.com/b'), fetched('https://a.docs.example.com/'))]).toEqual([
      ['docs.example.com'],
      ['allow', 'ask'],
    ]);
  });

  it('is none for what the law protects', () => {
    expect(['gatehouse.policy.json', '.git/config'].map((path) => narrowestRule(write(path)))).toEqual([undefined, undefined]);
  });

  it('says in words what it will be', () => {
    expect([shell('npm test'), shell('sudo ls'), write('a.md'), served({ q: 1 })].map((call) => newRuleWords(narrowestRule(call) as never))).toEqual([
      'allow the command npm test',
      'allow exec_shell with {"command":"sudo ls"}',
      'allow write_file on ./a.md, with any other arguments',
      'allow mcp__docs__search with {"q":1} defined as sha256:aaaaaaaaaaaa…',
    ]);
  });
});

describe('a policy file with one rule more', () => {
  const made = narrowestRule(shell('npm test')) as never;

  it('loses nothing, and is the same where the rule stands there already', () => {
    const before = '{"$schema":"x","version":1,"rules":[{"effect":"deny","tool":"*","path":"secrets/**","reason":"keys"}],"shell":{"deny":["rm *"]}}';
    const after = withRule(before, made);
    expect(after).toBe(`{
  "$schema": "x",
  "version": 1,
  "rules": [{ "effect": "deny", "tool": "*", "path": "secrets/**", "reason": "keys" }],
  "shell": { "deny": ["rm *"], "allow": ["npm test"] }
}
`);
    expect(withRule(after, made)).toBe(after);
  });

  it('is made from the starter policy where there is none', () => {
    expect(withRule(null, made)).toBe(policyText({ ...starterPolicy, shell: { ...starterPolicy.shell, allow: [...starterPolicy.shell.allow, 'npm test'] } }));
  });
});
