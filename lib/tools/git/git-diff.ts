import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { countOf } from '@/lib/shared/text-lines';
import { countChanges, unifiedDiff } from '@/lib/shared/unified-diff';
import { normalizeWorkspacePath, pathEscapeError } from '@/lib/shared/workspace-path';

const input = z.object({
  path: z.string().min(1).optional().describe('File or folder to look at, relative to the workspace root; default everything.'),
  staged: z.boolean().default(false).describe('Compare the newest commit with what is staged, instead of what is staged with the files.'),
  unified: z.int().min(0).max(100).default(3).describe('Unchanged lines shown around each change.'),
});

export const gitDiff = defineTool({
  name: 'git_diff',
  description:
    'Shows changed lines as a unified diff: the files against what is staged, or with staged=true what is staged against the newest commit. Use it instead of `git diff` in the shell: it runs beside other reads and needs no approval. Untracked files are left out; read them with read_file. Returns how many files and lines differ, then the diff.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  isPolling: true,
  validateInput: ({ path }) => pathEscapeError(path),
  // A diff shows parts: nothing of it counts as read.
  pathsFor: () => ({}),
  summarize: ({ path, staged }) => [path ?? 'everything', ...(staged ? ['staged'] : [])].join(', '),
  async execute({ path, staged, unified }, context) {
    const changes = await context.git.diff({ staged, ...(path === undefined ? {} : { path: normalizeWorkspacePath(path) }) });
    const counts = changes.map(countChanges);
    const added = counts.reduce((sum, count) => sum + (count?.added ?? 0), 0);
    const removed = counts.reduce((sum, count) => sum + (count?.removed ?? 0), 0);
    const data = { files: changes.length, added, removed };
    if (changes.length === 0) {
      const where = path === undefined ? '' : ` in ${path}`;
      return {
        ok: true,
        content: staged
          ? `Nothing is staged${where}.`
          : `Nothing differs from what is staged${where}. git_status names untracked files; staged=true shows what is staged.`,
        data,
      };
    }
    return {
      ok: true,
      content: `${countOf(changes.length, 'file')}, +${added} −${removed} lines.\n${changes.map((change) => unifiedDiff(change, unified)).join('')}`.trimEnd(),
      data,
    };
  },
});
