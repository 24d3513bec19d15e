import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { gitAdd } from '@/lib/tools/git/git-add';
import { gitCommit } from '@/lib/tools/git/git-commit';
import { gitDiff } from '@/lib/tools/git/git-diff';
import { gitLog } from '@/lib/tools/git/git-log';
import { gitStatus } from '@/lib/tools/git/git-status';
import { createGitWorld, hasGit } from '@/test/support/git-world';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

async function workspace() {
  const world = createGitWorld({ 'a.txt': 'one\ntwo\n', 'src/b.txt': 'b\n', '.gitignore': '*.log\n' });
  const { context } = createMemoryContext({ git: world.port });
  const run = async (tool: ToolSpec, input: unknown = {}) =>
    runTool(tool, input, context).then(
      (result) => result.content,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  return { ...world, run };
}

describe('the git tools', () => {
  it('tell what is staged, changed and untracked', async () => {
    const { git, run, write, fs } = await workspace();
    await git('init');
    expect(await run(gitStatus)).toBe('On branch main, which has no commit yet.\nUntracked (3):\n  ? .gitignore\n  ? a.txt\n  ? src/b.txt');
    expect(await run(gitLog)).toBe('There is no commit yet.');
    await git('add .');
    await git('commit -m base');
    expect(await run(gitStatus)).toMatch(/^On branch main at [0-9a-f]{7}\. Nothing differs from the newest commit\.$/);
    await write('a.txt', 'one\n2\n');
    await write('new.txt', 'n\n');
    await write('x.log', 'ignored\n');
    await fs.rename('src/b.txt', 'c.txt');
    await git('add c.txt src/b.txt');
    expect((await run(gitStatus)).split('\n').slice(1)).toEqual([
      'Staged for the next commit (1):',
      '  R src/b.txt → c.txt',
      'Changed, not staged (1):',
      '  M a.txt',
      'Untracked (1):',
      '  ? new.txt',
    ]);
  });

  it('show changed lines as git does, staged or not, of all or of a path', async () => {
    const { git, real, run, write } = await workspace();
    await git('init');
    await git('add .');
    await git('commit -m base');
    await write('a.txt', 'one\n2\n');
    await write('src/b.txt', 'b\nb2\n');
    await git('add a.txt');
    const staged = await run(gitDiff, { staged: true });
    expect(staged.split('\n')[0]).toBe('1 file, +1 −1 lines.');
    if (hasGit) expect(`${staged.split('\n').slice(1).join('\n')}\n`).toBe(real('diff --staged').stdout);
    expect(await run(gitDiff, { path: 'src', unified: 0 })).toBe(
      '1 file, +1 −0 lines.\ndiff --git a/src/b.txt b/src/b.txt\nindex 6178079..b89df23 100644\n--- a/src/b.txt\n+++ b/src/b.txt\n@@ -1,0 +2 @@ b\n+b2',
    );
    expect(await run(gitDiff, { path: 'a.txt' })).toBe(
      'Nothing differs from what is staged in a.txt. git_status names untracked files; staged=true shows what is staged.',
    );
    expect(await run(gitDiff, { path: '../a' })).toContain('path-escape: ');
  });

  it('stage and commit, and list what was committed', async () => {
    const { git, real, run, write } = await workspace();
    expect(await run(gitStatus)).toBe('not-available: There is no git repository in this workspace. `git init` in the shell makes one.');
    await git('init');
    expect(await run(gitCommit, { message: 'x' })).toBe(
      'execution-failed: Nothing is staged, so there is nothing to commit. Stage what belongs to the commit first.',
    );
    expect(await run(gitAdd, { paths: ['.'] })).toBe('Staged 3 files:\n  added .gitignore\n  added a.txt\n  added src/b.txt');
    expect(await run(gitAdd, { paths: ['./src/'] })).toBe('Nothing was staged: these paths hold nothing that differs from the index.');
    expect(await run(gitAdd, { paths: ['nope'] })).toBe("invalid-input: pathspec 'nope' did not match any files");
    expect(await run(gitAdd, { paths: ['a.txt', '../b'] })).toContain('path-escape: ');
    expect(await run(gitCommit, { message: 'First\n\nbecause' })).toMatch(
      /^Committed [0-9a-f]{7} on main: 3 files \(added \.gitignore, added a\.txt, added src\/b\.txt\)\.$/,
    );
    await write('a.txt', 'changed\n');
    await run(gitAdd, { paths: ['a.txt'] });
    await run(gitCommit, { message: 'Second' });
    expect((await run(gitLog)).replace(/^[0-9a-f]{7}/gm, 'ID')).toBe('ID 2026-01-05 09:00 Ada Test: Second\nID 2026-01-05 09:00 Ada Test: First\n    because');
    expect((await run(gitLog, { path: 'src', max_count: 1 })).replace(/^[0-9a-f]{7}/, 'ID')).toContain('ID 2026-01-05 09:00 Ada Test: First');
    if (hasGit) expect([real('fsck --strict').exitCode, real('status --porcelain').stdout, real('log --format=%s').stdout]).toEqual([0, '', 'Second\nFirst\n']);
  });

  it('always ask before they write to the history, and name what they write', () => {
    for (const tool of [gitAdd, gitCommit]) expect(tool.capabilities).toEqual(['writes-files', 'requires-approval', 'sandboxable']);
    expect(gitAdd.pathsFor?.({ paths: ['a'] } as never)).toEqual({ places: ['.git/index'] });
    for (const tool of [gitStatus, gitDiff, gitLog]) expect([tool.capabilities, tool.supportsParallel]).toEqual([['read-only', 'sandboxable'], true]);
  });
});
