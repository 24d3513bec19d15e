import git from 'isomorphic-git';
import { resolveCommit } from '@/lib/git/history';
import { currentBranch, headCommit, openRepository, type Repository } from '@/lib/git/repository';
import { branchCommit } from '@/lib/git/switch-files';
import { fatal, type GitCall, type GitCommand, GitEnd, said } from './git-call';
import { readOptions } from './options';

export const gitBranch: GitCommand = async (call) => {
  const options = readOptions('branch', call.args, {
    flags: {
      '--show-current': 'current',
      '-a': 'list',
      '--all': 'list',
      '-l': 'list',
      '--list': 'list',
      '-v': 'verbose',
      '-vv': 'verbose',
      '--verbose': 'verbose',
      '-d': 'delete',
      '--delete': 'delete',
      '-D': 'force-delete',
      '-m': 'move',
      '--move': 'move',
      '-M': 'force-move',
      '-f': 'force',
      '--force': 'force',
      '-q': 'quiet',
    },
    values: { '--format': 'format' },
  });
  const repository = await openRepository(call.fs);
  const current = await currentBranch(repository);
  if (options.has('current')) return said(current === undefined ? '' : `${current}\n`);
  if (options.has('delete') || options.has('force-delete')) return deleteBranches(repository, call, options.words, options.has('force-delete'), current);
  if (options.has('move') || options.has('force-move')) return renameBranch(repository, options.words, options.has('force-move'), current);
  const [name, start, more] = options.words;
  if (more !== undefined) throw fatal('git branch takes a name and a start');
  if (name === undefined || options.has('list')) return list(repository, current, options.has('verbose'), options.value('format'));
  if ((await headCommit(repository)) === undefined && start === undefined) throw fatal(`not a valid object name: '${current ?? 'HEAD'}'`);
  await makeBranch(repository, name, await resolveCommit(repository, start ?? 'HEAD'), options.has('force'));
  return said('');
};

/** Makes a branch at a commit. Fails as git does for a bad name, or one that is taken. */
export async function makeBranch(repository: Repository, name: string, commit: string, replaces: boolean): Promise<void> {
  if (!isBranchName(name)) throw fatal(`'${name}' is not a valid branch name`);
  if (!replaces && (await branchCommit(repository, name)) !== undefined) throw fatal(`a branch named '${name}' already exists`);
  await git.branch({ ...repository, ref: name, object: commit, force: replaces });
}

function isBranchName(name: string): boolean {
  const hasControl = [...name].some((char) => char <= ' ' || char === '\x7f');
  return name !== '' && name !== 'HEAD' && name !== '@' && !hasControl && !/^[-/.]|[/.]$|\.\.|\/\/|\/\.|@\{|[~^:?*[\\]|\.lock(\/|$)/.test(name);
}

async function list(repository: Repository, current: string | undefined, verbose: boolean, format: string | undefined) {
  const names = (await git.listBranches(repository)).sort();
  if (format !== undefined)
    return said(names.map((name) => `${format.replaceAll('%(refname:short)', name).replaceAll('%(refname)', `refs/heads/${name}`)}\n`).join(''));
  const head = await headCommit(repository);
  const rows = names.map((name) => ({ mark: name === current ? '*' : ' ', name, id: undefined as string | undefined }));
  if (current === undefined && head !== undefined) rows.unshift({ mark: '*', name: `(HEAD detached at ${head.slice(0, 7)})`, id: head });
  const width = Math.max(0, ...rows.map((row) => row.name.length));
  const lines: string[] = [];
  for (const row of rows) {
    if (!verbose) {
      lines.push(`${row.mark} ${row.name}\n`);
      continue;
    }
    const id = row.id ?? (await resolveCommit(repository, `refs/heads/${row.name}`));
    const [subject] = (await git.readCommit({ ...repository, oid: id })).commit.message.split('\n', 1);
    lines.push(`${row.mark} ${row.name.padEnd(width)} ${id.slice(0, 7)} ${subject}\n`);
  }
  return said(lines.join(''));
}

async function deleteBranches(repository: Repository, call: GitCall, names: readonly string[], force: boolean, current: string | undefined) {
  if (names.length === 0) throw fatal('branch name required');
  const lines: string[] = [];
  for (const name of names) {
    const commit = await branchCommit(repository, name);
    if (commit === undefined) throw new GitEnd(`error: branch '${name}' not found.`, 1, lines.join(''));
    if (name === current) throw new GitEnd(`error: Cannot delete branch '${name}' checked out at '${call.root}'`, 1, lines.join(''));
    const head = await headCommit(repository);
    const isMerged = head === commit || (head !== undefined && (await git.isDescendent({ ...repository, oid: head, ancestor: commit })));
    if (!force && !isMerged)
      throw new GitEnd(
        `error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.`,
        1,
        lines.join(''),
      );
    await git.deleteBranch({ ...repository, ref: name });
    lines.push(`Deleted branch ${name} (was ${commit.slice(0, 7)}).\n`);
  }
  return said(lines.join(''));
}

async function renameBranch(repository: Repository, words: readonly string[], force: boolean, current: string | undefined) {
  const [first, second] = words;
  const [from, to] = second === undefined ? [current, first] : [first, second];
  if (from === undefined || to === undefined) throw fatal('branch name required');
  if (!isBranchName(to)) throw fatal(`'${to}' is not a valid branch name`);
  if (from === current && (await headCommit(repository)) === undefined) {
    await git.writeRef({ ...repository, ref: 'HEAD', value: `refs/heads/${to}`, symbolic: true, force: true });
    return said('');
  }
  if ((await branchCommit(repository, from)) === undefined) throw fatal(`no branch named '${from}'`);
  if ((await branchCommit(repository, to)) !== undefined) {
    if (!force) throw fatal(`a branch named '${to}' already exists`);
    await git.deleteBranch({ ...repository, ref: to });
  }
  await git.renameBranch({ ...repository, oldref: from, ref: to, checkout: from === current });
  return said('');
}
