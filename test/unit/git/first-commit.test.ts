import git from 'isomorphic-git';
import { describe, expect, it } from 'vitest';
import { commitAll } from '@/lib/git/first-commit';
import { createGitFiles } from '@/lib/git/runtime-fs';
import { createMemoryRuntimeFs } from '@/test/support/memory-runtime-fs';

const author = { name: 'Ada', email: 'ada@example.com' };
const starter = { '.gitignore': 'node_modules/\n', 'package.json': '{}\n', 'src/deep/a.ts': 'export {};\n', 'node_modules/x/index.js': 'x' };

type Files = ReturnType<typeof createMemoryRuntimeFs>;

async function history(fs: Files): Promise<readonly (readonly [string, string, number])[]> {
  const commits = await git.log({ fs: createGitFiles(fs), dir: '/' });
  return commits.map(({ commit }) => [commit.message.trim(), `${commit.author.name} <${commit.author.email}>`, commit.author.timestamp] as const);
}

describe('commitAll', () => {
  it('begins a history on main, without what is ignored', async () => {
    const fs = createMemoryRuntimeFs(starter);
    const id = await commitAll({ fs }, 'First', author, 1_700_000_000);
    // What `git commit` itself answers for these files, this author and this time.
    expect(id).toBe('e9bcd5c1333e0f648805cec5dbf7ea85bf5576ae');
    expect(await history(fs)).toEqual([['First', 'Ada <ada@example.com>', 1_700_000_000]]);
    expect(await git.listFiles({ fs: createGitFiles(fs), dir: '/', ref: 'main' })).toEqual(['.gitignore', 'package.json', 'src/deep/a.ts']);
    expect((await git.statusMatrix({ fs: createGitFiles(fs), dir: '/' })).every(([, ...states]) => states.every((state) => state === 1))).toBe(true);
  });

  it('gives the same id for the same files, author and time', async () => {
    const ids = [createMemoryRuntimeFs(starter), createMemoryRuntimeFs(starter)].map((fs) => commitAll({ fs }, 'First', author, 1_700_000_000));
    const [first, second] = await Promise.all(ids);
    expect(first).toBe(second);
    expect(await commitAll({ fs: createMemoryRuntimeFs(starter) }, 'First', author, 1_700_000_001)).not.toBe(first);
  });

  it('extends the history: changed, new and removed files, also a change of equal size at an equal time', async () => {
    const fs = createMemoryRuntimeFs(starter);
    await commitAll({ fs }, 'First', author, 1_700_000_000);
    await fs.writeFile('package.json', '[]\n');
    await fs.writeFile('src/b.ts', 'b');
    await fs.rm('src/deep/a.ts');
    const second = await commitAll({ fs }, 'Second', author, 1_700_000_100);
    expect((await history(fs)).map(([message]) => message)).toEqual(['Second', 'First']);
    const { blob } = await git.readBlob({ fs: createGitFiles(fs), dir: '/', oid: second, filepath: 'package.json' });
    expect(new TextDecoder().decode(blob)).toBe('[]\n');
    expect(await git.listFiles({ fs: createGitFiles(fs), dir: '/', ref: 'main' })).toEqual(['.gitignore', 'package.json', 'src/b.ts']);
  });

  it('makes no empty commit', async () => {
    const fs = createMemoryRuntimeFs(starter);
    const first = await commitAll({ fs }, 'First', author, 1_700_000_000);
    expect(await commitAll({ fs }, 'Again', author, 1_700_000_100)).toBe(first);
    expect(await history(fs)).toHaveLength(1);
  });
});
