import type { CallId } from '@/lib/contracts/ids';
import type { ChangedPath, DifferingPath, PathChange, PathState, WhenDiffering } from '@/lib/contracts/undo';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { diffText } from '@/lib/shared/file-change';
import { mergeLines } from '@/lib/shared/merge-lines';

export interface UndoPlan {
  /** What to make of each path; `before` is what is there now. */
  readonly writes: readonly PathChange[];
  /** Paths that stay as they are. */
  readonly left: readonly DifferingPath[];
}

/** What is in the workspace now, at every path of the steps and at everything below their folders. */
export type PathsNow = ReadonlyMap<string, PathState>;

/**
 * Works out how to bring back what was there before some steps.
 *
 * In     `steps` newest first; `changedBy` names the later call that changed a path.
 * Out    a path is written only where it is as its step left it, or, when merging, where both changes fit together; what is
 *        as it was before already stays. A folder goes only when it is empty then. Nothing done since is ever lost.
 */
export function planUndo(
  steps: readonly (readonly PathChange[])[],
  now: PathsNow,
  differing: WhenDiffering,
  changedBy: (path: string) => CallId | undefined = () => undefined,
): UndoPlan {
  const then = new Map<string, PathState>();
  const left = new Map<string, DifferingPath>();
  const leave = (path: string, why: DifferingPath['why'], merges: boolean) => {
    const by = changedBy(path);
    left.set(path, { path, why, merges, ...(by === undefined ? {} : { by }) });
    then.delete(path);
  };
  for (const changes of steps) {
    for (const { path, before, after } of changes) {
      if (left.has(path)) continue;
      const current = becoming(path, then, now);
      if (isSameState(current, after)) then.set(path, before);
      else if (!isSameState(current, before)) {
        const merged = merge(after, current, before);
        if (merged !== undefined && differing === 'merge') then.set(path, merged);
        else leave(path, 'changed', merged !== undefined);
      }
    }
  }
  for (const [path, state] of then) if (isSameState(state, now.get(path) ?? null)) then.delete(path);
  makeRoom(then, now, leave);
  // Folders that are made along with what goes into them are named too, so that redo takes them away again.
  for (const [path, state] of [...then])
    for (const folder of state === null ? [] : foldersAbove(path)) if (becoming(folder, then, now) === null) then.set(folder, { directory: true });
  const writes = [...then].map(([path, after]): PathChange => ({ path, before: now.get(path) ?? null, after }));
  return { writes: writes.sort((a, b) => (a.path < b.path ? -1 : 1)), left: [...left.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** Takes back what could not stand: a path below a file, a file where a folder still holds something, a folder that goes though it does. */
function makeRoom(then: Map<string, PathState>, now: PathsNow, leave: (path: string, why: DifferingPath['why'], merges: boolean) => void): void {
  const becomes = (path: string) => becoming(path, then, now);
  const known = new Set([...now.keys(), ...then.keys()]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [path, state] of [...then]) {
      if (state !== null && foldersAbove(path).some((folder) => isFile(becomes(folder)))) {
        leave(path, 'in-the-way', false);
        changed = true;
      } else if (isFolder(now.get(path) ?? null) && !isFolder(state) && [...known].some((other) => other.startsWith(`${path}/`) && becomes(other) !== null)) {
        if (state === null) then.delete(path);
        else leave(path, 'in-the-way', false);
        changed = true;
      }
    }
  }
}

function becoming(path: string, then: PathsNow, now: PathsNow): PathState {
  return then.has(path) ? (then.get(path) as PathState) : (now.get(path) ?? null);
}

function merge(base: PathState, current: PathState, before: PathState): PathState | undefined {
  const texts = [base, current, before].map((state) => (isFile(state) ? diffText(state.bytes) : undefined));
  const [from, mine, theirs] = texts;
  if (typeof from !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string') return undefined;
  const merged = mergeLines(from, mine, theirs);
  return merged === undefined ? undefined : { bytes: encodeUtf8(merged) };
}

export function isSameState(a: PathState, b: PathState): boolean {
  if (a === null || b === null) return a === b;
  if (!('bytes' in a) || !('bytes' in b)) return 'directory' in a && 'directory' in b;
  const { bytes } = b;
  return a.bytes === bytes || (a.bytes.length === bytes.length && a.bytes.every((byte, index) => byte === bytes[index]));
}

export function isFile(state: PathState): state is { readonly bytes: Uint8Array } {
  return state !== null && 'bytes' in state;
}

export function isFolder(state: PathState): boolean {
  return state !== null && 'directory' in state;
}

/** Every folder above a path, the nearest first. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) above.push(path.slice(0, slash));
  return above;
}

/** Paths that an event names; the rest is counted. */
const namedPaths = 100;

/** The first paths as the log names them, files before folders. */
export function namePaths(changes: readonly PathChange[]): readonly ChangedPath[] {
  const sorted = [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
  const named = sorted.map(({ path, before, after }): ChangedPath => {
    const folder = isFolder(after ?? before);
    return { path: folder ? `${path}/` : path, kind: before === null ? 'made' : after === null ? 'removed' : 'changed' };
  });
  const files = named.filter(({ path }) => !path.endsWith('/'));
  return [...files, ...named.filter(({ path }) => path.endsWith('/'))].slice(0, namedPaths);
}
