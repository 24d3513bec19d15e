import './buffer-global';
import git from 'isomorphic-git';
import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import { CodedError } from '@/lib/shared/coded-error';
import { createIgnoreRules } from './ignore-rules';
import { createGitFiles, type GitFileClient } from './runtime-fs';

/** What every call of git's library takes. The cache lives for one operation: kept longer, it would not see what others write. */
export interface Repository {
  readonly fs: GitFileClient;
  readonly dir: '/';
  readonly cache: object;
}

/** One file in the newest commit, in the index and in the workspace: ids of its contents, absent where it is not. */
export interface FileStates {
  readonly path: string;
  readonly head?: string;
  readonly index?: string;
  readonly work?: string;
}

/** Opens the history at the workspace's root. Fails `not-available` where there is none. */
export async function openRepository(fs: RuntimeFileSystem): Promise<Repository> {
  if ((await fs.stat('.git/HEAD')) === undefined)
    throw new CodedError('not-available', 'There is no git repository in this workspace. `git init` in the shell makes one.');
  return { fs: createGitFiles(fs), dir: '/', cache: {} };
}

/** The id of the newest commit; undefined before the first. */
export async function headCommit(repository: Repository): Promise<string | undefined> {
  try {
    return await git.resolveRef({ ...repository, ref: 'HEAD' });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError) return undefined;
    throw error;
  }
}

/** The branch that HEAD names, also before its first commit; undefined when detached. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  return (await git.currentBranch(repository)) ?? undefined;
}

/**
 * Compares the newest commit, the index and the workspace.
 *
 * In     `paths`: folders or files to look at, default all.
 * Out    every file that is in one of them, sorted by path, but for untracked files that `.gitignore` leaves out. Writes nothing.
 */
export async function readStates(repository: Repository, paths: readonly string[] = ['']): Promise<readonly FileStates[]> {
  const wanted = paths.map((path) => (path === '.' ? '' : path));
  const isIgnored = createIgnoreRules(repository);
  const isNear = (path: string): boolean => path === '.' || wanted.some((base) => base === '' || isWithin(path, base) || isWithin(base, path));
  const found: (FileStates | undefined)[] = await git.walk({
    ...repository,
    trees: [git.TREE({ ref: 'HEAD' }), git.WORKDIR({ refresh: false }), git.STAGE()],
    async map(path: string, [head, work, index]) {
      if (!isNear(path)) return null;
      if (!head && !index && work && path !== '.' && (await isIgnored(path, (await work.type()) === 'tree'))) return null;
      const [inHead, inWork, inIndex] = await Promise.all([head?.type(), work?.type(), index?.type()]);
      if (inHead !== 'blob' && inWork !== 'blob' && inIndex !== 'blob') return undefined;
      if (!wanted.some((base) => isWithin(path, base))) return undefined;
      const [headId, workId, indexId] = [
        inHead === 'blob' ? await head?.oid() : undefined,
        inWork === 'blob' ? await work?.oid() : undefined,
        inIndex === 'blob' ? await index?.oid() : undefined,
      ];
      return {
        path,
        ...(headId === undefined ? {} : { head: headId }),
        ...(indexId === undefined ? {} : { index: indexId }),
        ...(workId === undefined ? {} : { work: workId }),
      } satisfies FileStates;
    },
    async reduce(parent: FileStates | undefined, children: readonly (FileStates | readonly FileStates[] | undefined)[]) {
      const inside = children.flat().filter((state) => state !== undefined);
      return parent === undefined ? inside : [parent, ...inside];
    },
  });
  return (Array.isArray(found) ? found : [found]).filter((state) => state !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** `path` is `base` or lies below it; '' is the root. */
export function isWithin(path: string, base: string): boolean {
  return base === '' || path === base || path.startsWith(`${base}/`);
}

/** The bytes behind an id. */
export async function readBlob(repository: Repository, id: string): Promise<Uint8Array> {
  return (await git.readBlob({ ...repository, oid: id })).blob;
}
