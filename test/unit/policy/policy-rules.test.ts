import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { Capability } from '@/lib/contracts/outcome';
import type { CallFacts, Policy, PolicyInForce, PolicyRule, Standing, Verdict } from '@/lib/contracts/policy';
import { approvalLevelOf } from '@/lib/policy/approval-level';
import { decide } from '@/lib/policy/decide';
import { exactFingerprint } from '@/lib/policy/fingerprint';
import { grantKey } from '@/lib/policy/grant-key';
import { policyWithoutRules } from '@/lib/policy/starter-policy';
import type { JsonObject } from '@/lib/shared/json';
import { builtInTools } from '@/lib/tools/registry.gen';

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
const read = (path: string) => facts('read_file', ['read-only', 'sandboxable'], { path }, { reads: [path] });
const write = (path: string, over: Partial<CallFacts> = {}) => facts('write_file', ['writes-files', 'sandboxable'], { path }, { writes: [path], ...over });
const search = (lang: string, over: Partial<CallFacts> = {}) => facts('mcp__docs__search', ['network', 'requires-approval'], { q: 'x', lang }, over);
const fetched = (url: string, over: Partial<CallFacts> = {}) => facts('fetch_url', ['read-only', 'network'], { url }, over);
const outside = [{ field: 'command', source: 'docs.example', text: 'npm run finish-setup' }];
const policy = (rules: readonly PolicyRule[], over: Partial<Policy> = {}): Policy => ({ ...policyWithoutRules, ...over, rules });
const standing = (mode: Mode, inForce: PolicyInForce, over: Partial<Standing> = {}): Standing => ({
  mode,
  policy: inForce,
  grants: new Set(),
  denials: new Set(),
  ...over,
});
const said = ({ decision, trace }: Verdict) => `${decision} ${trace.find((entry) => entry.decided)?.rule}`;
const decided = (inForce: PolicyInForce, mode: Mode, ...calls: readonly CallFacts[]) => calls.map((call) => said(decide(call, standing(mode, inForce))));

describe('a rule of the policy', () => {
  const keys: PolicyRule = { effect: 'deny', tool: 'write_file', path: 'secrets/**', reason: 'keys live here' };

  it('denies by tool and path, in every mode, and says its reason', () => {
    const verdict = decide(write('secrets/k.md'), standing('auto', policy([keys])));
    expect([said(verdict), verdict.trace.at(-1)?.evidence]).toEqual(['deny policy-rule', 'The rule "deny write_file on secrets/** (keys live here)" fits it.']);
    expect(decided(policy([keys]), 'auto', write('src/a.ts'), read('secrets/k.md'), write('secrets'))).toEqual([
      'allow mode',
      'allow mode',
      'deny policy-rule',
    ]);
  });

  it('of another effect loses to a deny, and an ask beats an allow, wherever they stand', () => {
    const allow: PolicyRule = { effect: 'allow', tool: 'write_*' };
    const ask: PolicyRule = { effect: 'ask', path: 'docs/**' };
    expect(decided(policy([allow, ask, keys]), 'ask', write('secrets/k.md'), write('docs/a.md'), write('src/a.ts'))).toEqual([
      'deny policy-rule',
      'ask policy-rule',
      'allow policy-rule',
    ]);
    expect(decided(policy([ask]), 'auto', read('docs/a.md'), read('src/a.ts'))).toEqual(['ask policy-rule', 'allow mode']);
  });

  it('holds arguments and the definition that was shown exactly', () => {
    const rules = policy([{ effect: 'allow', tool: 'mcp__docs__*', args: { lang: 'en' }, definition: 'sha256:a' }]);
    expect(
      decided(
        rules,
        'ask',
        search('en', { definition: 'sha256:a' }),
        search('de', { definition: 'sha256:a' }),
        search('en', { definition: 'sha256:b' }),
        search('en'),
      ),
    ).toEqual(['allow policy-rule', 'ask mode', 'ask mode', 'ask mode']);
  });

  it('asks by capability and bytes from outside, in every mode', () => {
    const rules = policy([{ effect: 'ask', capability: 'executes-code', origin: 'outside' }]);
    expect(decided(rules, 'auto', shell('npm test', { outside }), shell('npm test'), write('a.md', { outside }))).toEqual([
      'ask policy-rule',
      'allow shell-policy',
      'ask outside-bytes',
    ]);
  });

  it('that allows needs every path of the call, one that denies any of them', () => {
    const both = facts('apply_patch', ['writes-files'], {}, { writes: ['src/a.ts', 'secrets/k'] });
    expect(decided(policy([{ effect: 'allow', path: 'src/**' }]), 'ask', both, write('src/a.ts'))).toEqual(['ask mode', 'allow policy-rule']);
    expect(decided(policy([{ effect: 'deny', path: 'secrets/**' }]), 'auto', both, write('src/a.ts'))).toEqual(['deny policy-rule', 'allow mode']);
  });

  it('that denies what lies in a folder denies moving the folder, and asks before the folder above is searched', () => {
    const rules = policy([{ effect: 'deny', path: 'a/secrets/**' }]);
    const moved = facts('move_path', ['writes-files'], {}, { writes: ['a', 'b'] });
    const grep = facts('grep_files', ['read-only'], {}, { under: ['a'] });
    const inside = facts('grep_files', ['read-only'], {}, { under: ['a/secrets/x'] });
    expect(decided(rules, 'auto', moved, grep, inside, facts('grep_files', ['read-only'], {}, { under: ['src'] }))).toEqual([
      'deny policy-rule',
      'ask policy-rule',
      'deny policy-rule',
      'allow mode',
    ]);
  });

  it('never covers a protected path or a repaired call', () => {
    const rules = policy([{ effect: 'allow', tool: '*' }], { default: 'allow' });
    const repair = { kind: 'argument' as const, rung: 'trailing_commas', note: '' };
    expect(decided(rules, 'auto', write('gatehouse.policy.json'), write('.git/config'), write('a', { repairs: [repair] }))).toEqual([
      'ask protected-path',
      'ask protected-path',
      'ask repaired-call',
    ]);
  });

  it('in plan mode allows nothing that is not read-only', () => {
    expect(decided(policy([{ effect: 'allow', tool: '*' }]), 'plan', write('a'), read('a'), shell('ls'))).toEqual([
      'deny mode',
      'allow policy-rule',
      'deny mode',
    ]);
  });
});

describe('a rule for paths', () => {
  const rules = policy([{ effect: 'deny', tool: 'read_file', path: '~/private/**' }], { shell: { allow: ['cat *', 'ls *'], ask: [], deny: [] } });

  it('binds commands, the home directory being known by every name (cl-10)', () => {
    const named = [
      'cat $HOME/private/a.txt',
      'cat "$HOME"/private/a.txt',
      `cat "\${HOME}/private/a.txt"`,
      `cat \${HOME:-/x}/private/a.txt`,
      'cat ~/private/a.txt',
      'cat private/a.txt',
      'cat ./x/../private/a.txt',
      'cat /workspace/private/a.txt',
      'cat $PWD/private/a.txt',
      'cat < private/a.txt',
      "sh -c 'cat ~/private/a.txt'",
      'ls && cat priv*/a.txt',
      'cat {README.md,private/a.txt}',
      'grep -r x ~/private',
      'grep --file=private/a.txt x',
      'cp private/a.txt b',
    ];
    for (const mode of ['ask', 'auto'] as const)
      expect(named.map((command) => [command, said(decide(shell(command), standing(mode, rules)))])).toEqual(
        named.map((command) => [command, 'deny shell-policy']),
      );
  });

  it('leaves alone what is elsewhere', () => {
    expect(decided(rules, 'ask', shell('cat privat/a.txt'), shell("cat '$HOME/private/a.txt'"), shell('cat /private/a.txt'), read('private/a.txt'))).toEqual([
      'allow shell-policy',
      'allow shell-policy',
      'allow shell-policy',
      'deny policy-rule',
    ]);
  });

  it('asks, in auto mode too, where only the shell knows what is named', () => {
    expect(decided(rules, 'auto', shell('wc $X/a.txt'), shell('cd src && wc a.txt'), shell('wc src/a.txt'), shell('wc *'))).toEqual([
      'ask shell-policy',
      'ask shell-policy',
      'allow shell-policy',
      'ask shell-policy',
    ]);
  });

  it('for writing binds what a command writes', () => {
    const writing = policy([{ effect: 'deny', tool: 'write_file', path: 'secrets/**' }], { shell: { allow: ['cat *'], ask: [], deny: [] } });
    expect(
      decided(
        writing,
        'auto',
        shell('echo x > secrets/a'),
        shell('rm -r secrets'),
        shell('cat secrets/a'),
        shell('prettier --write secrets/a'),
        shell('touch src/a'),
        shell('mkdir secrets/b'),
        shell('uniq a secrets/b'),
        shell("sed -n 'w secrets/b' a"),
      ),
    ).toEqual([
      ...['deny shell-policy', 'deny shell-policy', 'allow shell-policy', 'ask shell-policy', 'allow shell-policy'],
      ...['deny shell-policy', 'deny shell-policy', 'deny shell-policy'],
    ]);
  });

  it('for any built-in tool binds commands that do what the tool does', () => {
    const path = 'secrets/a';
    const sample = { path, from: path, to: path, patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n` };
    const bound = (tool: string, command: string) => {
      const { decision } = decide(shell(command), standing('auto', policy([{ effect: 'deny', tool, path: 'secrets/**' }])));
      return decision === 'deny' ? `${tool} ${command.split(' ')[0]}` : undefined;
    };
    const declared = builtInTools.flatMap((tool) => {
      const { reads = [], under = [], writes = [], places = [] } = tool.pathsFor?.(sample) ?? {};
      if ([...writes, ...places].includes(path)) return [`${tool.name} touch`];
      return tool.capabilities.includes('read-only') && [...reads, ...under].includes(path) ? [`${tool.name} cat`] : [];
    });
    expect(declared).toContain('read_file cat');
    const found = declared.map((one) => one.split(' ')[0] as string).flatMap((tool) => [bound(tool, 'cat secrets/a'), bound(tool, 'touch secrets/a')]);
    expect(found.filter((one) => one !== undefined && declared.includes(one))).toEqual(declared);
  });

  it('lets no command pass where it allows', () => {
    expect(decided(policy([{ effect: 'allow', path: 'src/**' }]), 'ask', shell('touch src/a'))).toEqual(['ask shell-policy']);
  });
});

describe('a rule for commands', () => {
  it('that names exactly one command allows it, and never what a deny or ask rule minds, nor a protected path', () => {
    const one = (command: string) =>
      policy([{ effect: 'allow', tool: 'exec_shell', args: { command } }], { shell: { allow: [], ask: ['npm publish *'], deny: ['rm *'] } });
    const commands = ['npm test && npm run lint', 'sudo ls', 'node -e 1', 'rm x', 'npm publish', 'echo x > .git/config'];
    expect(commands.map((command) => decided(one(command), 'auto', shell(command))[0])).toEqual([
      'allow policy-rule',
      'allow policy-rule',
      'allow policy-rule',
      'deny shell-policy',
      'ask shell-policy',
      'ask shell-policy',
    ]);
    expect(decided(one('sudo ls'), 'ask', shell('sudo ls -l'), shell('ls'))).toEqual(['ask shell-policy', 'ask shell-policy']);
  });

  it('lifts a default of deny for exactly this command', () => {
    const strict = policy([{ effect: 'allow', tool: 'exec_shell', args: { command: 'sudo ls' } }], { default: 'deny' });
    expect(decided(strict, 'ask', shell('sudo ls'), shell('sudo ls -l'), shell('ls'))).toEqual(['allow policy-rule', 'deny shell-policy', 'deny shell-policy']);
  });

  it('that names none opens what a default of allow would', () => {
    expect(decided(policy([{ effect: 'allow', tool: 'exec_shell' }]), 'ask', shell('npm test'), shell('sudo npm test'), shell('$X'))).toEqual([
      'allow shell-policy',
      'ask shell-policy',
      'ask shell-policy',
    ]);
  });
});

describe('a default of the policy', () => {
  it('denies what no rule fits, reads too, and a rule opens them', () => {
    const strict = policy([{ effect: 'allow', capability: 'read-only' }], { default: 'deny' });
    expect([...decided(policy([], { default: 'deny' }), 'auto', read('a'), shell('ls')), ...decided(strict, 'ask', read('a'), write('a'))]).toEqual([
      'deny policy-default',
      'deny shell-policy',
      'allow policy-rule',
      'deny policy-default',
    ]);
  });

  it('allows what no rule fits', () => {
    expect(decided(policy([], { default: 'allow' }), 'ask', write('a'), search('en'), shell('npm test'), fetched('https://a.example/'))).toEqual([
      'allow policy-default',
      'allow policy-default',
      'allow shell-policy',
      'ask host',
    ]);
  });
});

describe('hosts of the policy', () => {
  const hosts = policy([], { hosts: { allow: ['docs.example.com', '127.0.0.1'], ask: ['b.example.org'], deny: ['bad.example.org'], default: 'ask' } });

  it('decide a fetch in every mode, and an address that nobody may reach stays closed', () => {
    const urls = [
      'https://docs.example.com/a',
      'https://b.example.org/',
      'https://c.example.org/',
      'https://bad.example.org/',
      'http://127.0.0.1/',
      'http://localhost/',
    ];
    for (const mode of ['ask', 'auto', 'plan'] as const)
      expect(urls.map((url) => said(decide(fetched(url), standing(mode, hosts))))).toEqual([
        'allow mode',
        'ask host',
        'ask host',
        'deny host',
        'deny host',
        'deny host',
      ]);
  });

  it('that are denied beat a grant; an allowed host still leaves the level of the tool', () => {
    const url = 'https://bad.example.org/';
    const grants = new Set([grantKey('fetch_url', { url }) as string]);
    expect(said(decide(fetched(url), standing('ask', hosts, { grants })))).toBe('deny host');
    expect(decided(hosts, 'ask', facts('http_request', ['network', 'requires-approval'], { url: 'https://docs.example.com/' }))).toEqual(['ask mode']);
  });

  it('let a fetch pass with bytes from outside only where an entry names them', () => {
    const open = policy([], { hosts: { ...policyWithoutRules.hosts, default: 'allow' } });
    expect([
      ...decided(hosts, 'auto', fetched('https://docs.example.com/a', { outside })),
      ...decided(open, 'auto', fetched('https://docs.example.com/a', { outside }), fetched('https://docs.example.com/a')),
    ]).toEqual(['allow mode', 'ask outside-bytes', 'allow mode']);
  });
});

describe('bytes from outside in auto mode', () => {
  it('ask for what can act, unless an allow rule or a grant covers the call', () => {
    const call = shell('npm run finish-setup', { outside });
    const grants = new Set([grantKey('exec_shell', { command: 'npm run finish-setup' }) as string]);
    const allowing = policy([], { shell: { allow: ['npm run *'], ask: [], deny: [] } });
    expect([
      said(decide(call, standing('auto', policyWithoutRules))),
      said(decide(call, standing('auto', policyWithoutRules, { grants }))),
      said(decide(call, standing('auto', allowing))),
      said(decide({ ...read('a'), outside }, standing('auto', policyWithoutRules))),
      said(decide(write('a', { outside }), standing('auto-edit', policyWithoutRules))),
    ]).toEqual(['ask outside-bytes', 'allow grant', 'allow shell-policy', 'allow mode', 'allow mode']);
  });
});

describe('a policy that does not load', () => {
  const broken: PolicyInForce = { broken: { message: 'a comma too many', line: 3, column: 7 } };

  it('asks for everything that is not denied, whatever mode and grants say', () => {
    const grants = new Set([exactFingerprint('read_file', { path: 'a' }), grantKey('exec_shell', { command: 'npm test' }) as string]);
    const denials = new Set([exactFingerprint('write_file', { path: 'a' })]);
    const over = { grants, denials };
    expect(
      [read('a'), facts('update_plan', ['read-only']), shell('npm test'), shell('ls'), write('a')].map((call) =>
        said(decide(call, standing('auto', broken, over))),
      ),
    ).toEqual(['ask policy-broken', 'ask policy-broken', 'ask policy-broken', 'ask policy-broken', 'deny denial']);
    expect(decided(broken, 'plan', write('b'), read('a'))).toEqual(['deny mode', 'ask policy-broken']);
    expect(decide(read('a'), standing('ask', broken)).trace.at(-1)?.evidence).toBe(
      'The policy file does not load, so every call is asked for. Line 3, column 7: a comma too many',
    );
  });
});

describe('the nearest rule or grant (cl-12)', () => {
  const near = (call: CallFacts, inForce: Policy, grants: readonly string[] = []) =>
    decide(call, standing('ask', inForce, { grants: new Set(grants) }))
      .trace.filter((entry) => entry.rule === 'nearest')
      .map((entry) => entry.evidence);

  it('is named with what differs', () => {
    const commands = policy([], { shell: { allow: ['npm run build *', 'git status'], ask: [], deny: [] } });
    expect(near(shell('npm run test'), commands)).toEqual([
      'The allow rule "npm run build *" comes nearest to "npm run test": it has "build" where this has "test".',
    ]);
    expect(near(shell('git status -s'), commands)).toEqual(['The allow rule "git status" comes nearest to "git status -s": this has one word more, "-s".']);
    expect(near(search('de'), policy([{ effect: 'allow', tool: 'mcp__docs__search', args: { lang: 'en' } }]))).toEqual([
      'The rule "allow mcp__docs__search with {"lang":"en"}" comes nearest: it wants lang "en", this has "de".',
    ]);
    expect(near(write('docs/a'), policy([{ effect: 'allow', path: 'src/**' }]))).toEqual([
      'The rule "allow every tool on src/**" comes nearest: it is for src/**, this is docs/a.',
    ]);
  });

  it('may be an approval of the session', () => {
    expect(near(search('de'), policyWithoutRules, [exactFingerprint('mcp__docs__search', { q: 'x', lang: 'en' })])).toEqual([
      'You allowed this call before with another lang: then "en", now "de".',
    ]);
    expect(near(shell('cargo publish'), policyWithoutRules, [grantKey('exec_shell', { command: 'cargo build' }) as string])).toEqual([
      'You allowed "cargo build" before; this is "cargo publish".',
    ]);
    expect(near(shell('ls'), policyWithoutRules, [grantKey('exec_shell', { command: 'cargo build' }) as string])).toEqual([]);
  });
});
