import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, messageOf } from '@/lib/shared/coded-error';

export interface CopiedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
}

/** What stayed out of the copy: the model does not see it, and it is never written or deleted. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'git' | 'node_modules' | 'link' | 'large' | 'special' | 'unreadable';
}

/** A folder as it was when the copy was made. Paths are relative to `root`, `/`-separated. */
export interface FolderCopy {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly files: ReadonlyMap<string, CopiedFile>;
  readonly folders: ReadonlySet<string>;
  readonly leftOut: readonly LeftOut[];
}

export const fileLimitBytes = 10 * 1024 * 1024;
const folderLimits = { files: 50_000, bytes: 512 * 1024 * 1024 };

/** Whether a path lies in what never travels, in either direction. */
export function staysOut(relative: string): 'git' | 'node_modules' | undefined {
  const names = relative.split('/');
  if (names.includes('.git')) return 'git';
  return names.includes('node_modules') ? 'node_modules' : undefined;
}

/**
 * Reads a folder into memory.
 *
 * Fails  with a sentence when it is not a folder, cannot be read, or holds more than 50,000 files or 512 MiB.
 */
export async function copyFolder(dir: string): Promise<FolderCopy> {
  const root = await realpath(dir).catch((error: unknown) => {
    throw new Error(codeOf(error) === 'ENOENT' ? `the folder ${dir} does not exist` : `the folder ${dir} cannot be opened: ${messageOf(error)}`);
  });
  if (!(await stat(root)).isDirectory()) throw new Error(`${dir} is not a folder`);
  const files = new Map<string, CopiedFile>();
  const folders = new Set<string>();
  const leftOut: LeftOut[] = [];
  let bytes = 0;
  const take = async (relative: string): Promise<LeftOut['why'] | undefined> => {
    const file = await readCopied(root, relative);
    if (typeof file === 'string') return file;
    bytes += file.bytes.length;
    files.set(relative, file);
    if (files.size > folderLimits.files || bytes > folderLimits.bytes)
      throw new Error(`${dir} holds more than ${folderLimits.files} files or ${folderLimits.bytes / 1024 / 1024} MiB; name a smaller folder`);
    return undefined;
  };
  const walk = async (folder: string): Promise<void> => {
    let entries: Dirent[];
    try {
      entries = await readdir(path.join(root, folder), { withFileTypes: true });
    } catch (error) {
      if (folder === '') throw new Error(`the folder ${dir} cannot be read: ${messageOf(error)}`);
      leftOut.push({ path: folder, why: 'unreadable' });
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const never = staysOut(entry.name);
      if (never !== undefined) leftOut.push({ path: relative, why: never });
      else if (entry.isSymbolicLink()) leftOut.push({ path: relative, why: 'link' });
      else if (entry.isDirectory()) {
        folders.add(relative);
        await walk(relative);
      } else {
        const why = entry.isFile() ? await take(relative) : 'special';
        if (why !== undefined) leftOut.push({ path: relative, why });
      }
    }
  };
  await walk('');
  return { root, files, folders, leftOut };
}

/** The bytes and mode of a file, never through a link; why not otherwise. */
async function readCopied(root: string, relative: string): Promise<CopiedFile | 'large' | 'unreadable'> {
  const absolute = path.join(root, relative);
  try {
    const { size, mode } = await lstat(absolute);
    if (size > fileLimitBytes) return 'large';
    return { path: relative, bytes: await readUnlinked(absolute), mode: mode & 0o777 };
  } catch {
    return 'unreadable';
  }
}

/** Reads a file that is not a link. */
export async function readUnlinked(absolute: string): Promise<Uint8Array> {
  // Windows has no such flag.
  const file = await open(absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}

const words: Readonly<Record<LeftOut['why'], string>> = {
  git: 'the repository (.git)',
  node_modules: 'installed packages (node_modules)',
  link: 'a link',
  large: 'larger than 10 MiB',
  special: 'not a plain file',
  unreadable: 'it cannot be read',
};

/** Lines that say what was copied and what was not. */
export function describeCopy(copy: FolderCopy): string {
  const total = [...copy.files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
  const lines = [`Working on a copy of ${copy.root}: ${copy.files.size} files, ${total} bytes.`];
  for (const { path: left, why } of copy.leftOut.slice(0, 20)) lines.push(`  left out: ${left} (${words[why]})`);
  if (copy.leftOut.length > 20) lines.push(`  left out: ${copy.leftOut.length - 20} more`);
  return `${lines.join('\n')}\n`;
}
