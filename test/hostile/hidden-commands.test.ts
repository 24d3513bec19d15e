import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { CallFacts, Standing } from '@/lib/contracts/policy';
import { decide } from '@/lib/policy/decide';
import { grantKey } from '@/lib/policy/grant-key';
import { readPolicyFile } from '@/lib/policy/policy-file';
import { starterPolicy } from '@/lib/policy/starter-policy';

function facts(command: string, more: object = {}): CallFacts {
  return { tool: 'exec_shell', input: { command, ...more }, capabilities: ['executes-code'], inputLevel: 'required', repairs: [], writes: [] };
}

function standing(mode: Mode, policy?: string): Standing {
  return { mode, grants: new Set(), denials: new Set(), ...(policy === undefined ? {} : { policy: readPolicyFile(policy) }) };
}

const decided = (command: string, mode: Mode, policy?: string) => `${command} → ${decide(facts(command), standing(mode, policy)).decision}`;

/** Ways to run `rm -rf src` that do not begin with it. */
const hidden = [
  'ls; rm -rf src',
  'cat a |\nxargs rm -rf',
  'find . -name "*.ts" -exec rm -rf {} +',
  'find . -exec sh -c "rm -rf src" \\;',
  'cat <<EOF\n$(rm -rf src)\nEOF',
  'sh <<< "rm -rf src"',
  'bash <<"EOF"\nrm -rf src\nEOF',
  'echo cm0gLXJmIHNyYw== | base64 -d | sh',
  'eval "rm -rf src"',
  'e=rm; $e -rf src',
  'r""m -rf src',
  "$'\\x72m' -rf src",
  'rm$IFS-rf$IFS"src"',
  '/bin/rm -rf src',
  'command rm -rf src',
  'env -S "rm -rf src"',
  'A=1 rm -rf src',
  'ls() { rm -rf src; }; ls',
  'trap "rm -rf src" EXIT',
  'cat <(rm -rf src)',
  'ls "$(rm -rf src)"',
  'ls `rm -rf src`',
  'a[$(rm -rf src)]=1',
  'echo $((a[$(rm -rf src)]))',
  'coproc rm -rf src',
  "sed '1e rm -rf src' a",
  "sed -ne p -e 's/.*/rm -rf src/e' a",
  'sed --expr "s,a,rm -rf src,e" a',
  'find . -name a -exec sed "s/.*/rm -rf src/e" {} +',
  'mapfile -tC "rm -rf src" -c 1 x < a',
  'readarray -C "rm -rf src" x < a',
  'compgen -C "rm -rf src"',
  "compgen -W '$(rm -rf src)' -F f",
  'complete -C "rm -rf src" ls',
  "PS4='$(rm -rf src)'; set -x; ls",
  "export PS4='`rm -rf src`'; set -x; ls",
  "read PS4 <<< '$(rm -rf src)'; set -x; ls",
  "for PS4 in '$(rm -rf src)'; do set -x; ls; done",
  'BASH_ENV=evil npm test',
  "shopt -s expand_aliases\nalias x='rm -rf'\nx src",
  "shopt -s expand_aliases\nBASH_ALIASES[x]='rm -rf'\nx src",
  'builtin alias x="rm -rf"',
  "printf -v 'BASH_ALIASES[x]' 'rm -rf'",
  "read -r 'BASH_ALIASES[x]' <<< 'rm -rf'",
  "declare -n z=BASH_ALIASES; z[x]='rm -rf'",
  `: "\${BASH_ALIASES[x]:=rm -rf}"`,
  'for BASH_ENV in ./evil; do export BASH_ENV; npm test; done',
  'touch .{g..h}it/config',
  'touch .{g..h..+1}it/config',
  'touch .{a..z}it/config',
  'r{m..m} -{r..r}f src',
  'export PROMPT_COMMAND="rm -rf src"',
  "sqlite3 x '.shell rm -rf src'",
  'sqlite3 x ".once |rm -rf src" "select 1"',
  'vim -c "!rm -rf src" a',
  'time rm -rf src',
  'if ls; then rm -rf src; fi',
  '[[ -n $(rm -rf src) ]]',
  'timeout 5 nice -n 3 rm -rf src',
  'shopt -s expand_aliases\nalias ls="rm -rf src"\neval ls',
  `${'('.repeat(300)}rm -rf src${')'.repeat(300)}`,
  `: ${'x'.repeat(10_000)}; rm -rf src`,
];

describe('a command inside a command', () => {
  it('asks under the starter policy and in auto mode, however it is hidden', () => {
    for (const mode of ['ask', 'auto-edit', 'auto'] as const)
      expect(hidden.map((command) => decided(command, mode))).toEqual(hidden.map((command) => `${command} → ask`));
    expect(hidden.map((command) => decided(command, 'plan'))).toEqual(hidden.map((command) => `${command} → deny`));
  });

  it('is not seen where there is none', () => {
    for (const command of [
      'sed "s/e/x/g" a',
      "sed ':e;N;$!be;s/x/ /g' a",
      "sed 's/.*\\(e\\)/\\1e/' a",
      'sed "$1,$END p" a',
      "sed 's/a/b/;te;s/x/y/;:e' a",
      'sed "1i // eslint-disable" a',
      'mapfile -t x < a',
      'compgen -c',
      "PS4='+ '; set -x; ls",
      'PROMPT_COMMAND= npm test',
      'grep BASH_ENV=x a',
      'alias; alias x; alias -p; unalias x',
      'printf -v x BASH_ENV; read x; echo "$BASH_ENV"',
      'touch {1..64} day-{001..365}.txt f{a..z}{0..9}.txt',
      'sqlite3 x .show',
      'sqlite3 x "select a || b from t"',
      'vim a',
    ])
      expect(decided(command, 'auto')).toBe(`${command} → allow`);
  });

  it('is denied where an alias stands for what a rule denies', () => {
    const policy = '{"version": 1, "shell": {"deny": ["rm *"]}}';
    for (const command of ["alias x='rm -rf src'", "alias a=ls x='cd src; rm -rf .'"])
      for (const mode of ['ask', 'auto'] as const) expect(decided(command, mode, policy)).toBe(`${command} → deny`);
    expect(decided("alias x='ls -l'", 'auto', policy)).toBe("alias x='ls -l' → ask");
  });

  it('is not covered by an approval of what stands around it', () => {
    const grants = new Set(['ls', 'cat a', 'find . -name "*.ts"', 'npm test'].map((command) => grantKey('exec_shell', { command }) as string));
    for (const command of [...hidden, 'npm test; rm -rf src', 'npm test $(rm -rf src)', 'npm test > .git/config', 'A=1 npm test'])
      expect([command, decide(facts(command), { ...standing('ask'), grants }).decision]).toEqual([command, 'ask']);
  });

  it('runs no text that comes beside the command unasked', () => {
    const policy = '{"version": 1, "shell": {"allow": ["*"]}}';
    const given = (command: string) => [command, decide(facts(command, { stdin: 'rm -rf src' }), standing('ask', policy)).decision];
    for (const command of ['sh', 'bash -s', 'node', 'python3 -', 'python3 -u', 'python3 /dev/stdin', 'xargs ls'])
      expect(given(command)).toEqual([command, 'ask']);
    for (const command of ['python3 count.py', "awk '{ print }'", 'cat', 'npm test']) expect(given(command)).toEqual([command, 'allow']);
  });
});

describe('a denied command', () => {
  it('stays denied under its other names, and asks in auto mode under them', () => {
    const policy = '{"version": 1, "default": "allow", "shell": {"deny": ["npm install *", "npm run *", "npm exec *", "pnpm install *", "cargo run *"]}}';
    const commands = ['npm i evil', 'npm --loglevel silent add evil', 'npm isntall evil', 'npm in evil', 'npm run-script x', 'npm x evil', 'pnpm i', 'cargo r'];
    expect(commands.map((command) => decided(command, 'auto', policy))).toEqual(commands.map((command) => `${command} → deny`));
    for (const command of ['npm i evil', 'npm x evil', 'npm rm left-pad', 'npm it', 'pnpm i', 'bun a evil'])
      expect(decided(command, 'auto')).toBe(`${command} → ask`);
    expect(['npm t', 'npm run build', 'cargo b'].map((command) => decided(command, 'auto'))).toEqual([
      'npm t → allow',
      'npm run build → allow',
      'cargo b → allow',
    ]);
  });
});

describe('a reading command', () => {
  it('that writes through the shell asks in ask mode, under the starter policy and a file that was made from it', () => {
    const copied = JSON.stringify({ version: 1, shell: { allow: [...starterPolicy.shell.allow, 'echo *'] } });
    for (const command of ['cat a > src/main.ts', 'ls >> package.json', 'cat a >| b', 'ls &> b', '{ cat a; } > b', 'cat <> b']) {
      expect(decided(command, 'ask')).toBe(`${command} → ask`);
      expect(decided(command, 'ask', copied)).toBe(`${command} → ask`);
    }
    expect(decide(facts('cat a > b'), standing('ask')).parts).toMatchObject([
      { rule: 'writes-file', evidence: 'With > b it writes a file, and the rule "cat *" is for reading.' },
    ]);
    for (const command of ['cat a', 'ls 2>/dev/null', 'cat a 2>&1', 'grep x < a', 'ls > /dev/null']) expect(decided(command, 'ask')).toBe(`${command} → allow`);
    // Where files may change unasked, this is one of the ways; a rule that a person wrote for other programs says what it says.
    expect([decided('cat a > b', 'auto-edit'), decided('echo a > b', 'ask', copied)]).toEqual(['cat a > b → allow', 'echo a > b → allow']);
    const own = '{"version": 1, "shell": {"allow": ["cat *", "git status *"]}}';
    expect(['cat a > b', 'git status > b'].map((command) => decided(command, 'ask', own))).toEqual(['cat a > b → allow', 'git status > b → allow']);
  });

  it('that runs or writes by an option of its own asks', () => {
    for (const command of [
      'find . -delete',
      'find . -fprint x',
      'rg --pre sh x',
      'git diff --output=x',
      'git log --ext-diff',
      'git -c core.pager=./x log',
      './ls',
      'ls "$A"',
    ])
      expect(decided(command, 'ask')).toBe(`${command} → ask`);
  });
});
