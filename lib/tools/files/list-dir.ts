import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { CodedError } from '@/lib/shared/coded-error';
import { missingPathMessage } from '@/lib/shared/missing-path';
import { countOf, oneLine } from '@/lib/shared/text-lines';
import { joinPath, normalizeWorkspacePath, pathEscapeError, shownPath, spellPath } from '@/lib/shared/workspace-path';

const ENTRY_LIMIT = 500;
const NAMED_LIMIT = 8;

const input = z.object({
  path: z.string().default('.').describe('Folder to list, relative to the workspace root; "." is the root.'),
  depth: z.int().min(1).max(10).default(2).describe('How many levels of folders to open, 1 for the folder itself only.'),
  include_hidden: z.boolean().default(false).describe('Also show files and folders whose name begins with a dot.'),
});

export const listDir = defineTool({
  name: 'list_dir',
  description:
    'Lists a folder as a tree. Use it to learn how a project is laid out, instead of `ls` or `find` in the shell: it leaves out what .gitignore ignores (and says so), counts the files of folders it does not open, and never waits for an approval. Returns one entry a line, folders first, indented by level. To find a file by name use file_search, by content grep_files.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  isPolling: true,
  validateInput: ({ path }) => pathEscapeError(path),
  pathsFor: ({ path }) => ({ reads: [spellPath(path)] }),
  summarize: ({ path, depth }) => oneLine(`${shownPath(spellPath(path))}, ${countOf(depth, 'level')}`),
  async execute({ path: asked, depth, include_hidden }, context) {
    const path = normalizeWorkspacePath(asked);
    const stat = await context.files.stat(path);
    if (stat === undefined && path !== '') throw new CodedError('not-found', missingPathMessage(path, await context.files.listFiles({ includeHidden: true })));
    if (stat?.kind === 'file') throw new CodedError('not-a-directory', `${path} is a file. Call read_file with path=${JSON.stringify(path)} to read it.`);
    const listing = await list(path, depth, include_hidden, context);
    const head = `${shownPath(path)}/ (${countOf(listing.files, 'file')}${listing.lines.length === 0 ? '; nothing to show' : ''})`;
    return {
      ok: true,
      content: [head, ...listing.lines, ...listing.notes].join('\n'),
      data: { path, files: listing.files, ignored: listing.ignored.length, hidden: listing.hidden },
    };
  },
});

interface Listing {
  readonly lines: string[];
  readonly ignored: string[];
  readonly notes: string[];
  files: number;
  hidden: number;
}

async function list(path: string, depth: number, includeHidden: boolean, context: ToolContext): Promise<Listing> {
  const listing: Listing = { lines: [], ignored: [], notes: [], files: 0, hidden: 0 };
  let files = await context.files.listFiles({ path, includeHidden });
  if (files.length === 0) {
    // Whoever names an ignored folder wants to see into it.
    files = await context.files.listFiles({ path, includeHidden, includeIgnored: true });
    if (files.length > 0) listing.notes.push('Note: .gitignore ignores this folder; it is shown because you named it.');
  }
  listing.files = files.length;
  let unshown = 0;
  const counts = countPerFolder(files);
  const known = new Set(files);
  const walk = async (folder: string, level: number): Promise<void> => {
    const entries = [...(await context.files.readDirectory(folder))].sort(
      (a, b) => Number(a.kind === 'file') - Number(b.kind === 'file') || (a.name < b.name ? -1 : 1),
    );
    for (const entry of entries) {
      const child = joinPath(folder, entry.name);
      if (entry.name === '.git' && entry.kind === 'directory') continue;
      if (entry.name.startsWith('.') && !includeHidden) {
        listing.hidden++;
        continue;
      }
      const inside = counts.get(child) ?? 0;
      const visible = entry.kind === 'file' ? known.has(child) : inside > 0 || (await isBare(child, context));
      if (!visible) listing.ignored.push(entry.kind === 'file' ? child : `${child}/`);
      else if (listing.lines.length >= ENTRY_LIMIT) unshown++;
      else if (entry.kind === 'file') listing.lines.push(`${'  '.repeat(level)}${entry.name}`);
      else {
        const note = inside === 0 ? ' (empty)' : level < depth ? '' : ` (${countOf(inside, 'file')})`;
        listing.lines.push(`${'  '.repeat(level)}${entry.name}/${note}`);
        if (level < depth && inside > 0) await walk(child, level + 1);
      }
    }
  };
  await walk(path, 1);
  if (unshown > 0) listing.notes.push(`Only the first ${ENTRY_LIMIT} entries are shown; list a folder below this one, or use a smaller depth.`);
  if (listing.ignored.length > 0) listing.notes.push(`Not shown, ignored by .gitignore: ${nameSome(listing.ignored)}`);
  if (listing.hidden > 0) listing.notes.push(`Not shown: ${countOf(listing.hidden, 'hidden entry', 'hidden entries')}; include_hidden=true shows them.`);
  return listing;
}

function countPerFolder(files: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (let slash = file.indexOf('/'); slash !== -1; slash = file.indexOf('/', slash + 1)) {
      const folder = file.slice(0, slash);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

/** No file anywhere below: such a folder is empty, any other that the listing leaves out is ignored. */
async function isBare(folder: string, context: ToolContext): Promise<boolean> {
  for (const entry of await context.files.readDirectory(folder)) {
    if (entry.kind === 'file' || !(await isBare(joinPath(folder, entry.name), context))) return false;
  }
  return true;
}

function nameSome(paths: readonly string[]): string {
  const more = paths.length - NAMED_LIMIT;
  return paths.slice(0, NAMED_LIMIT).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
