import { describe, expect, it } from 'vitest';
import { createGitWorld, hasGit } from '@/test/support/git-world';

const poem = Array.from({ length: 40 }, (_, index) => (index % 10 === 0 ? `function part${index}() {` : `  line ${index};`)).join('\n');
const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'src/poem.js': `${poem}\n`,
  'src/deep/b.txt': 'b\n',
  'gone.txt': 'will go\n',
  'move me.txt': 'the same text\nas before\n',
  '.gitignore': 'out/\n*.log\n',
};
type World = ReturnType<typeof createGitWorld>;

/** A repository with two commits, and changes of every kind on top. */
async function busy(): Promise<World> {
  const world = createGitWorld(files);
  const { git, write, fs } = world;
  await git('init');
  await git('add .');
  await git('commit -m "First things"');
  await write('a.txt', 'one\n2\nthree\n');
  await git(['commit', '-am', 'Second\n\nwith a body\nof two lines']);
  await write('src/poem.js', `${poem.replace('line 5;', 'line five;').replace('  line 33;\n', '')}\n`);
  await write('staged.txt', 'new\nand staged');
  await fs.rm('gone.txt');
  await fs.rename('move me.txt', 'moved.txt');
  await git('add staged.txt moved.txt "move me.txt"');
  await write('staged.txt', 'new\nand staged\nand changed\n');
  await write('loose.txt', 'x\n');
  await write('fresh/one.txt', '1\n');
  await write('fresh/in/two.txt', '2\n');
  await write('src/new.js', '3\n');
  await write('sp ace.txt', 's\n');
  await write('ümlaut.txt', 'u\n');
  await write('debug.log', 'ignored\n');
  await write('out/x', 'ignored\n');
  return world;
}

describe.skipIf(!hasGit)('git says what git says', () => {
  const looked = busy();
  it.each([
    'status',
    'status -s',
    'status -sb',
    'status --porcelain',
    'status -uno',
    'status -s -uall',
    'status src',
    'diff',
    'diff --staged',
    'diff --cached --stat',
    'diff HEAD',
    'diff HEAD --stat',
    'diff -U0',
    'diff --unified=1 -- src',
    'diff --name-only',
    'diff --name-status HEAD',
    'diff --numstat --staged',
    'diff --shortstat',
    'diff HEAD~1 HEAD',
    'diff HEAD~1..HEAD --stat',
    'diff --exit-code',
    'log',
    'log --oneline',
    'log --oneline -n 1',
    'log -1',
    'log -n1 --stat',
    'log -p -1',
    'log --format=%h|%an|%ae|%s|%as',
    'log --reverse --oneline',
    'log --oneline -- a.txt',
    'log --oneline src',
    'log HEAD~1 --oneline',
    'show',
    'show --stat HEAD~1',
    'show HEAD:a.txt',
    'branch',
    'branch --show-current',
    'branch -v',
    'rev-parse HEAD',
    'rev-parse --short HEAD~1',
    'rev-parse --abbrev-ref HEAD',
    'ls-files',
    'ls-files -m',
    'ls-files -o --exclude-standard',
    'diff nowhere',
    'show nowhere',
  ])('%s', async (line) => {
    const world = await looked;
    const [ours, theirs] = [await world.git(line), world.real(line)];
    expect(ours.stdout).toBe(theirs.stdout);
    expect(ours.exitCode).toBe(theirs.exitCode);
    if (theirs.exitCode === 0) expect(ours.stderr).toBe(theirs.stderr);
  });

  it.each(['status', 'status -s', 'diff', 'ls-files', 'diff --stat -- .', 'log --oneline -- .'])('%s, typed in a folder', async (line) => {
    const world = await looked;
    expect((await world.git(line, 'src')).stdout).toBe(world.real(line, 'src').stdout);
  });

  it('in a repository without a commit', async () => {
    const world = createGitWorld({ 'a.txt': 'a\n' });
    await world.git('init');
    for (const line of ['status', 'status -sb', 'log', 'branch']) {
      const [ours, theirs] = [await world.git(line), world.real(line)];
      expect([line, ours]).toEqual([line, theirs]);
    }
    await world.git('add a.txt');
    expect(await world.git('status')).toEqual(world.real('status'));
    expect(await world.git('diff --staged')).toEqual(world.real('diff --staged'));
  });

  it('what it commits, git finds whole: objects, index, branches', async () => {
    const world = await busy();
    expect((await world.git('commit -m "Third"')).stdout).toMatch(
      /^\[main [0-9a-f]{7}\] Third\n 2 files changed, 2 insertions\(\+\)\n create mode 100644 moved.txt\n create mode 100644 staged.txt\n$|^\[main [0-9a-f]{7}\] Third\n 2 files changed, 2 insertions\(\+\)\n rename move me.txt => moved.txt \(100%\)\n create mode 100644 staged.txt\n$/,
    );
    await world.git('add -A');
    await world.git('commit -q -m Fourth');
    expect(world.real('fsck --strict').exitCode).toBe(0);
    expect(world.real('status --porcelain').stdout).toBe('');
    expect(world.real('log --format=%s').stdout).toBe('Fourth\nThird\nSecond\nFirst things\n');
  });
});

describe('git add', () => {
  it('stages new, changed and deleted files below its paths, and nothing that is ignored', async () => {
    const world = await busy();
    expect(await world.git('add -A')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect((await world.git('status -s')).stdout.split('\n').filter((line) => /^( |\?)/.test(line))).toEqual([]);
    expect(await world.git('add nowhere')).toEqual({ stdout: '', stderr: "fatal: pathspec 'nowhere' did not match any files\n", exitCode: 128 });
    expect((await world.git('add debug.log')).stderr).toContain('ignored');
    expect(await world.git('add')).toEqual({
      stdout: '',
      stderr: "Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\n",
      exitCode: 0,
    });
    expect((await world.git('add ../../etc')).exitCode).toBe(128);
  });

  it('-u leaves untracked files out', async () => {
    const world = await busy();
    await world.git('add -u');
    const { stdout } = await world.git('status -s');
    expect(stdout).toContain('M  src/poem.js\n');
    expect(stdout).toContain('D  gone.txt\n');
    expect(stdout).toContain('?? loose.txt\n');
  });

  it('sees a change of the same size in the same millisecond', async () => {
    const world = createGitWorld({ f: 'aaa\n' });
    await world.git('init');
    await world.git('add f');
    await world.write('f', 'bbb\n');
    expect((await world.git('status -s')).stdout).toBe('AM f\n');
  });
});

describe('git commit', () => {
  it('needs something staged and a message, and has no editor', async () => {
    const world = await busy();
    await world.git('restore --staged .');
    const nothing = await world.git('commit -m x');
    expect([nothing.exitCode, nothing.stdout]).toEqual([1, (await world.git('status')).stdout]);
    expect(await world.git('commit -a')).toEqual({
      stdout: '',
      stderr: 'error: there is no editor here. Give the message with -m: git commit -m "What changed and why"\n',
      exitCode: 1,
    });
    expect((await world.git(['commit', '-am', ' '])).stderr).toBe('Aborting commit due to empty commit message.\n');
  });

  it('takes paragraphs, standard input, another author, and mends the newest', async () => {
    const world = createGitWorld({ f: '1\n' });
    await world.git('init -q -b trunk');
    await world.git('config user.name "Grace Test"');
    await world.git('add f');
    expect((await world.git('commit -m One -m "and why"')).stdout).toMatch(
      /^\[trunk \(root-commit\) [0-9a-f]{7}\] One\n 1 file changed, 1 insertion\(\+\)\n create mode 100644 f\n$/,
    );
    expect((await world.git('log')).stdout).toMatch(
      /\nAuthor: Grace Test <ada@example\.invalid>\nDate: {3}Mon Jan 5 09:00:\d\d 2026 \+0000\n\n {4}One\n {4}\n {4}and why\n$/,
    );
    await world.write('f', '2\n');
    await world.git(['commit', '-a', '-F', '-', '--author=Alan Test <alan@example.invalid>'], '', 'From a pipe\n');
    await world.git('commit --amend -m Mended');
    expect((await world.git('log --format=%an:%s')).stdout).toBe('Alan Test:Mended\nGrace Test:One\n');
  });
});

describe('git branch and checkout', () => {
  it('makes, lists, renames and deletes branches', async () => {
    const world = await busy();
    expect(await world.git('branch side HEAD~1')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect((await world.git('branch')).stdout).toBe('* main\n  side\n');
    expect(await world.git('branch side')).toEqual({ stdout: '', stderr: "fatal: a branch named 'side' already exists\n", exitCode: 128 });
    expect((await world.git('branch "bad name"')).stderr).toBe("fatal: 'bad name' is not a valid branch name\n");
    await world.git('branch -m side other');
    expect((await world.git('branch -d other')).stdout).toMatch(/^Deleted branch other \(was [0-9a-f]{7}\)\.\n$/);
    expect((await world.git('branch -d main')).stderr).toBe("error: Cannot delete branch 'main' checked out at '/workspace'\n");
    expect(await world.git('branch -d nope')).toEqual({ stdout: '', stderr: "error: branch 'nope' not found.\n", exitCode: 1 });
  });

  it('switches files with the branch, takes changes along, and loses none', async () => {
    const world = createGitWorld({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { git, write, fs } = world;
    const text = async (path: string) => new TextDecoder().decode(await fs.readFile(path).catch(() => new TextEncoder().encode('(none)')));
    await git('init');
    await git('add .');
    await git('commit -m base');
    expect(await git('checkout -b side')).toEqual({ stdout: '', stderr: "Switched to a new branch 'side'\n", exitCode: 0 });
    await write('a.txt', 'A\n');
    await write('lib/only.txt', 'side only\n');
    await git('add .');
    await git('commit -m side');
    await write('b.txt', 'changed\n');
    expect(await git('checkout main')).toEqual({ stdout: 'M\tb.txt\n', stderr: "Switched to branch 'main'\n", exitCode: 0 });
    expect([await text('a.txt'), await text('b.txt'), await text('lib/only.txt'), await fs.stat('lib')]).toEqual(['a\n', 'changed\n', '(none)', undefined]);
    await write('a.txt', 'mine\n');
    await write('lib/only.txt', 'mine too\n');
    expect(await git('switch side')).toEqual({
      stdout: '',
      stderr:
        'error: Your local changes to the following files would be overwritten by checkout:\n\ta.txt\nPlease commit your changes or stash them before you switch branches.\nerror: The following untracked working tree files would be overwritten by checkout:\n\tlib/only.txt\nPlease move or remove them before you switch branches.\nAborting\n',
      exitCode: 1,
    });
    expect([await text('a.txt'), await text('lib/only.txt'), (await git('branch --show-current')).stdout]).toEqual(['mine\n', 'mine too\n', 'main\n']);
    expect(await git('checkout -- a.txt')).toEqual({ stdout: '', stderr: 'Updated 1 path from the index\n', exitCode: 0 });
    await git('checkout side -- lib/only.txt');
    expect([await text('a.txt'), await text('lib/only.txt'), (await git('status -s')).stdout]).toEqual(['a\n', 'side only\n', ' M b.txt\nA  lib/only.txt\n']);
    expect((await git('checkout -f side')).stderr).toBe("Switched to branch 'side'\n");
    expect((await git('status -s')).stdout).toBe('');
    expect((await git('checkout nowhere')).stderr).toBe("error: pathspec 'nowhere' did not match any file(s) known to git\n");
    expect((await git('checkout HEAD~1')).stderr).toContain("You are in 'detached HEAD' state");
    expect((await git('branch')).stdout).toMatch(/^\* \(HEAD detached at [0-9a-f]{7}\)\n {2}main\n {2}side\n$/);
    if (hasGit) expect(world.real('fsck --strict').exitCode).toBe(0);
  });
});

describe('what is not there', () => {
  it('is refused in words that say what to do instead', async () => {
    const world = await busy();
    expect((await world.git('push')).stderr).toBe(
      "git: 'push' is not available here. There is no server that this workspace could talk to: its history stays in this browser.\n",
    );
    expect((await world.git('rebase -i HEAD~2')).stderr).toContain('History is not rewritten here.');
    expect((await world.git('log --graph')).stderr).toBe('error: git log does not know the option --graph here\n');
    expect((await world.git('frobnicate')).stderr).toContain("'frobnicate' is not a git command here. The commands are: add, branch, checkout,");
    expect(await createGitWorld().git('status')).toEqual({
      stdout: '',
      stderr: 'fatal: not a git repository (or any of the parent directories): .git\n',
      exitCode: 128,
    });
    expect((await world.git('--version')).stdout).toMatch(/^git version /);
  });
});
