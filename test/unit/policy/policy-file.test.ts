import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from '@/lib/contracts/zod';
import { isBroken, readPolicyFile } from '@/lib/policy/policy-file';
import { policySchema } from '@/lib/policy/policy-shape';
import { policyWithoutRules, starterPolicy } from '@/lib/policy/starter-policy';

const hash = `sha256:${'0'.repeat(64)}`;
const whole = {
  version: 1,
  default: 'ask',
  shell: { allow: ['git status *', 'npm test'], ask: [], deny: ['git push *'] },
  hosts: { allow: ['docs.example.com', '.example.org'], deny: [], default: 'ask' },
  rules: [
    {
      effect: 'deny',
      tool: 'write_file',
      path: 'secrets/**',
      reason: 'keys live here',
      match: [{ path: 'secrets/k.md' }],
      notMatch: [{ path: 'src/a.ts' }],
    },
    { effect: 'allow', tool: 'mcp__docs__*', args: { lang: 'en' }, definition: hash },
    { effect: 'ask', capability: 'executes-code', origin: 'outside' },
  ],
};
const problem = (text: string) => {
  const read = readPolicyFile(text);
  return isBroken(read) ? [read.broken.line, read.broken.column, read.broken.message] : 'it loads';
};
const lines = (...text: readonly string[]) => text.join('\n');

describe('a policy file', () => {
  it('has the one shape, lists that are left out being empty', () => {
    expect(readPolicyFile(JSON.stringify(whole))).toEqual({ ...whole, hosts: { ...whole.hosts, ask: [] } });
    expect(readPolicyFile('{"version": 1}')).toEqual(policyWithoutRules);
    expect(readPolicyFile('\ufeff{"$schema": "x", "version": 1}')).toEqual(policyWithoutRules);
    expect(readPolicyFile(JSON.stringify(starterPolicy))).toEqual(starterPolicy);
  });

  it('keeps every argument that a rule names', () => {
    expect(readPolicyFile('{"version":1,"rules":[{"effect":"allow","args":{"__proto__":{"a":1}}}]}')).toHaveProperty('rules', [
      { effect: 'allow', args: JSON.parse('{"__proto__":{"a":1}}') },
    ]);
  });

  it.each<[string, string, unknown]>([
    ['a comma too many', lines('{', '  "version": 1,', '}'), [2, 15, 'This comma has nothing behind it; take it away.']],
    ['a text that is never closed', lines('{"version": 1,', ' "default": "ask', '}'), [2, 13, 'This text is never closed.']],
    ['a comment', lines('{', '  // mine', '}'), [2, 3, 'JSON has no comments.']],
    ['an end too early', '{"version": 1', [1, 14, 'The file ends where a comma or } should stand.']],
    ['nothing', ' \n', [2, 1, 'The file is empty; it has to hold a JSON object.']],
    [
      'a key that stands twice',
      lines('{"version": 1,', '"shell": {"deny": ["rm *"],', '  "deny": []}}'),
      [3, 3, '"deny" stands here twice; only one can count.'],
    ],
    ['a second document', '{"version": 1} {}', [1, 16, 'Something stands behind the end of the JSON.']],
    ['bad escapes', '{"version": 1, "default": "\\x"}', [1, 28, 'JSON knows no such escape; a backslash is written as \\\\.']],
    [
      'a misspelt field',
      lines('{', '  "version": 1,', '  "shell": { "dney": ["rm *"] }', '}'),
      [3, 14, '"dney" is no field of shell. A misspelt field would change nothing silently.'],
    ],
    ['a field of nobody', '{"version": 1, "rule": []}', [1, 16, '"rule" is no field of a policy. A misspelt field would change nothing silently.']],
    ['a missing version', '{}', [1, 1, 'version has to be 1.']],
    ['another version', '{"version": 2}', [1, 13, 'version has to be 1.']],
    ['a wrong word', lines('{"version": 1,', '"rules": [{"effect": "block", "tool": "*"}]}'), [2, 22, 'rules[0].effect has to be "allow" or "ask" or "deny".']],
    ['a lone text for a list', '{"version": 1, "shell": {"deny": "rm *"}}', [1, 34, 'shell.deny has to be a list.']],
    ['a list for the file', '[]', [1, 1, 'The file has to be an object.']],
    ['an empty entry', '{"version": 1, "shell": {"deny": [" "]}}', [1, 35, 'shell.deny[0]: An entry is not empty.']],
    [
      'a host with a scheme',
      '{"version": 1, "hosts": {"deny": ["https://a.example"]}}',
      [1, 35, '"https://a.example" is no host. Write the name alone, without scheme, port or path: "docs.example.com", or ".example.com" for its sub-domains.'],
    ],
    [
      'a host with a port',
      '{"version": 1, "hosts": {"deny": ["a.example:80"]}}',
      [1, 35, '"a.example:80" is no host. Write the name alone, without scheme, port or path: "docs.example.com", or ".example.com" for its sub-domains.'],
    ],
    [
      'a rule for nothing',
      lines('{"version": 1, "rules": [', '  {"effect": "allow", "reason": "x"}', ']}'),
      [2, 3, 'This rule names nothing that it is for. If it is for every call, write "tool": "*".'],
    ],
    [
      'an example that does not fit',
      lines('{"version": 1, "rules": [', '  {"effect": "deny", "path": "secret/**",', '   "match": [{"path": "secret/a"}, {"path": "secrets/a"}]}', ']}'),
      [3, 36, 'The rule "deny every tool on secret/**" does not fit this example, and has to.'],
    ],
    [
      'an example that must not fit',
      lines(
        '{"version": 1, "rules": [',
        '  {"effect": "allow", "tool": "mcp__*", "args": {"a": [1]}, "notMatch": [{"tool": "mcp__x", "args": {"a": [1]}}]}',
        ']}',
      ),
      [2, 74, 'The rule "allow mcp__* with {"a":[1]}" fits this example, and must not.'],
    ],
    [
      'a command in quotes',
      '{"version": 1, "shell": {"deny": ["rm \\"-rf\\" *"]}}',
      [1, 35, '"rm \\"-rf\\" *" holds a word in quotes ("-rf"). Words are compared without them: leave the quotes out.'],
    ],
    [
      'two commands in one line',
      '{"version": 1, "shell": {"allow": ["git status && rm *"]}}',
      [1, 36, '"git status && rm *" joins commands with &&. A rule is held against each part of a command alone: write one line for each.'],
    ],
    [
      'a redirection',
      '{"version": 1, "shell": {"deny": ["echo * > *"]}}',
      [1, 35, '"echo * > *" holds a redirection (>). A rule is for the words of a command only: leave it out.'],
    ],
    [
      'a path outside',
      '{"version": 1, "rules": [{"effect": "allow", "tool": "write_file", "path": "../x"}]}',
      [1, 76, '"../x" is no path that a tool can touch. Write it relative to the workspace: "src/**", or "**" for everything.'],
    ],
    [
      'a path that is a dot',
      '{"version": 1, "rules": [{"effect": "deny", "path": "./"}]}',
      [1, 53, '"./" is no path that a tool can touch. Write it relative to the workspace: "src/**", or "**" for everything.'],
    ],
    [
      'a short definition',
      '{"version": 1, "rules": [{"effect": "allow", "definition": "sha256:1"}]}',
      [1, 60, 'rules[0].definition: A definition is sha256: and 64 hexadecimal digits.'],
    ],
  ])('that holds %s says where', (_, text, expected) => {
    expect(problem(text)).toEqual(expected);
  });

  it('takes lines and paths that may fit something, however odd', () => {
    const allow = ['find * -exec cat {} ;', 'awk -F | *', "echo it's", 'node --eval=">"', '*', '** *', 'cut -d & *'];
    const rules = ['**', '/**', '*', '~/private/**', '/workspace/a', './a', '.*', '../workspace/a', 'a/../b', '/work*/x'].map((path) => ({
      effect: 'allow',
      path,
    }));
    expect(problem(JSON.stringify({ version: 1, shell: { allow }, rules }))).toBe('it loads');
    expect(problem('{"version": 1, "rules": [{"effect": "deny", "path": "/etc/**"}, {"effect": "ask", "path": "../x"}]}')).toBe('it loads');
  });

  it('takes hosts in every form that can cover one', () => {
    const allow = ['a.example', '.a.example', '*.a.example', '127.0.0.1', '[::1]', '::1', 'bücher.example', 'localhost', 'A.Example.'];
    expect(problem(JSON.stringify({ version: 1, hosts: { allow } }))).toBe('it loads');
    expect(
      ['', '.', '*', 'a.example/x', 'u@a.example', 'a b', 'a.*.example'].map((entry) => problem(JSON.stringify({ version: 1, hosts: { deny: [entry] } }))[0]),
    ).toEqual(['', '.', '*', 'a.example/x', 'u@a.example', 'a b', 'a.*.example'].map(() => 1));
  });
});

describe('the published schema', () => {
  const published = JSON.parse(readFileSync('public/schemas/gatehouse.policy.schema.json', 'utf8')) as Record<string, unknown>;

  // `npx vitest run -u` on this file writes it anew.
  it('is the one that the parser is made from', async () => {
    await expect(`${JSON.stringify(policySchema(), null, 2)}\n`).toMatchFileSnapshot('../../../public/schemas/gatehouse.policy.schema.json');
  });

  it('says of a file what the parser says', () => {
    const schema = z.fromJSONSchema(published as never);
    const good = [whole, { version: 1 }, starterPolicy];
    const bad = [
      {},
      { version: 2 },
      { version: 1, rule: [] },
      { version: 1, shell: { dney: [] } },
      { version: 1, shell: { deny: 'rm' } },
      { version: 1, rules: [{ tool: '*' }] },
      { version: 1, rules: [{ effect: 'deny', tools: '*' }] },
      { version: 1, rules: [{ effect: 'deny', tool: '*', match: [{ paht: 'a' }] }] },
      { version: 1, rules: [{ effect: 'block', tool: '*' }] },
      { version: 1, hosts: { default: 'never' } },
    ];
    const says = (value: unknown) => [schema.safeParse(value).success, !isBroken(readPolicyFile(JSON.stringify(value)))];
    expect(good.map(says)).toEqual(good.map(() => [true, true]));
    expect(bad.map(says)).toEqual(bad.map(() => [false, false]));
  });
});
