import type { MemoryFiles } from './memory-files';
import { SCRATCH_ROOT, WORKSPACE_ROOT } from './program-path';
import type { FilesAccess, SnapshotChange } from './protocol';

/** Everything that programs can see, as data for a worker without shared memory. */
export function takeSnapshot(files: MemoryFiles): Extract<FilesAccess, { kind: 'snapshot' }> {
  const found = [WORKSPACE_ROOT, SCRATCH_ROOT].flatMap((root) => files.walk(root));
  return {
    kind: 'snapshot',
    files: found.filter((entry) => entry.kind === 'file').map(({ path }) => ({ path, bytes: files.readFile(path) })),
    directories: found.filter((entry) => entry.kind === 'directory').map(({ path }) => path),
  };
}

/** What is at `path` now, as a change for a snapshot. */
export function changeAt(files: MemoryFiles, path: string): SnapshotChange {
  const state = files.stat(path);
  if (!state) return { path, bytes: null };
  return state.kind === 'directory' ? { path, directory: true } : { path, bytes: files.readFile(path) };
}

/** Repeats `change` on a snapshot. */
export function applyChange(files: MemoryFiles, change: SnapshotChange): void {
  if ('directory' in change) files.mkdir(change.path, true);
  else if (change.bytes === null) files.rm(change.path, { recursive: true, force: true });
  else files.writeFile(change.path, change.bytes);
}
