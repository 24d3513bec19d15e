import git from 'isomorphic-git';
import type { GitPathStatus } from '@/lib/contracts/git';
import { CodedError } from '@/lib/shared/coded-error';
import { isWithin, type Repository, readStates } from './repository';
import { statusOf } from './status';

/** Files staged under one lock of the index: one by one, 500 of them take many times as long. */
const atOnce = 100;

export interface StageOptions {
  /** Leave untracked files out, as `git add -u` does. */
  readonly trackedOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Stages what differs in `paths`, deletions too.
 *
 * Out    what was staged. Fails `invalid-input` for a path that names no file of the workspace or the index; nothing is staged then.
 */
export async function stagePaths(repository: Repository, paths: readonly string[], options: StageOptions = {}): Promise<readonly GitPathStatus[]> {
  const states = await readStates(repository, paths);
  for (const path of paths) {
    if (path === '' || states.some((state) => isWithin(state.path, path) && (state.index !== undefined || state.work !== undefined))) continue;
    if (await git.isIgnored({ ...repository, filepath: path }))
      throw new CodedError('invalid-input', `The following paths are ignored by one of your .gitignore files:\n${path}`);
    // An empty folder is there, but git keeps files only.
    if (await isFolder(repository, path)) continue;
    throw new CodedError('invalid-input', `pathspec '${path}' did not match any files`);
  }
  const differing = states.filter((state) => state.index !== state.work && (options.trackedOnly !== true || state.index !== undefined));
  const gone = differing.filter((state) => state.work === undefined).map((state) => state.path);
  const there = differing.filter((state) => state.work !== undefined).map((state) => state.path);
  for (const filepath of gone) await git.remove({ ...repository, filepath });
  for (let at = 0; at < there.length; at += atOnce) {
    options.signal?.throwIfAborted();
    // What is ignored was left out above, unless it is tracked: then it is staged all the same.
    await git.add({ ...repository, filepath: there.slice(at, at + atOnce), force: true });
  }
  return statusOf(
    differing.map(({ path, head, work }) => ({ path, ...(head === undefined ? {} : { head }), ...(work === undefined ? {} : { index: work, work }) })),
  );
}

async function isFolder(repository: Repository, path: string): Promise<boolean> {
  try {
    return (await repository.fs.promises.stat(`/${path}`)).isDirectory();
  } catch {
    return false;
  }
}
