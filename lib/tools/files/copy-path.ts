import type { FileChange } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { requireFree, requirePresent } from '@/lib/shared/free-place';
import { countOf, oneLine } from '@/lib/shared/text-lines';
import { treeChanges } from '@/lib/shared/tree-changes';
import { joinPath, normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const input = z.object({
  from: z.string().min(1).describe('File or folder to copy, relative to the workspace root.'),
  to: z.string().min(1).describe('Path of the copy, its name included; missing folders are made.'),
});

interface Planned {
  readonly from: string;
  readonly to: string;
  readonly folders: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly changes: readonly FileChange[];
}

export const copyPath = defineTool({
  name: 'copy_path',
  description:
    'Copies a file or a whole folder, byte for byte, binary files too. Use it instead of reading a file and writing its text again. It never overwrites: when something is at the new path, nothing is copied. Says what was copied.',
  input,
  capabilities: ['writes-files', 'sandboxable'],
  deferLoading: true,
  validateInput: ({ from, to }) => pathEscapeError(from, to),
  pathsFor: ({ from, to }) => ({ places: [spellPath(to)], under: [spellPath(from)] }),
  summarize: ({ from, to }) => oneLine(`${from} → ${to}`),
  previewChanges: async (request, context) => (await plan(request, context)).changes,
  async execute(request, context) {
    const { from, to, folders, files, changes } = await plan(request, context);
    for (const folder of folders) await context.files.makeDirectory(folder);
    for (const { path, bytes } of files) await context.files.writeBytes(path, bytes);
    return {
      ok: true,
      content: `Copied ${from} to ${to}${files.length === 1 ? '' : ` (${countOf(files.length, 'file')})`}.`,
      data: { from, to, files: files.length },
      changes,
    };
  },
});

async function plan(request: z.output<typeof input>, context: ToolContext): Promise<Planned> {
  const [from, to] = [normalizeWorkspacePath(request.from), normalizeWorkspacePath(request.to)];
  const stat = await requirePresent(from, context.files);
  if (from === '' || to.startsWith(`${from}/`))
    throw new CodedError('invalid-input', `${to === '' ? 'The root' : to} lies inside what would be copied. Send a path outside of it.`);
  await requireFree(from, to, { tool: 'copy_path', verb: 'copy' }, context.files);
  const tree = stat.kind === 'file' ? { folders: [], files: [from] } : await walk(from, context);
  const moved = (path: string) => to + path.slice(from.length);
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  for (const path of tree.files) files.push({ path: moved(path), bytes: await context.files.readBytes(path) });
  return { from, to, folders: tree.folders.map(moved), files, changes: treeChanges(files.map(({ path, bytes }) => ({ path, before: null, after: bytes }))) };
}

async function walk(folder: string, context: ToolContext): Promise<{ readonly folders: readonly string[]; readonly files: readonly string[] }> {
  const folders = [folder];
  const files: string[] = [];
  for (const entry of await context.files.readDirectory(folder)) {
    const path = joinPath(folder, entry.name);
    if (entry.kind === 'file') files.push(path);
    else {
      const inside = await walk(path, context);
      folders.push(...inside.folders);
      files.push(...inside.files);
    }
  }
  return { folders, files };
}
