import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { countOf, oneLine } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError } from '@/lib/shared/workspace-path';

const NAMED_LIMIT = 50;

const input = z.object({
  paths: z
    .array(z.string().min(1))
    .min(1)
    .max(1000)
    .describe('Files and folders to stage, relative to the workspace root; "." stages everything that differs.'),
});

export const gitAdd = defineTool({
  name: 'git_add',
  description:
    'Stages changed, new and deleted files for the next commit. Use it before git_commit, with exactly the paths that belong to the commit; look at git_status first. What .gitignore ignores is left out. It changes no file of the workspace. Returns what was staged.',
  input,
  capabilities: ['writes-files', 'requires-approval', 'sandboxable'],
  title: 'Stage changes for the next commit',
  deferLoading: true,
  validateInput: ({ paths }) => pathEscapeError(...paths),
  pathsFor: () => ({ places: ['.git/index'] }),
  summarize: ({ paths }) => oneLine(paths.join(', ')),
  async execute({ paths }, context) {
    const staged = await context.git.add(paths.map(normalizeWorkspacePath));
    if (staged.length === 0) return { ok: true, content: 'Nothing was staged: these paths hold nothing that differs from the index.', data: { staged: 0 } };
    const rest = staged.length - NAMED_LIMIT;
    const lines = staged.slice(0, NAMED_LIMIT).map(({ path, index }) => `  ${index ?? 'as committed'} ${path}`);
    return {
      ok: true,
      content: [`Staged ${countOf(staged.length, 'file')}:`, ...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n'),
      data: { staged: staged.length },
    };
  },
});
