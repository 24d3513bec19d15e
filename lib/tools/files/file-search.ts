import type { ToolResult } from '@/lib/contracts/outcome';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { rankPaths } from '@/lib/shared/fuzzy';
import { missingPathMessage } from '@/lib/shared/missing-path';
import { countOf, oneLine } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('Part of a file name or path; letters may be left out or misspelt ("usrsvc" finds user-service.ts). Several words must all fit.'),
  path: z.string().default('.').describe('Folder to search below, relative to the workspace root.'),
  limit: z.int().min(1).max(100).default(20).describe('How many paths to return at most.'),
  extensions: z.array(z.string().min(1)).max(20).optional().describe('Only files with one of these endings, for example ["ts", "tsx"].'),
});

export const fileSearch = defineTool({
  name: 'file_search',
  description:
    'Finds files by name, best match first, forgiving about missing letters, case and small misspellings. Use it when you know roughly what a file is called but not where it is; to search inside files use grep_files, to see a folder use list_dir. Files that .gitignore ignores are left out. Returns workspace-relative paths, one a line, ready for read_file.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  isPolling: true,
  validateInput: ({ path }) => pathEscapeError(path),
  // Names are not contents: nothing counts as read.
  pathsFor: () => ({}),
  summarize: ({ query, path }) => oneLine(spellPath(path) === '' ? query : `${query} in ${path}`),
  async execute({ query, path: asked, limit, extensions }, context): Promise<ToolResult> {
    const path = normalizeWorkspacePath(asked);
    if (path !== '' && (await context.files.stat(path)) === undefined)
      throw new CodedError('not-found', missingPathMessage(path, await context.files.listFiles({ includeHidden: true })));
    const endings = extensions?.map((extension) => `.${extension.replace(/^\*?\./, '').toLowerCase()}`);
    const all = await context.files.listFiles({ path, includeHidden: true });
    const candidates = endings === undefined ? all : all.filter((file) => endings.some((ending) => file.toLowerCase().endsWith(ending)));
    const ranked = rankPaths(query, candidates, candidates.length);
    const shown = ranked.slice(0, limit);
    const where = `${countOf(candidates.length, 'file')} ${path === '' ? 'of the workspace' : `below ${path}`}${endings === undefined ? '' : ` ending in ${endings.join(', ')}`}`;
    if (shown.length === 0)
      return {
        ok: true,
        content: `No file name fits "${query}" among ${where}. Try a shorter part of the name, or grep_files for what the file contains.`,
        data: { paths: [] },
      };
    const more =
      ranked.length > shown.length
        ? `\n${countOf(ranked.length - shown.length, 'more path fits', 'more paths fit')}; raise limit or make the query longer.`
        : '';
    return { ok: true, content: shown.join('\n') + more, data: { paths: shown, total: ranked.length } };
  },
});
