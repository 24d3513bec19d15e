import { expect, it } from 'vitest';
import { planNpm } from '@/lib/runtime/embedded/shell/npm';

const manifest = JSON.stringify({ name: 'demo', version: '1.2.3', scripts: { pretest: 'echo pre', test: 'node --test', hello: 'echo' } });
const read = async (path: string): Promise<string | undefined> =>
  path === '/workspace/package.json' ? manifest : path === '/workspace/broken/package.json' ? '{' : undefined;
const plan = (line: string, cwd = '/workspace') => planNpm('npm', line === '' ? [] : line.split(' '), cwd, read);

it('scripts run in order with their banners, from the folder of the package', async () => {
  const planned = await plan('test', '/workspace/src/deep');
  expect(planned.kind === 'scripts' && [planned.folder, planned.steps.map(({ banner, script }) => [banner, script])]).toEqual([
    '/workspace',
    [
      ['\n> demo@1.2.3 pretest\n> echo pre\n\n', 'echo pre'],
      ['\n> demo@1.2.3 test\n> node --test\n\n', 'node --test'],
    ],
  ]);
});

it('arguments after -- are quoted and passed on', async () => {
  const planned = await planNpm('npm', ['run', 'hello', '--silent', '--', 'a b', "it's", '--flag'], '/workspace', read);
  expect(planned.kind === 'scripts' && planned.steps.map(({ banner, script }) => [banner, script])).toEqual([['', `echo 'a b' 'it'\\''s' --flag`]]);
});

it('what cannot be done says so', async () => {
  expect(await plan('--version')).toEqual({ kind: 'answer', stdout: '10.9.0\n', stderr: '', code: 0 });
  for (const line of ['install left-pad', 'i', 'ci', 'publish'])
    expect(await plan(line)).toMatchObject({ code: 1, stderr: expect.stringContaining('Packages cannot be installed in this runtime') });
  expect(await plan('run nope')).toMatchObject({ code: 1, stderr: expect.stringMatching(/Missing script: "nope"[\s\S]*pretest, test, hello/) });
  expect(await plan('run nope --if-present')).toMatchObject({ code: 0, stdout: '' });
  expect(await plan('test', '/elsewhere')).toMatchObject({ code: 1, stderr: expect.stringContaining('no package.json in /elsewhere') });
  expect(await plan('test', '/workspace/broken')).toMatchObject({ code: 1, stderr: expect.stringContaining('/workspace/broken/package.json cannot be read') });
  expect(await planNpm('npx', ['cowsay'], '/workspace', read)).toMatchObject({ code: 1, stderr: expect.stringContaining('npx: Packages cannot be installed') });
});
