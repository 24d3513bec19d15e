import type { GitPort } from '@/lib/contracts/git';
import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import { normalizeWorkspacePath } from '@/lib/shared/workspace-path';
import { authorOf, commitIndex } from './commit';
import { compare } from './compare';
import type { CommitAuthor } from './first-commit';
import { readHistory } from './history';
import { currentBranch, headCommit, openRepository, readStates } from './repository';
import { stagePaths } from './stage';
import { statusOf } from './status';

export interface GitPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Signs commits where the repository names nobody. */
  readonly author: CommitAuthor;
}

/** The history of a workspace as tools see it. */
export function createGit(fs: RuntimeFileSystem, ports: GitPorts): GitPort {
  return {
    async status() {
      const repository = await openRepository(fs);
      const [branch, head] = [await currentBranch(repository), await headCommit(repository)];
      return { ...(branch === undefined ? {} : { branch }), ...(head === undefined ? {} : { head }), paths: statusOf(await readStates(repository)) };
    },
    async diff({ staged, path }) {
      return compare(await openRepository(fs), { kind: staged ? 'head-index' : 'index-work' }, [path === undefined ? '' : normalizeWorkspacePath(path)]);
    },
    async log({ limit, path }) {
      const normal = path === undefined ? '' : normalizeWorkspacePath(path);
      return readHistory(await openRepository(fs), { limit, paths: normal === '' ? [] : [normal] });
    },
    async add(paths) {
      return stagePaths(await openRepository(fs), paths.map(normalizeWorkspacePath));
    },
    async commit(message) {
      const repository = await openRepository(fs);
      return commitIndex(repository, { message, author: await authorOf(repository, ports.author), atSeconds: Math.floor(ports.now() / 1000) });
    },
  };
}
