import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of its own on this machine's disk, with these files in it. */
export async function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-'));
  for (const [name, content] of Object.entries(files)) await putFile(folder, name, content);
  return folder;
}

export async function putFile(folder: string, name: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  const full = path.join(folder, name);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, content);
  await chmod(full, mode);
}

/** Every file as text and every folder (its name ends in `/`), by path, links not followed. */
export async function readTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => ({ entry, full: path.join(entry.parentPath, entry.name) }));
  const lines = await Promise.all(
    named.map(async ({ entry, full }): Promise<readonly [string, string]> => {
      const name = path.relative(folder, full);
      if (entry.isDirectory()) return [`${name}/`, ''];
      return [name, entry.isSymbolicLink() ? '→' : await readFile(full, 'latin1')];
    }),
  );
  return Object.fromEntries(lines.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export async function modeOf(folder: string, name: string): Promise<number> {
  return (await stat(path.join(folder, name))).mode & 0o777;
}

export const dropFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
