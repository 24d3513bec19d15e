import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';
import { type FolderChange, sameBytes } from './folder-changes';
import { readUnlinked } from './folder-copy';

export interface WrittenBack {
  readonly written: number;
  /** One sentence for each change that was not made. */
  readonly problems: readonly string[];
}

/**
 * Makes the turn's changes in the folder itself.
 *
 * In     `root` absolute, links resolved; `changes` in the order of `compareFolder`.
 * Out    how many were made, and why each other one was not: it differs on disk from what was copied, it would be reached
 *        through a link, or the disk refused. A folder that still holds what was left out of the copy stays, silently.
 */
export async function writeBack(root: string, changes: readonly FolderChange[]): Promise<WrittenBack> {
  const problems: string[] = [];
  let written = 0;
  for (const change of changes) {
    try {
      await refuseLinks(root, change.path);
      if (await make(path.join(root, change.path), change)) written++;
    } catch (error) {
      problems.push(`${change.path} was not written: ${reason(error)}`);
    }
  }
  return { written, problems };
}

/** false = there was nothing to do, or a folder stays. */
async function make(absolute: string, change: FolderChange): Promise<boolean> {
  switch (change.kind) {
    case 'remove':
      await requireUnchanged(absolute, change.before);
      await unlink(absolute);
      return true;
    case 'remove-folder':
      return rmdir(absolute).then(
        () => true,
        (error: unknown) => {
          if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
          return false;
        },
      );
    case 'add-folder':
      return mkdir(absolute).then(
        () => true,
        async (error: unknown) => {
          if (codeOf(error) !== 'EEXIST' || !(await lstat(absolute)).isDirectory()) throw error;
          return false;
        },
      );
    case 'add':
      await create(absolute, change.after, change.mode);
      return true;
    case 'modify':
      await requireUnchanged(absolute, change.before);
      await replace(absolute, change.after, change.mode);
      return true;
  }
}

/** A folder on the way that is a link could lead anywhere. */
async function refuseLinks(root: string, relative: string): Promise<void> {
  const names = relative.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) throw new CodedError('outside', 'its path leaves the folder');
  for (let depth = 1; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join('/');
    const found = await lstat(path.join(root, folder));
    if (!found.isDirectory())
      throw new CodedError('outside', `${folder} is ${found.isSymbolicLink() ? 'a link' : 'not a folder'} on disk, and nothing is written through it`);
  }
}

async function requireUnchanged(absolute: string, before: Uint8Array): Promise<void> {
  if (!sameBytes(await readUnlinked(absolute), before)) throw new CodedError('changed', 'it changed on disk while the turn ran; what is there stays');
}

async function create(absolute: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const file = await open(absolute, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    await file.writeFile(bytes);
    if (mode !== undefined) await file.chmod(mode);
  } finally {
    await file.close();
  }
}

/** By a file beside it and one rename: a full disk leaves the old content. */
async function replace(absolute: string, bytes: Uint8Array, mode: number): Promise<void> {
  const draft = path.join(path.dirname(absolute), `.gatehouse-${randomUUID()}`);
  try {
    await create(draft, bytes, undefined);
    await chmod(draft, mode);
    await rename(draft, absolute);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

function reason(error: unknown): string {
  switch (codeOf(error)) {
    case 'EEXIST':
      return 'there is something else on disk, which was left out of the copy or came while the turn ran';
    case 'ELOOP':
      return 'it is a link on disk now';
    case 'ENOENT':
      return 'it, or its folder, is gone from disk';
    default:
      return messageOf(error);
  }
}
