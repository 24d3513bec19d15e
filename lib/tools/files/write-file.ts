import type { FileChange } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { decodeUtf8, utf8Length } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import { diffText } from '@/lib/shared/file-change';
import { countDiff, diffLines, showDiff } from '@/lib/shared/line-diff';
import { countOf, formatBytes, lineEndingOf, oneLine, splitLines } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const DIFF_LINES = 40;

const input = z.object({
  path: z.string().min(1).describe('File to create or replace, relative to the workspace root. Missing folders are made.'),
  content: z.string().describe('The whole new content of the file, exactly as it shall be, without line numbers.'),
});

interface Planned {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly change: FileChange;
}

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Creates a file, or replaces a whole existing file. Use it for new files and complete rewrites; to change part of a file use edit_file, which sends less and cannot lose the rest. An existing file must have been read with read_file first and not have changed since, otherwise the call is refused. Says whether the file was created or replaced, with what changed.',
  input,
  capabilities: ['writes-files', 'sandboxable'],
  validateInput: ({ path }) => pathEscapeError(path),
  pathsFor: ({ path }) => ({ writes: [spellPath(path)] }),
  summarize: ({ path, content }) => oneLine(`${path} (${countOf(splitLines(content).length, 'line')})`),
  previewChanges: async (request, context) => [(await plan(request, context)).change],
  async execute(request, context) {
    const { path, before, change } = await plan(request, context);
    const size = `${countOf(splitLines(request.content).length, 'line')}, ${formatBytes(utf8Length(request.content))}`;
    if (before !== null && sameBytes(before, request.content))
      return { ok: true, content: `${path} already has exactly this content; nothing was changed.`, data: { path, action: 'unchanged' }, changes: [] };
    await context.files.writeText(path, request.content);
    if (before === null) return { ok: true, content: `Created ${path} (${size}).`, data: { path, action: 'created' }, changes: [change] };
    return {
      ok: true,
      content: `Replaced ${path} (${size}).${compare(before, change, request.content)}`,
      data: { path, action: 'replaced' },
      changes: [change],
    };
  },
});

async function plan(request: z.output<typeof input>, context: ToolContext): Promise<Planned> {
  const path = normalizeWorkspacePath(request.path);
  const stat = await context.files.stat(path);
  if (path === '' || request.path.endsWith('/') || stat?.kind === 'directory')
    throw new CodedError(
      'is-directory',
      `"${request.path}" is a folder, not a file. Send the path of a file in it, for example "${path === '' ? '' : `${path}/`}notes.md".`,
    );
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    if ((await context.files.stat(folder))?.kind === 'file')
      throw new CodedError('not-a-directory', `${folder} is a file, so nothing can be written below it. Choose another path.`);
  }
  const before = stat === undefined ? null : await context.files.readBytes(path);
  return { path, before, change: { path, before: diffText(before), after: diffText(request.content) } };
}

function sameBytes(before: Uint8Array, content: string): boolean {
  // A byte-order mark would be dropped by decoding, so equal text alone is not equal bytes.
  return before.length === utf8Length(content) && decodeUtf8(before) === content;
}

function compare(before: Uint8Array, change: FileChange, content: string): string {
  if (typeof change.before !== 'string' || typeof change.after !== 'string')
    return before.length > 0 && change.before === undefined ? ' What was there before is binary or large, so there is no diff.' : '';
  const runs = diffLines(splitLines(change.before), splitLines(content));
  const { added, removed } = countDiff(runs);
  const endings = [lineEndingOf(change.before), lineEndingOf(content)];
  const note = endings[0] === 'crlf' && endings[1] === 'lf' ? '\nNote: its lines ended with CRLF before, now with LF.' : '';
  return ` +${added} −${removed} lines.${note}\n${showDiff(runs, DIFF_LINES)}`.trimEnd();
}
