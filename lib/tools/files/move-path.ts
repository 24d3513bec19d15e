import type { FileChange } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { requireFree, requirePresent } from '@/lib/shared/free-place';
import { countOf, oneLine } from '@/lib/shared/text-lines';
import { type TreeFile, treeChanges } from '@/lib/shared/tree-changes';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const input = z.object({
  from: z.string().min(1).describe('File or folder to move, relative to the workspace root.'),
  to: z.string().min(1).describe('Its new path, its name included; missing folders are made.'),
});

interface Planned {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly FileChange[];
}

export const movePath = defineTool({
  name: 'move_path',
  description:
    'Moves or renames a file or a whole folder, with everything in it. Use it instead of writing a copy and deleting the old file. It never overwrites: when something is at the new path, nothing is moved. It does not change imports that name the old path; find those with grep_files. Says what was moved.',
  input,
  capabilities: ['writes-files', 'sandboxable'],
  deferLoading: true,
  validateInput: ({ from, to }) => pathEscapeError(from, to),
  pathsFor: ({ from, to }) => ({ places: [spellPath(from), spellPath(to)] }),
  summarize: ({ from, to }) => oneLine(`${from} → ${to}`),
  previewChanges: async (request, context) => (await plan(request, context)).changes,
  async execute(request, context) {
    const { from, to, changes } = await plan(request, context);
    await context.files.move(from, to);
    const count = changes.length / 2;
    return { ok: true, content: `Moved ${from} to ${to}${count === 1 ? '' : ` (${countOf(count, 'file')})`}.`, data: { from, to, files: count }, changes };
  },
});

async function plan(request: z.output<typeof input>, context: ToolContext): Promise<Planned> {
  const [from, to] = [normalizeWorkspacePath(request.from), normalizeWorkspacePath(request.to)];
  if (from === '') throw new CodedError('invalid-input', 'The workspace root itself cannot be moved. Send the path of a file or folder in it.');
  const stat = await requirePresent(from, context.files);
  if (to === from) throw new CodedError('invalid-input', `${from} is at this path already.`);
  if (to.startsWith(`${from}/`)) throw new CodedError('invalid-input', `${to} lies inside ${from}, and a folder cannot be moved into itself.`);
  await requireFree(from, to, { tool: 'move_path', verb: 'move' }, context.files);
  const files = stat.kind === 'file' ? [from] : await filesBelow(from, context);
  const tree: TreeFile[] = [];
  for (const path of files) {
    const bytes = await context.files.readBytes(path);
    tree.push({ path, before: bytes, after: null }, { path: to + path.slice(from.length), before: null, after: bytes });
  }
  return { from, to, changes: treeChanges(tree) };
}

async function filesBelow(folder: string, context: ToolContext): Promise<readonly string[]> {
  return context.files.listFiles({ path: folder, includeHidden: true, includeIgnored: true });
}
