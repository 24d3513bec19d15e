import git from 'isomorphic-git';
import type { GitCommitted } from '@/lib/contracts/git';
import { CodedError } from '@/lib/shared/coded-error';
import type { CommitAuthor } from './first-commit';
import { currentBranch, headCommit, type Repository, readStates } from './repository';
import { statusOf } from './status';

export interface CommitRequest {
  readonly message: string;
  readonly author: CommitAuthor;
  readonly atSeconds: number;
  /** Replaces the newest commit, and keeps its author. */
  readonly amend?: boolean;
  /** A commit that changes nothing is made all the same. */
  readonly allowEmpty?: boolean;
}

/** Commits the index. Fails `invalid-input` for an empty message, `execution-failed` when the index holds nothing new. */
export async function commitIndex(repository: Repository, request: CommitRequest): Promise<GitCommitted> {
  const message = request.message.trim();
  if (message === '') throw new CodedError('invalid-input', 'Aborting commit due to empty commit message.');
  const paths = statusOf(await readStates(repository)).filter((status) => status.index !== undefined);
  if (paths.length === 0 && request.allowEmpty !== true && request.amend !== true)
    throw new CodedError('execution-failed', 'Nothing is staged, so there is nothing to commit. Stage what belongs to the commit first.');
  if (request.amend === true && (await headCommit(repository)) === undefined) throw new CodedError('execution-failed', 'You have nothing to amend.');
  const signature = { ...request.author, timestamp: request.atSeconds, timezoneOffset: 0 };
  const author = request.amend === true ? (await git.readCommit({ ...repository, oid: (await headCommit(repository)) as string })).commit.author : signature;
  const id = await git.commit({ ...repository, message, author, committer: signature, ...(request.amend === true ? { amend: true } : {}) });
  const branch = await currentBranch(repository);
  return { id, ...(branch === undefined ? {} : { branch }), paths: paths.map(({ work: _, ...staged }) => staged) };
}

/** Who commits: the repository's own `user.name` and `user.email`, else `fallback`. */
export async function authorOf(repository: Repository, fallback: CommitAuthor): Promise<CommitAuthor> {
  const [name, email] = [await git.getConfig({ ...repository, path: 'user.name' }), await git.getConfig({ ...repository, path: 'user.email' })];
  return { name: typeof name === 'string' && name !== '' ? name : fallback.name, email: typeof email === 'string' && email !== '' ? email : fallback.email };
}
