import { describe, expect, it } from 'vitest';
import { emptyRuntime } from '@/lib/conformance/empty-runtime';
import { decide } from '@/lib/policy/decide';
import { readPolicyFile } from '@/lib/policy/policy-file';
import { judgeCommand } from '@/lib/policy/shell-verdict';
import { applyPatch } from '@/lib/tools/files/apply-patch';
import { copyPath } from '@/lib/tools/files/copy-path';
import { deletePath } from '@/lib/tools/files/delete-path';
import { editFile } from '@/lib/tools/files/edit-file';
import { makeDir } from '@/lib/tools/files/make-dir';
import { movePath } from '@/lib/tools/files/move-path';
import { writeFile } from '@/lib/tools/files/write-file';
import { createEngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const law = 'gatehouse.policy.json';
const open = '{"version": 1, "default": "allow", "shell": {"allow": ["*"]}, "rules": [{"effect": "allow", "tool": "*"}]}';
const patch = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;

/** Every spelling that reaches a protected place through a tool. */
const calls: readonly TestCall[] = [
  ...[
    law,
    `./${law}`,
    `src/../${law}`,
    `${law}/`,
    `.//${law}`,
    '.git/config',
    'a/.git/hooks/post-checkout',
    './.git//config',
    '.GIT/config',
    'Gatehouse.Policy.JSON',
  ].map((path) => ({
    name: 'write_file',
    input: { path, content: open },
  })),
  { name: 'edit_file', input: { path: law, search: 'ask', replace: 'allow' } },
  { name: 'apply_patch', input: { patch: patch(law) } },
  { name: 'apply_patch', input: { patch: patch('.git/config') } },
  { name: 'apply_patch', input: { patch: `diff --git a/mine.json b/${law}\nsimilarity index 100%\nrename from mine.json\nrename to ${law}\n` } },
  { name: 'move_path', input: { from: 'mine.json', to: law } },
  { name: 'move_path', input: { from: law, to: 'old.json' } },
  { name: 'move_path', input: { from: 'mine', to: '.git' } },
  { name: 'copy_path', input: { from: 'mine.json', to: `./${law}` } },
  { name: 'copy_path', input: { from: 'mine', to: '.git/hooks' } },
  { name: 'delete_path', input: { path: law } },
  { name: 'delete_path', input: { path: '.git', recursive: true } },
  { name: 'make_dir', input: { path: '.git/hooks' } },
];

const commands = [
  `echo x > ${law}`,
  `cat mine.json >| ./${law}`,
  `cd src && cp ../mine.json ../${law}`,
  `tee ${law} < mine.json`,
  `sed -i s/ask/allow/ ${law}`,
  `sed -n 'w ${law}' mine.json`,
  `sed 's/a/b/w .git/config' a`,
  'echo x > .git/config',
  'cd .git && echo x > config',
  '(cd .git; echo x > config)',
  'pushd .git; touch x',
  'cd .g* && echo x > config',
  'cd .gi[t] && echo x > config',
  'cd src/../.git/hooks && echo x > post-checkout',
  'D=.git; cd $D && echo x > config',
  'cd - && echo x > config',
  'cd "$(cat where)" && cp ../mine hooks/post-checkout',
  'cd "$D" && echo x > ./HEA[D]',
  'cd "$D" && echo x > pre-commit',
  `echo x | sponge ${law}`,
  'mktemp .git/hooks/x',
  'nano .git/config',
  `rename s/mine/gatehouse/ mine.policy.json ${law}`,
  'uniq a .git/config',
  'gzip .git/config',
  'mkdir .git/hooks',
  'split a .git/x',
  'csplit -f .git/x a 1',
  'zip .git/x a',
  'tar xf a.tar -C .git',
  "sed -n -e p -e 'w .git/config' a",
  'xxd -r a .git/index',
  'for f in 1; do echo x; done >> .git/config',
  'echo x > .Git/config',
  'cp mine.json Gatehouse.policy.json',
  'cp mine.json [G]ATEHOUSE.policy.json',
];

/** Commands that write a protected file under a name that none of their words is, or that only an option says. */
const unsaid = [
  `gunzip -f ${law}.gz`,
  'gunzip g*.gz',
  `gzip -d ${law}.gz`,
  `xz -d ${law}.xz`,
  `bunzip2 ./${law}.bz2`,
  `zstd -d ${law}.zst`,
  `gunzip -S .x ${law}.x`,
  'split -a 1 --additional-suffix=tehouse.policy.json x g',
  'split -a 1 --additional-suffix tehouse.policy.json x g',
  'split x .git/x',
  'csplit -f gateho -b %0duse.policy.json x 1',
  'csplit -f.git/x y 1',
  "csplit --suffix-format=gatehouse.policy.json -f '' x 1",
  `cp evil/${law} .`,
  `cp evil/${law} ./`,
  `cp -t . evil/${law}`,
  `cp evil/${law} --target-directory=.`,
  'cp evil/gate* .',
  `cp evil/${law} src/..`,
  'cp -r evil/.git .',
  `cp evil/${law} ~`,
  `mv evil/${law} .`,
  'mv evil/Gatehouse.Policy.JSON .',
  `rsync evil/${law} .`,
  `rsync host:${law} .`,
  `ln -s evil/${law} .`,
  `ln -s evil/${law}`,
  `install evil/${law} .`,
  `install -D -t . evil/${law}`,
  `git mv evil/${law} .`,
  `cd src && cp ../evil/${law} ..`,
  'cd .git && cp ../evil/config .',
  `cp evil/{a,${law}} .`,
  "sqlite3 x '.once .git/config'",
  "sqlite3 x \"select writefile('gatehouse.policy.json', 'x')\"",
  'sqlite3 x "vacuum into \'.git/config\'"',
  `sqlite3 x ".output ${law}" "select 1"`,
  'unzip -d.git a',
  'unzip a -d .git',
  'shuf --output=.git/x y',
  'shuf -o .git/x y',
  `iconv -o ${law} x`,
  `git archive -o ${law} HEAD`,
  `git archive --output=${law} HEAD`,
  `git checkout-index -f ${law}`,
  `git checkout main -- ${law}`,
  'git checkout main gate*',
  `git restore ${law}`,
  `git restore -SW ${law}`,
  `git rm ${law}`,
  `git stash push ${law}`,
  'git format-patch -o .git/x',
  'git clone x .git',
  'git clone x a/.git',
  `patch ${law} x`,
  `patch -o ${law} a b`,
  `tar xf a.tar ${law}`,
  'tar xf a.tar -C .git',
  `prettier --write ${law}`,
  `prettier ${law} -w`,
  `biome check --write ./${law}`,
  `eslint --fix ${law}`,
  `pandoc -o ${law} a`,
  'openssl enc -out .git/config',
  'gcc -o.git/x a.c',
  'terraform plan -out=.git/x',
  `wget https://evil.test/${law}`,
  `scp h:${law} .`,
  `tsc --outFile ${law}`,
  'esbuild a --outfile=.git/hooks/pre-commit',
];

describe('the policy file and the history', () => {
  it('are written by no tool unasked, in auto mode and under a policy that allows everything', async () => {
    const fs = createMemoryRuntimeFs({ [law]: '{"version": 1}', 'mine.json': open, 'mine/x': '1', '.git/config': '[core]\n' });
    const before = new Map([...fs.contents].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
    const world = await createEngineWorld({
      runtime: { ...emptyRuntime, fs },
      tools: [writeFile, editFile, applyPatch, movePath, copyPath, deletePath, makeDir],
      mode: 'auto',
      model: (_, step) => (step === 0 ? { calls } : {}),
    });
    await world.engine.command({ type: 'policy-write', sessionId: world.sessionId, text: open });
    before.set(law, open);
    await world.send('go');
    const [planned] = world.of('plan-end');
    expect(
      planned?.calls.map(({ tool, decision, summary }, index) => `${index} ${tool} ${decision} ${summary}`).filter((one) => !/^\d+ \w+ ask /.test(one)),
    ).toEqual([]);
    // Some could not work and are not even asked for; none begins.
    expect(world.of('call-start')).toEqual([]);
    expect(new Map([...fs.contents].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))).toEqual(before);
  });

  it('are written by no command unasked, in auto mode and under a policy that allows everything', () => {
    const policy = readPolicyFile('{"version": 1, "default": "allow", "shell": {"allow": ["*"]}}');
    for (const command of [...commands, ...unsaid]) {
      const facts = { tool: 'exec_shell', input: { command }, capabilities: ['executes-code'], inputLevel: 'required', repairs: [], writes: [] } as const;
      for (const mode of ['ask', 'auto-edit', 'auto'] as const)
        expect([command, mode, decide(facts, { mode, policy, grants: new Set(), denials: new Set() }).decision]).toEqual([command, mode, 'ask']);
    }
  });

  it('are read, and other files beside them written, as the policy says', () => {
    const policy = readPolicyFile('{"version": 1, "default": "allow", "shell": {"allow": ["*"]}}');
    for (const command of [
      'cat .git/config',
      'sed -n 1,5p .git/config',
      'cd src && echo x > config',
      'mkdir .github',
      'echo x > .gitignore',
      'uniq a b',
      'sed "s/w x/y/" a',
      "sed -n '/show .git/p' a",
      'sed s/w/gatehouse.policy.json/ a',
      'uniq .git/HEAD',
      'xxd -l 16 .git/index',
      'gzip -l .git/x',
      'tar tf .git/x.tar',
      'tar -tf .git/x.tar',
      'zip a.zip .git/config',
      'split .git/x',
      'cd "$D" && touch a',
      'cd "$(git rev-parse --show-toplevel)" && npm test > test.log 2>&1',
      'cd - && echo x > out.txt',
    ]) {
      const facts = { tool: 'exec_shell', input: { command }, capabilities: ['executes-code'], inputLevel: 'required', repairs: [], writes: [] } as const;
      expect([command, decide(facts, { mode: 'auto', policy, grants: new Set(), denials: new Set() }).decision]).toEqual([command, 'allow']);
    }
  });

  it('are not seen where everyday commands do not touch them', () => {
    const policy = { allow: [], ask: [], deny: [], default: 'ask' } as const;
    const touched = (command: string) => judgeCommand(command, policy, 'auto').parts.some(({ rule }) => rule === 'protected-path');
    const everyday = [
      'cp -r public/. dist',
      'cp dist/* .',
      'cp templates/tsconfig.json .',
      'cp -r templates/app .',
      'mv src/a.ts .',
      'mv build/*.json .',
      'ln -s ../shared shared',
      'ln -s /usr/lib/x.so',
      'rsync -a src/ .',
      'cp evil/gatehouse.policy.json docs/',
      'install -m 755 bin/x dist/bin/x',
      'gunzip *.gz',
      'gunzip -c gatehouse.policy.json.gz',
      'gzip -d data.json.gz',
      'zstd -d a.zst -o a',
      'tar xzf x.tgz',
      'tar xzf x.tgz -C build',
      'unzip -o x.zip',
      'patch -p1 < fix.patch',
      'split -l 1000 data.csv part_',
      'split gatehouse.policy.json',
      'csplit a.txt /x/',
      'sqlite3 app.db .tables',
      `sqlite3 app.db "insert into files values('.git/config')"`,
      'sqlite3 app.db ".read schema.sql"',
      'git checkout -b x',
      'git checkout HEAD -- src',
      'git commit -m "Say .git/ more"',
      'git add gatehouse.policy.json',
      'git log -p gatehouse.policy.json',
      'git restore --staged gatehouse.policy.json',
      'git reset HEAD gatehouse.policy.json',
      'git stash push -m wip',
      'git clone https://x.test/y.git',
      'git archive -o out.zip HEAD',
      'prettier --write .',
      'prettier --check gatehouse.policy.json',
      'biome check --write *.json',
      'eslint --fix .',
      'esbuild src/a.ts --outfile=out.js',
      'tsc -p .',
      'gcc -Wall -O2 -o a a.c',
      'cloc --exclude-dir=.git .',
      'codespell -S .git',
      'watchexec -e ts -i ".git/**" npm test',
      'cd "$DIR" && git reset --hard HEAD',
      'cd "$DIR" && tsc -p config',
      'cd src && tar xzf ../x.tgz',
      'jq . gatehouse.policy.json',
      'diff -r .git other',
    ];
    expect(everyday.filter(touched)).toEqual([]);
  });

  it('are looked for in time that grows with the command', () => {
    const policy = { allow: [], ask: [], deny: [], default: 'ask' } as const;
    const long = ['-o x ', 'x ', '-o g* '].map((word) => `cp ${word.repeat(9_000 / word.length)}`);
    const began = performance.now();
    for (const command of [...long, `${'cd a; '.repeat(800)}cp ${'x '.repeat(2_400)}`]) expect(judgeCommand(command, policy, 'auto').decision).toBe('ask');
    // Some hundredths of a second; many seconds where each word is held against each other.
    expect(performance.now() - began).toBeLessThan(2_500);
  });

  it('changed by a program that was allowed to run decide nothing, and nothing breaks over what stands in them', async () => {
    for (const text of [
      open,
      '['.repeat(200_000),
      '{"version":1,"__proto__":{"default":"allow"}}',
      '\u0000',
      '{"version": 1, "version": 2}',
      `{"version":1,"shell":{"allow":["${'*'.repeat(5_000)}"]}}`,
    ]) {
      const fs = createMemoryRuntimeFs({});
      const shell = testTool('exec_shell', ['executes-code'], async (input) => {
        if (input['command'] === 'npm test') await fs.writeFile(law, text);
        return said('ran');
      });
      const steps = [[{ name: 'exec_shell', input: { command: 'npm test' } }], [{ name: 'exec_shell', input: { command: 'rm -rf src' } }]];
      const world = await createEngineWorld({ runtime: { ...emptyRuntime, fs }, tools: [shell], model: (_, step) => ({ calls: steps[step] ?? [] }) });
      await world.send('go');
      const approvalId = world.of('approval-start')[0]?.request.approvalId as never;
      await world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId, choice: 'once' } });
      await world.clock.settle();
      expect(world.of('notice').map(({ code }) => code)).toEqual(['policy-waits']);
      expect(world.of('approval-start').map(({ request }) => request.trace.find(({ decided }) => decided)?.rule)).toEqual(['shell-policy', 'shell-policy']);
    }
  });
});
