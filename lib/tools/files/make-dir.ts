import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const input = z.object({ path: z.string().min(1).describe('Folder to make, relative to the workspace root. Missing parents are made too.') });

export const makeDir = defineTool({
  name: 'make_dir',
  description:
    'Makes an empty folder. Use it only where an empty folder is wanted: write_file makes the folders of its file by itself. Says whether the folder was made or was there already.',
  input,
  capabilities: ['writes-files', 'sandboxable'],
  deferLoading: true,
  validateInput: ({ path }) => pathEscapeError(path),
  pathsFor: ({ path }) => ({ places: [spellPath(path)] }),
  summarize: ({ path }) => path,
  async execute(request, context) {
    const path = normalizeWorkspacePath(request.path);
    const stat = await context.files.stat(path);
    if (stat?.kind === 'file') throw new CodedError('not-a-directory', `${path} is a file, so no folder can have this name. Choose another one.`);
    if (stat !== undefined)
      return { ok: true, content: `${path === '' ? 'The workspace root' : path} is there already; nothing was changed.`, data: { path, made: false } };
    await context.files.makeDirectory(path);
    return { ok: true, content: `Made the folder ${path}.`, data: { path, made: true } };
  },
});
