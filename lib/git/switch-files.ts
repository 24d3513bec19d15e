import git from 'isomorphic-git';
import { filesOf } from './compare';
import { headCommit, type Repository, readBlob, readStates } from './repository';

/** What stands in the way of a switch; nothing was changed then. */
export interface SwitchConflict {
  /** Files with changes that the switch would lose. */
  readonly changed: readonly string[];
  /** Untracked files where the switch would put others. */
  readonly untracked: readonly string[];
}

/**
 * Makes the files and the index those of a commit. Changes to files that are the same in both commits stay.
 *
 * In     `force`: changes to tracked files are thrown away.
 * Out    undefined when it was done.
 */
export async function switchFiles(repository: Repository, commit: string, force = false): Promise<SwitchConflict | undefined> {
  const target = await filesOf(repository, commit);
  const states = new Map((await readStates(repository)).map((state) => [state.path, state]));
  const changed: string[] = [];
  const untracked: string[] = [];
  const put = new Map<string, string>();
  const drop: string[] = [];
  for (const path of new Set([...states.keys(), ...target.keys()])) {
    const { head, index, work } = states.get(path) ?? {};
    const wanted = target.get(path);
    const isClean = index === head && work === index;
    if (force ? wanted === undefined && index === undefined : wanted === head) continue;
    if (index === wanted && work === wanted) continue;
    if (!force && !isClean && work !== wanted) (index === undefined && head === undefined ? untracked : changed).push(path);
    if (wanted !== undefined) put.set(path, wanted);
    else if (index !== undefined || head !== undefined) drop.push(path);
  }
  // An ignored file is in no state, and stands in the way all the same.
  for (const path of put.keys()) if (!force && !states.has(path) && (await exists(repository, path))) untracked.push(path);
  if (changed.length > 0 || untracked.length > 0) return { changed: changed.sort(), untracked: untracked.sort() };
  for (const path of drop) await removeFile(repository, path);
  for (const filepath of drop) await git.remove({ ...repository, filepath });
  await putFiles(repository, put);
  return undefined;
}

/** Writes contents by id into the workspace and stages them. */
export async function putFiles(repository: Repository, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, id] of files) await writeFile(repository, path, await readBlob(repository, id));
  const paths = [...files.keys()];
  for (let at = 0; at < paths.length; at += 100) await git.add({ ...repository, filepath: paths.slice(at, at + 100), force: true });
}

/** Writes one file, its folders with it. */
export async function writeFile(repository: Repository, path: string, bytes: Uint8Array): Promise<void> {
  const { promises } = repository.fs;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = `/${path.slice(0, slash)}`;
    await promises.mkdir(folder).catch((error: { readonly code?: unknown }) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  await promises.writeFile(`/${path}`, bytes);
}

/** Removes a file, and the folders that it leaves empty. */
export async function removeFile(repository: Repository, path: string): Promise<void> {
  const { promises } = repository.fs;
  if (!(await exists(repository, path))) return;
  await promises.unlink(`/${path}`);
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    const folder = `/${path.slice(0, slash)}`;
    if ((await promises.readdir(folder)).length > 0) return;
    await promises.rmdir(folder);
  }
}

/** Points HEAD at a branch, or at a commit alone. */
export async function setHead(repository: Repository, to: { readonly branch: string } | { readonly commit: string }): Promise<void> {
  if ('branch' in to) await git.writeRef({ ...repository, ref: 'HEAD', value: `refs/heads/${to.branch}`, symbolic: true, force: true });
  else await git.writeRef({ ...repository, ref: 'HEAD', value: to.commit, force: true });
}

/** A branch by name; undefined when there is none. */
export async function branchCommit(repository: Repository, name: string): Promise<string | undefined> {
  if ((await git.currentBranch(repository)) === name) return headCommit(repository);
  try {
    return await git.resolveRef({ ...repository, ref: `refs/heads/${name}` });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError) return undefined;
    throw error;
  }
}

async function exists(repository: Repository, path: string): Promise<boolean> {
  try {
    return (await repository.fs.promises.stat(`/${path}`)).isFile();
  } catch {
    return false;
  }
}
