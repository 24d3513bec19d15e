import git, { type ReadCommitResult } from 'isomorphic-git';
import type { GitCommit } from '@/lib/contracts/git';
import { CodedError } from '@/lib/shared/coded-error';
import { filesOf } from './compare';
import { headCommit, type Repository } from './repository';

/** The commits that lead to `ref`, newest first. `paths`: only those that changed something in them. */
export async function readHistory(
  repository: Repository,
  request: { readonly limit: number; readonly ref?: string; readonly paths?: readonly string[] },
): Promise<readonly GitCommit[]> {
  const { limit, ref = 'HEAD', paths = [] } = request;
  if (ref === 'HEAD' && (await headCommit(repository)) === undefined) return [];
  const id = await resolveCommit(repository, ref);
  if (paths.length === 0) return (await git.log({ ...repository, ref: id, depth: limit })).map(commitOf);
  const kept: GitCommit[] = [];
  for (const entry of await git.log({ ...repository, ref: id })) {
    if (kept.length >= limit) break;
    const commit = commitOf(entry);
    if (await touches(repository, commit, paths)) kept.push(commit);
  }
  return kept;
}

async function touches(repository: Repository, commit: GitCommit, paths: readonly string[]): Promise<boolean> {
  const [parent] = commit.parents;
  const after = await filesOf(repository, commit.id, paths);
  const before = parent === undefined ? new Map<string, string>() : await filesOf(repository, parent, paths);
  return after.size !== before.size || [...after].some(([path, id]) => before.get(path) !== id);
}

/**
 * The id of the commit that a person's word means: a branch, a tag, a whole or shortened id, with `~n` or `^` behind it.
 *
 * Fails  CodedError `invalid-input` where there is no such commit.
 */
export async function resolveCommit(repository: Repository, word: string): Promise<string> {
  const unknown = () => new CodedError('invalid-input', `ambiguous argument '${word}': unknown revision or path not in the working tree.`);
  const [, name = '', steps = ''] = /^(.*?)((?:[~^]\d*)*)$/.exec(word) ?? [];
  let id = await resolveName(repository, name === '@' || name === '' ? 'HEAD' : name);
  if (id === undefined) throw unknown();
  for (const [step, count] of steps.matchAll(/[~^](\d*)/g)) {
    const times = step.startsWith('~') ? Number(count === '' ? 1 : count) : 1;
    const which = step.startsWith('^') && count !== '' ? Number(count) - 1 : 0;
    for (let n = 0; n < times; n++) {
      const parent: string | undefined = (await git.readCommit({ ...repository, oid: id })).commit.parent[which];
      if (parent === undefined) throw unknown();
      id = parent;
    }
  }
  return id;
}

async function resolveName(repository: Repository, name: string): Promise<string | undefined> {
  for (const ref of [name, `refs/heads/${name}`, `refs/tags/${name}`]) {
    try {
      const oid = await git.resolveRef({ ...repository, ref });
      return (await git.readCommit({ ...repository, oid })).oid;
    } catch {
      // The next spelling.
    }
  }
  if (!/^[0-9a-f]{4,40}$/.test(name)) return undefined;
  try {
    const oid = name.length === 40 ? name : await git.expandOid({ ...repository, oid: name });
    return (await git.readCommit({ ...repository, oid })).oid;
  } catch {
    return undefined;
  }
}

export function commitOf({ oid, commit }: ReadCommitResult): GitCommit {
  const { name, email, timestamp, timezoneOffset } = commit.author;
  return { id: oid, message: commit.message.replace(/\n+$/, ''), author: { name, email }, atSeconds: timestamp, timezoneOffset, parents: commit.parent };
}
