import type { GitPathStatus } from '@/lib/contracts/git';
import { quotePath } from '@/lib/shared/unified-diff';

export interface StatusFacts {
  readonly branch: string | undefined;
  /** Undefined = no commit yet. */
  readonly head: string | undefined;
  readonly paths: readonly GitPathStatus[];
  /** Untracked files and folders, as they are listed. */
  readonly untracked: readonly string[];
  /** Untracked files were not looked for. */
  readonly leftOut?: boolean;
  /** A path as it is shown where the command was typed. */
  show(path: string): string;
}

const words = { added: 'new file:   ', modified: 'modified:   ', deleted: 'deleted:    ', renamed: 'renamed:    ' } as const;

/** The long form of `git status`, as git words it. */
export function longStatus(facts: StatusFacts): string {
  const { branch, head, paths, untracked } = facts;
  const name = (path: string) => quotePath(facts.show(path));
  const staged = paths.filter((one) => one.index !== undefined);
  const changed = paths.filter((one) => one.work === 'modified' || one.work === 'deleted');
  const parts: string[] = [
    `${branch === undefined ? `HEAD detached at ${head?.slice(0, 7) ?? ''}` : `On branch ${branch}`}\n${head === undefined ? '\nNo commits yet\n\n' : ''}`,
  ];
  if (staged.length > 0) {
    const hint = head === undefined ? '(use "git rm --cached <file>..." to unstage)' : '(use "git restore --staged <file>..." to unstage)';
    parts.push(
      section(
        'Changes to be committed:',
        [hint],
        staged.map(({ path, index, from }) => `${words[index ?? 'modified']}${from === undefined ? name(path) : `${name(from)} -> ${name(path)}`}`),
      ),
    );
  }
  if (changed.length > 0) {
    const verb = changed.some((one) => one.work === 'deleted') ? 'add/rm' : 'add';
    const hints = [`(use "git ${verb} <file>..." to update what will be committed)`, '(use "git restore <file>..." to discard changes in working directory)'];
    parts.push(
      section(
        'Changes not staged for commit:',
        hints,
        changed.map(({ path, work }) => `${work === 'deleted' ? words.deleted : words.modified}${name(path)}`),
      ),
    );
  }
  if (untracked.length > 0) parts.push(section('Untracked files:', ['(use "git add <file>..." to include in what will be committed)'], untracked.map(name)));
  if (facts.leftOut === true && (staged.length > 0 || changed.length > 0)) parts.push('Untracked files not listed (use -u option to show untracked files)\n');
  if (staged.length === 0)
    parts.push(
      facts.leftOut === true && changed.length === 0
        ? 'nothing to commit (use -u to show untracked files)\n'
        : lastLine(changed.length > 0, untracked.length > 0, head),
    );
  return parts.join('');
}

function section(title: string, hints: readonly string[], lines: readonly string[]): string {
  return `${title}\n${hints.map((hint) => `  ${hint}\n`).join('')}${lines.map((line) => `\t${line}\n`).join('')}\n`;
}

function lastLine(changed: boolean, untracked: boolean, head: string | undefined): string {
  if (changed) return 'no changes added to commit (use "git add" and/or "git commit -a")\n';
  if (untracked) return 'nothing added to commit but untracked files present (use "git add" to track)\n';
  return head === undefined ? 'nothing to commit (create/copy files and use "git add" to track)\n' : 'nothing to commit, working tree clean\n';
}

/** Untracked files, folders of nothing else as one line each; `tracked`: every path of the index. */
export function foldUntracked(untracked: readonly string[], tracked: readonly string[]): readonly string[] {
  const foldersInUse = new Set<string>();
  for (const path of tracked) for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) foldersInUse.add(path.slice(0, slash));
  const shown = new Set<string>();
  for (const path of untracked) {
    let fold = path;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      if (foldersInUse.has(path.slice(0, slash))) continue;
      fold = path.slice(0, slash + 1);
      break;
    }
    shown.add(fold);
  }
  return [...shown];
}
