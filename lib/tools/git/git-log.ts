import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { countOf } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError } from '@/lib/shared/workspace-path';

const input = z.object({
  max_count: z.int().min(1).max(200).default(20).describe('How many commits to show, the newest first.'),
  path: z.string().min(1).optional().describe('Only commits that changed this file or folder, relative to the workspace root.'),
});

export const gitLog = defineTool({
  name: 'git_log',
  description:
    'Lists the commits that led to the current state, the newest first. Use it to learn how the code came to be and how commit messages are written here, instead of `git log` in the shell: it runs beside other reads and needs no approval. Returns id, date, author and message of each commit.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  deferLoading: true,
  isPolling: true,
  validateInput: ({ path }) => pathEscapeError(path),
  // History is asked for, not the file's content: nothing of it counts as read.
  pathsFor: () => ({}),
  summarize: ({ path, max_count }) => `${path ?? 'everything'}, ${countOf(max_count, 'commit')}`,
  async execute({ max_count, path }, context) {
    const commits = await context.git.log({ limit: max_count, ...(path === undefined ? {} : { path: normalizeWorkspacePath(path) }) });
    if (commits.length === 0) return { ok: true, content: path === undefined ? 'There is no commit yet.' : `No commit changed ${path}.`, data: { commits: 0 } };
    const lines = commits.map(({ id, message, author, atSeconds, parents }) => {
      const [subject = '', ...rest] = message.split('\n');
      const body = rest.join('\n').trim();
      const merge = parents.length > 1 ? ' (merge)' : '';
      return `${id.slice(0, 7)} ${day(atSeconds)} ${author.name}: ${subject}${merge}${body === '' ? '' : `\n    ${body.split('\n').join('\n    ')}`}`;
    });
    return { ok: true, content: lines.join('\n'), data: { commits: commits.length } };
  },
});

function day(atSeconds: number): string {
  return new Date(atSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
