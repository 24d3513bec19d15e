/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not a template. */
import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { Decision, ShellPolicy } from '@/lib/contracts/policy';
import { judgeCommand } from '@/lib/policy/shell-verdict';
import { starterPolicy } from '@/lib/policy/starter-policy';

const starter = { ...starterPolicy.shell, default: starterPolicy.default };

const rules = (over: Partial<ShellPolicy>): ShellPolicy => ({ allow: [], ask: [], deny: [], default: 'ask', ...over });
const all = rules({ allow: ['*'], deny: ['rm *', 'git push *'], default: 'allow' });
const open = rules({ allow: ['ls *', 'cat *', 'echo *', 'sed *', 'sort *', 'trap *', 'git * main', '* --version', 'git log *'] });
const none = rules({});

const decided: readonly (readonly [string, string, ShellPolicy, Mode, Decision])[] = [
  ['a quoted target is as plain as a bare one', 'echo a > "notes/out.txt"', open, 'ask', 'allow'],
  ['reading a named file is plain', 'cat < input.txt', open, 'ask', 'allow'],
  ['a file whose name is a variable is not', 'cat < $F', open, 'ask', 'ask'],
  ['a connection is no file', 'cat < /dev/tcp/host.example/80', open, 'ask', 'ask'],
  ['a here-string of plain text is data', 'cat <<< "hello"', open, 'ask', 'allow'],
  ['a here-string with a variable is not known', 'cat <<< "$X"', open, 'ask', 'ask'],
  ['every way to write a plain file is plain', 'echo a >| b; echo a &> c; echo a >& d; echo a >> e', open, 'ask', 'allow'],
  ['the error stream may be thrown away', 'ls 2> /dev/null >&2', open, 'ask', 'allow'],
  ['closing a stream is not joining it', 'ls 2>&-', open, 'ask', 'ask'],
  ['a file under .git is never a plain target', 'echo a > sub/.git/x', open, 'ask', 'ask'],
  ['a brace that expands to nothing is a word', 'echo {a} {}', open, 'ask', 'allow'],
  ['a brace that expands is not known', 'echo {1..3}', open, 'ask', 'ask'],
  ['escapes in $ quotes are plain text', "echo $'a\\nb'", open, 'ask', 'allow'],
  ['a text that may be translated is plain, its variables are not', 'echo $"a"', open, 'ask', 'allow'],
  ['a star for the program fits any program', 'cargo --version', open, 'ask', 'allow'],
  ['a carriage return belongs to the word', 'ls\r\n', open, 'ask', 'ask'],
  ['sed in place is not reading, in a group of options either', 'sed -ni s/a/b/ x', open, 'ask', 'ask'],
  ['nor is sort with an output in a group', 'sort -uo x y', open, 'ask', 'ask'],
  ['a built-in that changes the shell is never allowed', "trap 'ls' EXIT", open, 'ask', 'ask'],
  ['a function is judged by its body', 'f() { ls; }', open, 'ask', 'allow'],
  ['a command of exactly 10,000 characters is judged', `echo ${'a'.repeat(9_995)}`, open, 'ask', 'allow'],
  ['one more is not', `echo ${'a'.repeat(9_996)}`, open, 'ask', 'ask'],

  ['the program is taken without its directory', '/bin/rm x', all, 'ask', 'deny'],
  ['a wrapper with a directory is a wrapper', '/usr/bin/env -u A B=1 rm x', all, 'ask', 'deny'],
  ['env -S splits its text', "env -S 'rm -rf' x", all, 'ask', 'deny'],
  ['env -S in a group, with a wrapper inside', "env -vS 'sudo -n rm' x", all, 'ask', 'deny'],
  ['su takes -c behind the name', "su - someone -c 'rm x'", all, 'ask', 'deny'],
  ['a group of options may end in o', "bash -euo pipefail -c 'rm x'", all, 'ask', 'deny'],
  ['options may stand between -c and its text', "bash -c -e 'rm x'", all, 'ask', 'deny'],
  ['a script of a shell finds what its shell found', "bash -c 'bash' <<< 'rm x'", all, 'ask', 'deny'],
  ['a here-document behind a loop feeds the shell in it', "while true; do sh; done <<'E'\nrm x\nE", all, 'ask', 'deny'],
  ['a value behind = is the option’s own', 'git --git-dir=x push origin', all, 'ask', 'deny'],
  ['the value of a listed option is not the sub-command', 'git -c push status', all, 'ask', 'ask'],
  ['a piece of a script that does not parse is opaque, what is around it is judged', "sh -c 'if' ; rm x", all, 'ask', 'deny'],
  ['parallel that runs its arguments cannot be seen', 'parallel {} ::: a', all, 'auto', 'ask'],
  ['nor with a replacement of its own', "parallel -I ,, ,, ::: 'x'", none, 'auto', 'ask'],
  ['parallel with a command before its arguments can', 'parallel echo {} ::: a', none, 'auto', 'allow'],
  ['a shell behind a pipe into a process substitution', 'echo rm | tee >(sh)', all, 'ask', 'ask'],
  ['a coprocess reads from a pipe', 'coproc sh', all, 'ask', 'ask'],

  ['auto: a plain text of a trap is asked for, resetting one is not', "trap - EXIT; trap '' INT", none, 'auto', 'allow'],
  ['auto: a wrapper that only hands on passes with what it runs', 'command npm test', none, 'auto', 'allow'],
  ['auto: a package runner asks', 'npm exec x', none, 'auto', 'ask'],
  ['auto: an option in front does not hide the never-group list', 'npm --loglevel silent publish', none, 'auto', 'ask'],
  ['auto: an index may be evaluated', "x='$(rm a)'; echo ${a[x]}", none, 'auto', 'ask'],
  ['auto: so may a name in a variable', "x='a[$(rm a)]'; echo ${!x}; unset y", none, 'auto', 'ask'],
  ['auto: and a name given to read', "read 'a[$(rm x)]'", none, 'auto', 'ask'],
  ['auto: a prompt for read is no name', "read -r -p 'use $(x)? ' line", none, 'auto', 'allow'],
  ['auto: the integer attribute evaluates', "declare -i n='a[$(rm x)]'", none, 'auto', 'ask'],

  ['protected: a glob that fits', 'touch g*.json', none, 'auto', 'ask'],
  ['protected: a star does not stand for a leading dot', 'touch src/*/config', none, 'auto', 'allow'],
  ['protected: a written dot does', 'touch .g*/config', none, 'auto', 'ask'],
  ['protected: braces are seen through', 'touch {a,.git}/config', none, 'auto', 'ask'],
  ['protected: what stands behind =', 'truncate --reference=x --size=0 --x=gatehouse.policy.json', none, 'auto', 'ask'],
  ['protected: an absolute path by its last name', 'touch /anywhere/gatehouse.policy.json', none, 'auto', 'ask'],
  ['protected: so behind cd', 'cd sub; touch gatehouse.policy.json', none, 'auto', 'ask'],
  ['protected: and behind a variable', 'touch "$D"/gatehouse.policy.json', none, 'auto', 'ask'],
  ['protected: the same name in a folder is another file', 'touch sub/gatehouse.policy.json', none, 'auto', 'allow'],
  ['protected: a default of deny denies', 'touch .git/x', rules({ default: 'deny' }), 'ask', 'deny'],

  ['starter: plain reading passes part by part', 'git status && ls src | head -5', starter, 'ask', 'allow'],
  ['starter: a find that runs something asks', 'find . -name x -exec cat {} +', starter, 'ask', 'ask'],
  ['starter: tests ask', 'npm test', starter, 'ask', 'ask'],
  ['starter: plan mode denies', 'ls', starter, 'plan', 'deny'],
];

describe('the verdict on a command', () => {
  for (const [fact, command, policy, mode, decision] of decided)
    it(fact, () => {
      expect(judgeCommand(command, policy, mode).decision).toBe(decision);
    });

  it('names the rule behind each part, with what it saw and where it stands', () => {
    const { decision, parts } = judgeCommand("ls && sh -c 'rm -rf x' > ../y", rules({ allow: ['ls *'], deny: ['rm *'] }), 'ask');
    expect([decision, parts.map(({ part: _, byRule: __, ...said }) => said)]).toEqual([
      'deny',
      [
        { text: 'ls', from: 0, to: 2, verdict: 'allow', rule: 'ls *', evidence: 'The allow rule "ls *" fits it.' },
        { text: "sh -c 'rm -rf x' > ../y", from: 6, to: 29, verdict: 'ask', rule: 'wrapper', evidence: 'sh runs another command, so no allow rule fits it.' },
        { text: 'rm -rf x', from: 12, to: 22, verdict: 'deny', rule: 'rm *', evidence: 'The deny rule "rm *" fits it.' },
      ],
    ]);
  });

  it('says nothing of a mere possibility that no rule minds', () => {
    expect(judgeCommand('sudo --chroot /srv ls', all, 'ask').parts.map((part) => [part.text, part.verdict])).toEqual([
      ['sudo --chroot /srv ls', 'ask'],
      ['/srv ls', 'allow'],
    ]);
  });

  it('resolves protected paths from the folder that the command runs in', () => {
    expect([
      judgeCommand('touch ../gatehouse.policy.json', none, 'auto', { cwd: 'sub' }).decision,
      judgeCommand('touch gatehouse.policy.json', none, 'auto', { cwd: 'sub' }).decision,
    ]).toEqual(['ask', 'allow']);
  });

  it('takes names that every object has for ordinary programs', () => {
    expect(['constructor x', 'toString', '__proto__ a'].map((command) => judgeCommand(command, none, 'auto').decision)).toEqual(['allow', 'allow', 'allow']);
  });
});
