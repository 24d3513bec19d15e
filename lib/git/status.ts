import type { GitPathStatus } from '@/lib/contracts/git';
import type { FileStates } from './repository';

/**
 * What differs, file by file, out of the three states.
 *
 * Out    sorted by path. A file that was deleted and added elsewhere with equal content is one rename, under its new path.
 */
export function statusOf(states: readonly FileStates[]): readonly GitPathStatus[] {
  const renames = findRenames(states);
  const moved = new Set(renames.values());
  const found: GitPathStatus[] = [];
  for (const { path, head, index, work } of states) {
    const from = renames.get(path);
    const staged: Pick<GitPathStatus, 'index' | 'from'> =
      from !== undefined
        ? { index: 'renamed', from }
        : moved.has(path) || head === index
          ? {}
          : { index: head === undefined ? 'added' : index === undefined ? 'deleted' : 'modified' };
    const unstaged: Pick<GitPathStatus, 'work'> =
      index === work ? {} : { work: index === undefined ? 'untracked' : work === undefined ? 'deleted' : 'modified' };
    if (staged.index === undefined && unstaged.work === undefined) continue;
    // A path that left the index and is there again is two facts under one name; git tells them one after the other.
    if (staged.index === 'deleted' && unstaged.work === 'untracked') found.push({ path, ...staged }, { path, ...unstaged });
    else found.push({ path, ...staged, ...unstaged });
  }
  return found;
}

/** New path → old path of what the index moved without a change. */
function findRenames(states: readonly FileStates[]): ReadonlyMap<string, string> {
  const gone = new Map<string, string[]>();
  for (const { path, head, index } of states) if (head !== undefined && index === undefined) gone.set(head, [...(gone.get(head) ?? []), path]);
  const renames = new Map<string, string>();
  for (const { path, head, index } of states) {
    if (head !== undefined || index === undefined) continue;
    const from = gone.get(index)?.shift();
    if (from !== undefined) renames.set(path, from);
  }
  return renames;
}
