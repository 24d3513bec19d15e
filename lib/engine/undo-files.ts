import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import type { PathChange, PathState } from '@/lib/contracts/undo';
import { foldersAbove, isFile, isFolder } from './undo-plan';

/**
 * Reads what is at some paths.
 *
 * In     `below`: also everything inside those that are folders.
 * Out    one entry a path that is there; what cannot be read is not.
 */
export async function readPaths(fs: RuntimeFileSystem, paths: readonly string[], below = false): Promise<ReadonlyMap<string, PathState>> {
  const found = new Map<string, PathState>();
  const files: string[] = [];
  const look = async (path: string): Promise<void> => {
    const stat = path === '' ? { kind: 'directory' } : await fs.stat(path).catch(() => undefined);
    if (stat === undefined) return;
    if (stat.kind === 'file') {
      files.push(path);
      return;
    }
    if (path !== '') found.set(path, { directory: true });
    if (!below) return;
    for (const entry of await fs.readdir(path)) await look(path === '' ? entry.name : `${path}/${entry.name}`);
  };
  for (const path of new Set(paths)) await look(path);
  for (const { path, bytes } of await fs.readMany(files)) found.set(path, { bytes });
  return found;
}

/** What is at the paths of some steps, at the folders above them, and below the folders among them. */
export async function readAround(fs: RuntimeFileSystem, changes: readonly PathChange[]): Promise<ReadonlyMap<string, PathState>> {
  const paths = new Set(changes.map(({ path }) => path));
  const above = new Set([...paths].flatMap(foldersAbove).filter((path) => !paths.has(path)));
  return new Map([...(await readPaths(fs, [...above])), ...(await readPaths(fs, [...paths], true))]);
}

/**
 * Makes the paths what they are to be.
 *
 * Order  what goes first, from the inside out; then folders; then files. A folder that is not empty any more stays.
 */
export async function writePaths(fs: RuntimeFileSystem, writes: readonly PathChange[]): Promise<void> {
  const inward = [...writes].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, before, after } of [...inward].reverse()) {
    if (isFile(before) && !isFile(after)) await fs.rm(path, { force: true });
    else if (isFolder(before) && !isFolder(after) && (await fs.readdir(path)).length === 0) await fs.rm(path, { recursive: true });
  }
  for (const { path, after } of inward) if (isFolder(after)) await fs.mkdir(path, { recursive: true });
  for (const { path, after } of inward) {
    if (!isFile(after)) continue;
    const slash = path.lastIndexOf('/');
    if (slash > 0) await fs.mkdir(path.slice(0, slash), { recursive: true });
    await fs.writeFile(path, after.bytes);
  }
}
