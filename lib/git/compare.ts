import git from 'isomorphic-git';
import type { GitFileChange } from '@/lib/contracts/git';
import { isWithin, type Repository, readBlob, readStates } from './repository';

/** Sides of a comparison: `commit` ids, the index, or the workspace (whose untracked files are left out). */
export type CompareSides =
  | { readonly kind: 'index-work' }
  | { readonly kind: 'head-index' }
  | { readonly kind: 'head-work' }
  | { readonly kind: 'commits'; readonly before: string | undefined; readonly after: string }
  | { readonly kind: 'commit-work'; readonly before: string };

interface Pair {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The content of `after` is the workspace's own. */
  readonly fromWork: boolean;
}

/** The files that differ between two sides, with their contents, sorted by path. */
export async function compare(repository: Repository, sides: CompareSides, paths: readonly string[] = ['']): Promise<readonly GitFileChange[]> {
  const pairs = await pairsOf(repository, sides, paths);
  const changes: GitFileChange[] = [];
  for (const { path, before, after, fromWork } of pairs) {
    if (before === after) continue;
    changes.push({
      path,
      before: before === undefined ? null : await readBlob(repository, before),
      after: after === undefined ? null : fromWork ? await workBytes(repository, path) : await readBlob(repository, after),
      ...(before === undefined ? {} : { beforeId: before }),
      ...(after === undefined ? {} : { afterId: after }),
    });
  }
  return changes;
}

async function pairsOf(repository: Repository, sides: CompareSides, paths: readonly string[]): Promise<readonly Pair[]> {
  switch (sides.kind) {
    case 'index-work':
      return (await readStates(repository, paths)).flatMap(({ path, index, work }) =>
        index === undefined ? [] : [{ path, before: index, after: work, fromWork: true }],
      );
    case 'head-index':
      return (await readStates(repository, paths)).map(({ path, head, index }) => ({ path, before: head, after: index, fromWork: false }));
    case 'head-work':
      return (await readStates(repository, paths)).flatMap(({ path, head, index, work }) =>
        head === undefined && index === undefined ? [] : [{ path, before: head, after: work, fromWork: true }],
      );
    case 'commits':
      return commitPairs(repository, sides.before, sides.after, paths);
    case 'commit-work': {
      const states = await readStates(repository, paths);
      const files = await filesOf(repository, sides.before, paths);
      const tracked = states.filter((state) => state.index !== undefined);
      const all = new Map<string, Pair>();
      for (const [path, id] of files) all.set(path, { path, before: id, after: undefined, fromWork: true });
      for (const { path, work } of tracked) all.set(path, { path, before: files.get(path), after: work, fromWork: true });
      return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    }
  }
}

async function commitPairs(repository: Repository, before: string | undefined, after: string, paths: readonly string[]): Promise<readonly Pair[]> {
  const old = before === undefined ? new Map<string, string>() : await filesOf(repository, before, paths);
  const young = await filesOf(repository, after, paths);
  return [...new Set([...old.keys(), ...young.keys()])].sort().map((path) => ({ path, before: old.get(path), after: young.get(path), fromWork: false }));
}

/** Path → content id of every file of a commit below `paths`. */
export async function filesOf(repository: Repository, commit: string, paths: readonly string[] = ['']): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  await git.walk({
    ...repository,
    trees: [git.TREE({ ref: commit })],
    async map(path: string, [entry]) {
      if (path !== '.' && !paths.some((base) => isWithin(path, base) || isWithin(base, path))) return null;
      if ((await entry?.type()) === 'blob' && paths.some((base) => isWithin(path, base))) files.set(path, (await entry?.oid()) as string);
      return undefined;
    },
  });
  return files;
}

async function workBytes(repository: Repository, path: string): Promise<Uint8Array> {
  const content = await repository.fs.promises.readFile(`/${path}`);
  return content as Uint8Array;
}
