import { describe, expect, it } from 'vitest';
import type { Mode } from '@/lib/contracts/approval';
import type { ShellPolicy } from '@/lib/contracts/policy';
import { grantKey } from '@/lib/policy/grant-key';
import { judgeCommand } from '@/lib/policy/shell-verdict';

const judged = (command: string, mode: Mode, over: Partial<ShellPolicy>) =>
  `${command} → ${judgeCommand(command, { allow: [], ask: [], deny: [], default: 'ask', ...over }, mode).decision}`;
const each = (commands: readonly string[], decision: string) => commands.map((command) => `${command} → ${decision}`);

describe('an option that loads code, writes or carries code', () => {
  const allow = [
    'go test *',
    'git *',
    'npm test *',
    'npm run *',
    'sed *',
    'sort *',
    'cargo build *',
    'make *',
    'rg *',
    'curl *',
    'pip list *',
    'tar *',
    'tool *',
  ];

  it('counts with one dash and with two, and cut to its first letters, against allow rules and in auto mode', () => {
    const commands = [
      'go test --toolexec=./x ./...',
      'go test --exec ./x',
      'go test -vettool=./x',
      'git fetch --upload-pac=./x .',
      'git log --outpu=x',
      'git diff --ext-d',
      'git grep --open-files=x y',
      'npm test --script-shel=./x',
      'npm test --ignore-script=false',
      'npm run build --pref evil',
      'sed --in-pl s/a/b/ x',
      'sed --i=.bak s/a/b/ x',
      'sed --fil=s x',
      'sort --out=x y',
      'cargo build --confi x',
      'make test SHELL=./x',
      'rg --pr=sh x',
      'curl --outp x https://host.example',
      'tar --to-comm=x -f a',
      'tool --conf x',
    ];
    expect(commands.map((command) => judged(command, 'ask', { allow }))).toEqual(each(commands, 'ask'));
    expect(commands.map((command) => judged(command, 'auto', {}))).toEqual(each(commands, 'ask'));
  });

  it('counts in what the braces of a word stand for, in auto mode too', () => {
    const commands = [
      'find . -d{e,f}lete',
      'sed -{i,j} s/a/b/ x',
      'git -{c,d} alias.x=!y x',
      'find . {-delete,-print}',
      `find . -{${'a,'.repeat(70)}delete}`,
      'hash -p ./x ls; ls',
      'enable -f ./x.so y',
    ];
    expect(commands.map((command) => judged(command, 'auto', {}))).toEqual(each(commands, 'ask'));
    const plain = ['ls src/{a,b}', 'find . -name "*.{ts,tsx}"', 'git log -{3,1}', 'mkdir {a,b}'];
    expect(plain.map((command) => judged(command, 'auto', {}))).toEqual(each(plain, 'allow'));
  });

  it('is not one of another name that begins alike', () => {
    const commands = [
      'git log --text',
      'git log --oneline',
      'git diff --no-ext-diff',
      'cargo build --target x',
      'pip list --pre',
      'npm test -- --ci',
      'tool --co',
      'make CC=x',
    ];
    expect(commands.map((command) => judged(command, 'ask', { allow }))).toEqual(each(commands, 'allow'));
  });

  it('is not covered by an approval of the command without it, nor is a place that is protected', () => {
    const pairs = [
      ['npm test', 'npm test --script-shel=./x'],
      ['npm run build', 'npm run build --pref evil'],
      ['go build', 'go build --toolexec=./x'],
      ['cargo build', 'cargo build --confi x'],
      ['git fetch', 'git fetch --upload-pac=./x'],
    ] as const;
    const key = (command: string) => grantKey('exec_shell', { command });
    expect(pairs.filter(([plain, more]) => key(plain) === key(more))).toEqual([]);
    expect(key('npm test')).toBe(key('npm test --silent'));
  });
});

describe('a deny rule', () => {
  it('fits a glob or braces that may become what it names', () => {
    const deny = ['git push *', 'npm run deploy*', 'cat secrets/key', 'git * --force'];
    const denied = [
      'git pu?h',
      'git [p]ush origin',
      'git p*',
      'git -c a=b pu?h',
      'git {push,origin}',
      'git {-c,a=b,push}',
      'npm run depl?y-all',
      'npm run [d]eploy',
      'cat secrets/k?y',
      'cat s*/key',
      'git log --f*',
    ];
    expect(denied.map((command) => judged(command, 'ask', { deny, default: 'allow' }))).toEqual(each(denied, 'deny'));
    const others = ["git 'pu?h'", 'git pull*', 'git log *', 'npm run build*', 'cat *', 'cat .*/key', 'git log ?-force', 'ls {git,push}.txt'];
    expect(others.filter((command) => judged(command, 'ask', { deny, default: 'allow' }).endsWith('deny'))).toEqual([]);
  });
});
