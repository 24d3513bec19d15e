import type { FileChange } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { requirePresent } from '@/lib/shared/free-place';
import { countOf } from '@/lib/shared/text-lines';
import { type TreeFile, treeChanges } from '@/lib/shared/tree-changes';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const input = z.object({ path: z.string().min(1).describe('File or folder to delete, relative to the workspace root; a folder goes with everything in it.') });

interface Planned {
  readonly path: string;
  readonly isFolder: boolean;
  readonly changes: readonly FileChange[];
}

export const deletePath = defineTool({
  name: 'delete_path',
  description:
    'Deletes a file, or a folder with everything in it. Use it instead of `rm` in the shell: the person sees what would go before they allow it. To take out part of a file use edit_file. Says what was deleted.',
  input,
  capabilities: ['writes-files', 'requires-approval', 'sandboxable'],
  title: 'Delete from the workspace',
  deferLoading: true,
  validateInput: ({ path }) => pathEscapeError(path),
  pathsFor: ({ path }) => ({ places: [spellPath(path)] }),
  summarize: ({ path }) => path,
  previewChanges: async (request, context) => (await plan(request, context)).changes,
  async execute(request, context) {
    const { path, isFolder, changes } = await plan(request, context);
    await context.files.remove(path);
    const what = isFolder ? `the folder ${path} (${countOf(changes.length, 'file')})` : path;
    return { ok: true, content: `Deleted ${what}.`, data: { path, files: changes.length }, changes };
  },
});

async function plan(request: z.output<typeof input>, context: ToolContext): Promise<Planned> {
  const path = normalizeWorkspacePath(request.path);
  if (path === '') throw new CodedError('invalid-input', 'The workspace root itself cannot be deleted. Send the path of a file or folder in it.');
  const isFolder = (await requirePresent(path, context.files)).kind === 'directory';
  const paths = isFolder ? await context.files.listFiles({ path, includeHidden: true, includeIgnored: true }) : [path];
  const tree: TreeFile[] = [];
  for (const one of paths) tree.push({ path: one, before: await context.files.readBytes(one), after: null });
  return { path, isFolder, changes: treeChanges(tree) };
}
