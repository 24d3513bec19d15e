import git from 'isomorphic-git';
import { filesOf } from '@/lib/git/compare';
import { resolveCommit } from '@/lib/git/history';
import { currentBranch, headCommit, isWithin, openRepository, type Repository, readBlob, readStates } from '@/lib/git/repository';
import { statusOf } from '@/lib/git/status';
import { branchCommit, putFiles, removeFile, setHead, switchFiles, writeFile } from '@/lib/git/switch-files';
import { quotePath } from '@/lib/shared/unified-diff';
import { makeBranch } from './branch';
import { fatal, type GitCall, type GitCommand, GitEnd, said } from './git-call';
import { type ReadOptions, readOptions } from './options';
import { typedPath } from './paths';

export const gitCheckout: GitCommand = async (call) => {
  const options = readOptions('checkout', call.args, {
    flags: { '-f': 'force', '--force': 'force', '-q': 'quiet', '--quiet': 'quiet', '--detach': 'detach' },
    values: { '-b': 'new', '-B': 'reset' },
  });
  const repository = await openRepository(call.fs);
  if (options.value('new') !== undefined || options.value('reset') !== undefined) return startBranch(repository, options);
  const [word, ...more] = options.words;
  const paths = options.paths ?? (word !== undefined && more.length === 0 && (await isSwitch(repository, word)) ? [] : undefined);
  if (paths !== undefined && paths.length === 0 && word !== undefined) return switchTo(repository, word, options);
  if (word === undefined && options.paths === undefined) throw new GitEnd('error: git checkout needs a branch, a commit or paths', 1);
  // What is no branch and no commit is a path; a commit before the paths says where they come from.
  const source = word !== undefined && (options.paths !== undefined || more.length > 0) && (await isSwitch(repository, word)) ? word : undefined;
  const typed = [...(source === undefined ? options.words : more), ...(options.paths ?? [])];
  return takeFiles(repository, call, typed, source);
};

export const gitSwitch: GitCommand = async (call) => {
  const options = readOptions('switch', call.args, {
    flags: { '-f': 'force', '--force': 'force', '--discard-changes': 'force', '-q': 'quiet', '--quiet': 'quiet', '--detach': 'detach', '-d': 'detach' },
    values: { '-c': 'new', '--create': 'new', '-C': 'reset' },
  });
  const repository = await openRepository(call.fs);
  if (options.value('new') !== undefined || options.value('reset') !== undefined) return startBranch(repository, options);
  const [word] = options.words;
  if (word === undefined) throw fatal('missing branch or commit argument');
  if (!options.has('detach') && (await branchCommit(repository, word)) === undefined) throw fatal(`invalid reference: ${word}`);
  return switchTo(repository, word, options);
};

export const gitRestore: GitCommand = async (call) => {
  const options = readOptions('restore', call.args, {
    flags: { '-S': 'staged', '--staged': 'staged', '-W': 'worktree', '--worktree': 'worktree', '-q': 'quiet' },
    values: { '-s': 'source', '--source': 'source' },
  });
  const typed = [...options.words, ...(options.paths ?? [])];
  if (typed.length === 0) throw fatal('you must specify path(s) to restore');
  const repository = await openRepository(call.fs);
  if (options.has('staged')) {
    await unstage(repository, call, typed);
    if (!options.has('worktree')) return said('');
  }
  await takeFiles(repository, call, typed, options.value('source') ?? (options.has('staged') ? 'HEAD' : undefined));
  return said('');
};

async function isSwitch(repository: Repository, word: string): Promise<boolean> {
  if (word === '-' || (await branchCommit(repository, word)) !== undefined) return true;
  try {
    await resolveCommit(repository, word);
    return true;
  } catch {
    return false;
  }
}

async function startBranch(repository: Repository, options: ReadOptions) {
  const resets = options.value('reset') !== undefined;
  const name = (options.value('new') ?? options.value('reset')) as string;
  const [start] = options.words;
  if (!resets && (await branchCommit(repository, name)) !== undefined) throw fatal(`a branch named '${name}' already exists`);
  if ((await headCommit(repository)) === undefined) {
    await setHead(repository, { branch: name });
    return said('', `Switched to a new branch '${name}'\n`);
  }
  const commit = await resolveCommit(repository, start ?? 'HEAD');
  await moveFiles(repository, commit, options);
  await makeBranch(repository, name, commit, resets);
  await setHead(repository, { branch: name });
  return said('', options.has('quiet') ? '' : `Switched to a new branch '${name}'\n`);
}

async function switchTo(repository: Repository, word: string, options: ReadOptions) {
  if (word === '-') throw new GitEnd('error: the branch before is not remembered here; name it', 1);
  const before = await currentBranch(repository);
  const commit = options.has('detach') ? undefined : await branchCommit(repository, word);
  if (commit !== undefined && before === word && !options.has('force'))
    return said(await keptChanges(repository), options.has('quiet') ? '' : `Already on '${word}'\n`);
  const target = commit ?? (await resolveCommit(repository, word));
  await moveFiles(repository, target, options);
  await setHead(repository, commit === undefined ? { commit: target } : { branch: word });
  const kept = await keptChanges({ ...repository, cache: {} });
  if (options.has('quiet')) return said('');
  if (commit !== undefined) return said(kept, `Switched to branch '${word}'\n`);
  const [subject] = (await git.readCommit({ ...repository, oid: target })).commit.message.split('\n', 1);
  return said(
    kept,
    `Note: switching to '${word}'.\n\nYou are in 'detached HEAD' state: commits made now belong to no branch. To keep them:\n\n  git switch -c <new-branch-name>\n\nHEAD is now at ${target.slice(0, 7)} ${subject}\n`,
  );
}

async function moveFiles(repository: Repository, commit: string, options: ReadOptions): Promise<void> {
  const conflict = await switchFiles(repository, commit, options.has('force'));
  if (conflict === undefined) return;
  const list = (paths: readonly string[]) => paths.map((path) => `\t${path}\n`).join('');
  const parts: string[] = [];
  if (conflict.changed.length > 0)
    parts.push(
      `error: Your local changes to the following files would be overwritten by checkout:\n${list(conflict.changed)}Please commit your changes or stash them before you switch branches.\n`,
    );
  if (conflict.untracked.length > 0)
    parts.push(
      `error: The following untracked working tree files would be overwritten by checkout:\n${list(conflict.untracked)}Please move or remove them before you switch branches.\n`,
    );
  throw new GitEnd(`${parts.join('')}Aborting`, 1);
}

/** Changes that were taken along, as git lists them. */
async function keptChanges(repository: Repository): Promise<string> {
  return statusOf(await readStates(repository))
    .filter((one) => one.index !== undefined || (one.work !== undefined && one.work !== 'untracked'))
    .map(({ path, index, work }) => `${index === 'added' ? 'A' : index === 'deleted' || work === 'deleted' ? 'D' : 'M'}\t${quotePath(path)}\n`)
    .join('');
}

/** Brings files back: from the index, or from a commit (then the index follows). */
async function takeFiles(repository: Repository, call: GitCall, typed: readonly string[], source: string | undefined) {
  const paths = typed.map((word) => typedPath(call, word));
  const commit = source === undefined ? undefined : await resolveCommit(repository, source);
  const states = await readStates(repository, paths);
  const known =
    commit === undefined
      ? new Map(states.flatMap(({ path, index }) => (index === undefined ? [] : [[path, index] as const])))
      : await filesOf(repository, commit, paths);
  for (const [at, path] of paths.entries())
    if (path !== '' && ![...known.keys()].some((file) => isWithin(file, path)))
      throw new GitEnd(`error: pathspec '${typed[at]}' did not match any file(s) known to git`, 1);
  const differing = new Map([...known].filter(([path, id]) => states.find((state) => state.path === path)?.work !== id));
  if (commit === undefined) for (const [path, id] of differing) await writeFile(repository, path, await readBlob(repository, id));
  else await putFiles(repository, known);
  const count = commit === undefined ? differing.size : known.size;
  return said('', `Updated ${count} path${count === 1 ? '' : 's'} from ${commit === undefined ? 'the index' : commit.slice(0, 7)}\n`);
}

/** Makes the index of these paths that of the newest commit. */
export async function unstage(repository: Repository, call: GitCall, typed: readonly string[]): Promise<void> {
  const paths = typed.map((word) => typedPath(call, word));
  const states = await readStates(repository, paths);
  for (const [at, path] of paths.entries())
    if (path !== '' && !states.some((state) => isWithin(state.path, path) && (state.index !== undefined || state.head !== undefined)))
      throw new GitEnd(`error: pathspec '${typed[at]}' did not match any file(s) known to git`, 1);
  for (const { path, head, index } of states) {
    if (head === index) continue;
    if (head === undefined) await git.remove({ ...repository, filepath: path });
    else await git.resetIndex({ ...repository, filepath: path, ref: 'HEAD' });
  }
}

export const gitRm: GitCommand = async (call) => {
  const options = readOptions('rm', call.args, {
    flags: { '--cached': 'cached', '-r': 'deep', '-f': 'force', '--force': 'force', '-q': 'quiet', '--quiet': 'quiet', '-rf': 'deep' },
  });
  const typed = [...options.words, ...(options.paths ?? [])];
  if (typed.length === 0) throw fatal('No pathspec was given. Which files should I remove?');
  const repository = await openRepository(call.fs);
  const paths = typed.map((word) => typedPath(call, word));
  const states = (await readStates(repository, paths)).filter((state) => state.index !== undefined);
  for (const [at, path] of paths.entries()) {
    const found = states.filter((state) => isWithin(state.path, path));
    if (found.length === 0) throw fatal(`pathspec '${typed[at]}' did not match any files`);
    if (!options.has('deep') && !found.some((state) => state.path === path)) throw fatal(`not removing '${typed[at]}' recursively without -r`);
  }
  const changed = states.filter((state) => state.index !== state.head || (state.work !== undefined && state.work !== state.index));
  if (changed.length > 0 && !options.has('force') && !options.has('cached'))
    throw new GitEnd(
      `error: the following files have changes that are not committed:\n${changed.map(({ path }) => `    ${path}\n`).join('')}(use --cached to keep the file, or -f to force removal)`,
      1,
    );
  for (const { path } of states) {
    await git.remove({ ...repository, filepath: path });
    if (!options.has('cached')) await removeFile(repository, path);
  }
  return said(options.has('quiet') ? '' : states.map(({ path }) => `rm '${quotePath(path)}'\n`).join(''));
};
