import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';
import type { CallFacts, Decision, Policy, PolicyRule, Standing } from '@/lib/contracts/policy';
import { approvalLevelOf } from '@/lib/policy/approval-level';
import { decide } from '@/lib/policy/decide';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantKey } from '@/lib/policy/grant-key';
import { isBroken, readPolicyFile } from '@/lib/policy/policy-file';
import { policyText, withRule } from '@/lib/policy/policy-text';
import { fitsRule } from '@/lib/policy/rule-fit';
import { policyWithoutRules } from '@/lib/policy/starter-policy';
import type { JsonObject } from '@/lib/shared/json';

const runs = { numRuns: 1000 };
const decision = fc.constantFrom<Decision>('allow', 'ask', 'deny');
const mode = fc.constantFrom<Mode>('plan', 'ask', 'auto-edit', 'auto');
const path = fc.constantFrom('src/a.ts', 'secrets/k.md', 'README.md', 'gatehouse.policy.json', '.git/config');
const command = fc.constantFrom(
  'ls',
  'npm test',
  'npm publish',
  'cat secrets/k.md',
  'cat $HOME/secrets/k.md && ls',
  'echo x > src/a.ts',
  'sudo rm -rf /',
  '$X y',
  "sh -c 'npm publish'",
  'cp a gatehouse.policy.json',
);
const capabilities: Readonly<Record<string, readonly Capability[]>> = {
  exec_shell: ['executes-code', 'sandboxable'],
  read_file: ['read-only', 'sandboxable'],
  write_file: ['writes-files', 'sandboxable'],
  fetch_url: ['read-only', 'network'],
  mcp__docs__search: ['network', 'requires-approval'],
};
const facts = fc
  .record({
    tool: fc.constantFrom(...Object.keys(capabilities)),
    path,
    command,
    url: fc.constantFrom('https://docs.example.com/', 'https://bad.example.org/', 'http://127.0.0.1/'),
    lang: fc.constantFrom('en', 'de'),
    repaired: fc.boolean(),
    outside: fc.boolean(),
  })
  .map(({ tool, path: where, command: line, url, lang, repaired, outside }): CallFacts => {
    const input: JsonObject =
      tool === 'exec_shell' ? { command: line } : tool === 'fetch_url' ? { url } : tool === 'mcp__docs__search' ? { lang } : { path: where };
    const own = capabilities[tool] as readonly Capability[];
    return {
      tool,
      input,
      capabilities: own,
      inputLevel: approvalLevelOf(own),
      repairs: repaired ? [{ kind: 'argument', rung: 'trailing_commas', note: '' }] : [],
      writes: tool === 'write_file' ? [where] : [],
      ...(tool === 'read_file' ? { reads: [where] } : {}),
      ...(outside ? { outside: [{ field: 'x', source: 'a.example', text: 'sixteen bytes in' }] } : {}),
      ...(tool === 'mcp__docs__search' ? { definition: 'sha256:a' } : {}),
    };
  });
const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const conditions = fc
  .record({
    tool: optional(fc.constantFrom('*', 'exec_shell', 'read_file', 'write_*', 'mcp__docs__*', 'fetch_url')),
    path: optional(fc.constantFrom('secrets/**', '~/secrets/**', '*.md', 'src/*', '**')),
    args: optional(fc.constantFrom({ lang: 'en' }, { command: 'npm publish' }, { command: 'ls' })),
    capability: optional(fc.constantFrom<Capability>('executes-code', 'read-only', 'network')),
    origin: optional(fc.constant('outside' as const)),
    definition: optional(fc.constantFrom('sha256:a', 'sha256:b')),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Omit<PolicyRule, 'effect'>);
const rule = fc.tuple(decision, conditions).map(([effect, rest]): PolicyRule => ({ effect, ...rest }));
/** A deny rule that fits this call, by the conditions that the bits of `chosen` name. */
function denying(call: CallFacts, chosen: number): PolicyRule {
  const touched = [...(call.reads ?? []), ...call.writes][0];
  const met: readonly Omit<PolicyRule, 'effect'>[] = [
    { tool: chosen % 2 === 0 ? '*' : call.tool },
    { capability: call.capabilities[0] as Capability },
    touched === undefined ? {} : { path: `~/${touched.split('/')[0]}` },
    { args: call.input },
    call.outside === undefined ? {} : { origin: 'outside' },
    call.definition === undefined ? {} : { definition: call.definition },
  ];
  return Object.assign({ effect: 'deny' as const, tool: '*' }, ...met.filter((_, bit) => (chosen >> bit) % 2 === 1));
}

const shellRule = fc.constantFrom('*', 'ls *', 'npm test', 'npm publish *', 'cat *', 'echo *', 'rm *', 'sudo *');
const hostEntry = fc.constantFrom('docs.example.com', '.example.org', '127.0.0.1');
const list = <Value>(values: fc.Arbitrary<Value>) => fc.array(values, { maxLength: 3 });
const policy = fc.record({
  version: fc.constant(1 as const),
  default: decision,
  shell: fc.record({ allow: list(shellRule), ask: list(shellRule), deny: list(shellRule) }),
  hosts: fc.record({ allow: list(hostEntry), ask: list(hostEntry), deny: list(hostEntry), default: decision }),
  rules: list(rule),
});
const standing = (given: Policy, at: Mode, remembered: readonly CallFacts[]): Standing => ({
  mode: at,
  policy: given,
  grants: new Set(remembered.flatMap(({ tool, input }) => grantKey(tool, input) ?? [])),
  denials: new Set(),
});
const remembered = fc.array(facts, { maxLength: 2 });

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}

describe('a decision', () => {
  it('is pure: it changes nothing, has one deciding entry, and is the same for equal values', () => {
    fc.assert(
      fc.property(facts, policy, mode, remembered, (call, given, at, before) => {
        const own = standing(frozen(given), at, before);
        const first = decide(frozen(call), own);
        const again = decide(structuredClone(call), { ...standing(structuredClone(given), at, before) });
        expect(again).toEqual(first);
        expect(first.trace.filter((entry) => entry.decided).map((entry) => entry.verdict)).toEqual([first.decision]);
      }),
      runs,
    );
  });

  it('is deny where a deny rule fits, whatever else the policy, the mode and the grants say', () => {
    fc.assert(
      fc.property(facts, policy, mode, fc.nat(63), fc.nat(3), remembered, (call, given, at, chosen, index, before) => {
        const deny = denying(call, chosen);
        expect(fitsRule(deny, call)).toBe('yes');
        const rules = given.rules.toSpliced(Math.min(index, given.rules.length), 0, deny);
        expect(decide(call, standing({ ...given, rules }, at, [...before, call])).decision).toBe('deny');
      }),
      runs,
    );
  });

  it('that is deny stays deny, and one that asks is never denied, when an allow rule, entry or command is added', () => {
    const addition = fc.oneof(
      conditions.map(
        (met) =>
          (given: Policy): Policy => ({ ...given, rules: [{ effect: 'allow', ...met }, ...given.rules] }),
      ),
      shellRule.map(
        (entry) =>
          (given: Policy): Policy => ({ ...given, shell: { ...given.shell, allow: [entry, ...given.shell.allow] } }),
      ),
      hostEntry.map(
        (entry) =>
          (given: Policy): Policy => ({ ...given, hosts: { ...given.hosts, allow: [entry, ...given.hosts.allow] } }),
      ),
    );
    fc.assert(
      fc.property(facts, policy, mode, addition, remembered, (call, given, at, add, before) => {
        // A default of deny is what holds without a rule; an allow rule is there to lift it.
        fc.pre(given.default !== 'deny' && given.hosts.default !== 'deny');
        const was = decide(call, standing(given, at, before)).decision;
        const is = decide(call, standing(add(given), at, before)).decision;
        expect([was, is]).not.toEqual(['deny', 'ask']);
        expect([was, is]).not.toEqual(['deny', 'allow']);
        expect([was, is]).not.toEqual(['ask', 'deny']);
      }),
      runs,
    );
  });

  it('under a policy that does not load is never allow', () => {
    fc.assert(
      fc.property(facts, mode, remembered, fc.boolean(), (call, at, before, isDenied) => {
        const denials = new Set(isDenied ? [exactFingerprint(call.tool, call.input)] : []);
        const broken = { broken: { message: 'x', line: 1, column: 1 } };
        const isReadOnly = call.capabilities.includes('read-only');
        const { grants } = standing(policyWithoutRules, at, [...before, call]);
        expect(decide(call, { mode: at, policy: broken, grants, denials }).decision).toBe(isDenied || (at === 'plan' && !isReadOnly) ? 'deny' : 'ask');
      }),
      runs,
    );
  });

  it('never lets a protected path be written by a rule', () => {
    fc.assert(
      fc.property(facts, policy, mode, (call, given, at) => {
        fc.pre(call.writes.some((one) => one.startsWith('gatehouse') || one.startsWith('.git')) || call.input['command'] === 'cp a gatehouse.policy.json');
        expect(decide(call, standing({ ...given, rules: [{ effect: 'allow', tool: '*' }, ...given.rules] }, at, [])).decision).not.toBe('allow');
      }),
      runs,
    );
  });
});

describe('the text of a policy', () => {
  it('is read back as it was, and a rule that is added loses nothing', () => {
    const definition = `sha256:${'a'.repeat(64)}`;
    fc.assert(
      fc.property(policy, rule, (given, made) => {
        const legal = (one: PolicyRule): PolicyRule => ({ ...one, tool: one.tool ?? '*', ...(one.definition === undefined ? {} : { definition }) });
        const own: Policy = { ...given, rules: given.rules.map(legal) };
        const added = { ...legal(made), effect: 'allow' as const };
        expect(readPolicyFile(policyText(own))).toEqual(own);
        const read = readPolicyFile(withRule(JSON.stringify(own), { list: 'rules', rule: added }));
        if (isBroken(read)) throw new Error(read.broken.message);
        expect(own.rules.every((one) => read.rules.some((kept) => JSON.stringify(kept) === JSON.stringify(one)))).toBe(true);
        expect([{ ...read, rules: [] }, read.rules.some((one) => JSON.stringify(one) === JSON.stringify(added))]).toEqual([{ ...own, rules: [] }, true]);
      }),
      runs,
    );
  });
});
