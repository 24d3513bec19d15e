import './buffer-global';
import git from 'isomorphic-git';
import type { Runtime } from '@/lib/contracts/runtime';
import { createGitFiles, type GitFileClient } from './runtime-fs';

const BATCH = 100;

export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

interface Repository {
  readonly fs: GitFileClient;
  readonly dir: string;
  readonly cache: object;
}

/**
 * Commits everything in the workspace that `.gitignore` does not ignore; begins the history (branch `main`) where there is none.
 *
 * In     `message` as it shall stand; `atSeconds` seconds since the epoch, recorded as UTC.
 * Out    the commit's id: equal files, author, time and history give equal ids. Nothing changed = the id of the newest commit.
 * Fails  with the error of the files or of the git library.
 */
export async function commitAll(runtime: Pick<Runtime, 'fs'>, message: string, author: CommitAuthor, atSeconds: number): Promise<string> {
  const repository: Repository = { fs: createGitFiles(runtime.fs), dir: '/', cache: {} };
  if ((await runtime.fs.stat('.git')) === undefined) await git.init({ ...repository, defaultBranch: 'main' });
  await stageAll(repository);
  const newest = await newestCommit(repository);
  const differs = (await git.statusMatrix(repository)).some(([, inHead, , inIndex]) => inHead !== inIndex);
  if (newest !== undefined && !differs) return newest;
  const signature = { ...author, timestamp: atSeconds, timezoneOffset: 0 };
  return git.commit({ ...repository, message, author: signature, committer: signature });
}

/** Every file is hashed anew: a file of the same size written in the same millisecond looks unchanged to the index. */
async function stageAll(repository: Repository): Promise<void> {
  const rows = await git.statusMatrix(repository);
  for (const [filepath, , inFolder] of rows) if (inFolder === 0) await git.remove({ ...repository, filepath });
  const present = rows.filter(([, , inFolder]) => inFolder !== 0).map(([path]) => path);
  for (let at = 0; at < present.length; at += BATCH) await git.add({ ...repository, filepath: present.slice(at, at + BATCH) });
}

async function newestCommit(repository: Repository): Promise<string | undefined> {
  try {
    return await git.resolveRef({ ...repository, ref: 'HEAD' });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError) return undefined;
    throw error;
  }
}
