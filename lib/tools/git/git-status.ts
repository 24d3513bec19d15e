import type { GitPathStatus } from '@/lib/contracts/git';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';

const NAMED_LIMIT = 200;

export const gitStatus = defineTool({
  name: 'git_status',
  description:
    'Tells how the workspace differs from its newest commit. Use it instead of `git status` in the shell: it runs beside other reads and needs no approval. Returns the branch, then what is staged, what is changed but not staged, and what is untracked, one path a line. For the changed lines use git_diff, for earlier commits git_log.',
  input: z.object({}),
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  // It is asked again after every change, and only an equal answer makes it a loop.
  isPolling: true,
  summarize: () => '',
  async execute(_, context) {
    const { branch, head, paths } = await context.git.status();
    const place =
      branch === undefined
        ? `Detached at ${head?.slice(0, 7) ?? 'nothing'}.`
        : `On branch ${branch}${head === undefined ? ', which has no commit yet' : ` at ${head.slice(0, 7)}`}.`;
    const groups = [
      section(
        'Staged for the next commit',
        paths.filter((one) => one.index !== undefined),
        stagedLine,
      ),
      section(
        'Changed, not staged',
        paths.filter((one) => one.work === 'modified' || one.work === 'deleted'),
        ({ path, work }) => `${work === 'deleted' ? 'D' : 'M'} ${path}`,
      ),
      section(
        'Untracked',
        paths.filter((one) => one.work === 'untracked'),
        ({ path }) => `? ${path}`,
      ),
    ].filter((text) => text !== '');
    return {
      ok: true,
      content: groups.length === 0 ? `${place} Nothing differs from the newest commit.` : [place, ...groups].join('\n'),
      data: { branch: branch ?? null, head: head ?? null, differing: paths.length },
    };
  },
});

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;

function stagedLine({ path, index, from }: GitPathStatus): string {
  return `${letters[index ?? 'modified']} ${from === undefined ? path : `${from} → ${path}`}`;
}

function section(title: string, paths: readonly GitPathStatus[], line: (status: GitPathStatus) => string): string {
  if (paths.length === 0) return '';
  const rest = paths.length - NAMED_LIMIT;
  return [`${title} (${paths.length}):`, ...paths.slice(0, NAMED_LIMIT).map((one) => `  ${line(one)}`), ...(rest > 0 ? [`  … and ${rest} more`] : [])].join(
    '\n',
  );
}
