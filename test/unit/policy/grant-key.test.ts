import { describe, expect, it } from 'vitest';
import { grantKey, isGranted, partGrantKey } from '@/lib/policy/grant-key';
import { grantWords } from '@/lib/policy/grant-words';
import { judgeCommand } from '@/lib/policy/shell-verdict';
import { starterPolicy } from '@/lib/policy/starter-policy';

const starter = { ...starterPolicy.shell, default: starterPolicy.default };

const shell = (command: string, over = {}) => grantKey('exec_shell', { command, ...over });
const same = (a: string, b: string) => shell(a) !== undefined && shell(a) === shell(b);

describe('the key of an approval', () => {
  it('is the family of a plain command, whatever follows', () => {
    expect([
      same('npm test', 'npm test -- x'),
      same('cargo build', "cargo 'build' --release"),
      same('make a', 'make -j8 a'),
      same('python -m pytest', 'python -m pytest -k x'),
      same('cargo test', 'cargo test {a,b}'),
      same('npm run d*', 'npm run d* -s'),
    ]).toEqual([true, true, true, true, true, true]);
  });

  it('is the command itself where it is not plain', () => {
    const others = [
      'npm test > x',
      'npm test; ls',
      'A=1 npm test',
      'npm test "$X"',
      'npm test {--config,x}',
      'npm test -{c,-config} x',
      'npm {test,publish}',
      '{npm,x} test',
      'n* test',
      'npm test --config=x',
      'npm test # x',
      'npm test\n',
      './npm test',
      'npm --silent test',
      'npm test $(a)',
      'sudo npm test',
      'npm  install x',
    ];
    expect(others.filter((command) => same('npm test', command))).toEqual([]);
    expect([same('npm run d*', "npm run 'd*'"), same("npm run 'd*'", 'npm run "d*"')]).toEqual([false, true]);
  });

  it('never opens a wrapper, an interpreter or a package runner (cl-15)', () => {
    const pairs = ['sudo ls', 'env ls', 'xargs ls', "sh -c 'ls'", "node -e '1'", "python -c '1'", 'npx a', 'npm exec a', 'python -m pip list'];
    expect(pairs.filter((command) => same(command, `${command} b`))).toEqual([]);
    expect(pairs.map((command) => grantWords('exec_shell', { command }))).toEqual(pairs.map(() => 'exactly this call, with exactly these arguments'));
  });

  it('has the folder in it, but neither the time nor the background', () => {
    expect([
      shell('npm test', { cwd: '.' }) === shell('npm test'),
      shell('npm test', { cwd: 'a/' }) === shell('npm test', { cwd: './a' }),
      shell('npm test', { cwd: 'a' }) === shell('npm test'),
      shell('npm test', { timeout_ms: 1, background: true }) === shell('npm test'),
      shell('npm test', { stdin: '' }) === shell('npm test'),
    ]).toEqual([true, true, false, true, false]);
  });

  it('is nothing for an empty command', () => {
    expect([shell(''), shell(' \n'), grantWords('exec_shell', { command: ' ' })]).toEqual([undefined, undefined, undefined]);
  });

  it('is the set of files of a patch, and the host of a fetch', () => {
    const change = (path: string, line: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+${line}\n`;
    const patch = (text: string) => grantKey('apply_patch', { patch: text });
    expect([
      patch(change('a', 'y')) === patch(change('a', 'z')),
      patch(change('a', 'y') + change('b', 'y')) === patch(change('b', 'y') + change('a', 'y')),
      patch(change('a', 'y')) === patch('--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'),
      patch(change('.git/config', 'y')) === patch(change('.git/config', 'z')),
      patch('no patch') === patch('no  patch'),
      patch(change('a', 'y')) === patch('--- a/./a\n+++ b/a\n'),
      patch(change('b', 'y')) === patch('--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n'),
      grantKey('fetch_url', { url: 'https://A.example:443/x' }) === grantKey('fetch_url', { url: 'https://a.example/y' }),
      grantKey('fetch_url', { url: 'http://a.example/' }) === grantKey('fetch_url', { url: 'https://a.example/' }),
    ]).toEqual([true, true, false, false, false, true, false, true, false]);
  });

  it('says in words what it lets through', () => {
    expect([
      grantWords('exec_shell', { command: 'npm test', cwd: 'app' }),
      grantWords('fetch_url', { url: 'https://a.example:8443/x' }),
      grantWords('write_file', {}),
    ]).toEqual([
      'every command that begins with "npm test" in app, whatever options and words follow',
      'every fetch from https://a.example:8443',
      'exactly this call, with exactly these arguments',
    ]);
  });
});

describe('a compound command', () => {
  const granted = (command: string, ...approved: string[]) => {
    const grants = new Set(approved.map((one) => shell(one)).filter((key) => key !== undefined));
    return isGranted('exec_shell', { command }, grants, judgeCommand(command, starter, 'ask'));
  };
  const keys = (command: string) => {
    const { parts, reading } = judgeCommand(command, starter, 'ask');
    return parts.map(({ part }) => partGrantKey(part, reading, { command }));
  };

  it('is covered when every part that would ask is', () => {
    expect([
      granted('npm test && cargo build --locked', 'npm test', 'cargo build'),
      granted('npm test && git push', 'npm test'),
      granted('npm test | head -5', 'npm test'),
      granted('npm test && cargo build', 'npm test && cargo build'),
    ]).toEqual([true, false, true, true]);
  });

  it('is not covered where a part runs in another setting than the approval was given for', () => {
    const elsewhere = ['cd /x && npm test', 'export A=1; npm test', 'A=1; npm test', '{ npm test; ls; } > x', 'npm test > x; ls', 'npm test; eval "$X"'];
    expect(elsewhere.filter((command) => granted(command, 'npm test', 'cd /x', 'export A=1', 'A=1', 'echo y'))).toEqual([]);
  });

  it('has for each part the key that it would have alone, or with what surrounds it', () => {
    expect(keys('npm test && ls -x')).toEqual([shell('npm test'), shell('ls -x')]);
    expect(keys('npm test | tail -5')).toEqual([shell('npm test'), shell('tail -5')]);
    expect(keys('a | tee b | sort -o c').map((key, index) => key === keys('x | tee b | sort -o c')[index])).toEqual([false, false, false]);
    expect(keys('a | python3')[1]).not.toBe(keys('b | python3')[1]);
    expect(keys("python3 <<'E'\nx\nE\n ls")[0]).toBeUndefined();
  });
});
