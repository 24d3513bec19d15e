import type { ToolResult } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { utf8Length } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import { type FileKind, identifyBytes } from '@/lib/shared/file-kind';
import { missingPathMessage } from '@/lib/shared/missing-path';
import { clipLine, countOf, formatBytes, lineEndingOf, oneLine, splitLines } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, shownPath, spellPath } from '@/lib/shared/workspace-path';

const SHOWN_BYTES = 16 * 1024;
const LINE_BYTES = 2000;

const input = z.object({
  path: z.string().min(1).describe('File to read, relative to the workspace root, for example "src/main.ts".'),
  start_line: z.int().min(1).default(1).describe('First line to show, counted from 1.'),
  max_lines: z.int().min(1).max(500).default(200).describe('How many lines to show at most (up to 500).'),
});

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads one text file and shows it with line numbers. Use it instead of `cat`, `head`, `tail` or `sed` in the shell: it numbers the lines that other tools refer to, pages through large files (start_line), runs side by side with other reads and never waits for an approval. A file must have been read before write_file or edit_file may change it. Each line comes as its number, a tab, and the text; number and tab are not part of the file. At most 16 KiB are shown at a time and the result says how to go on. Images and other binary files are described, not shown.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  isPolling: true,
  validateInput: ({ path }) => pathEscapeError(path),
  pathsFor: ({ path }) => ({ reads: [spellPath(path)] }),
  summarize: ({ path, start_line, max_lines }) => oneLine(start_line > 1 ? `${path} from line ${start_line}, ${countOf(max_lines, 'line')}` : path),
  async execute({ path: asked, start_line, max_lines }, context): Promise<ToolResult> {
    const path = normalizeWorkspacePath(asked);
    const bytes = await readKnownFile(path, context);
    const file = identifyBytes(bytes);
    if (file.kind !== 'text') return { ok: true, content: describeBinary(path, file, bytes.length), data: { path, bytes: bytes.length, binary: true } };
    const lines = splitLines(file.text);
    if (lines.length === 0) return { ok: true, content: `${path} is empty (0 bytes).`, data: { path, bytes: bytes.length, totalLines: 0 } };
    if (start_line > lines.length)
      throw new CodedError(
        'invalid-input',
        `${path} has ${countOf(lines.length, 'line')}; start_line=${start_line} is past its end. Send a start_line from 1 to ${lines.length}.`,
      );
    const shown = numberLines(lines, start_line, max_lines);
    const endLine = start_line + shown.length - 1;
    const header = `${path}, lines ${start_line}-${endLine} of ${lines.length} (${formatBytes(bytes.length)}${oddities(file)})`;
    const more =
      endLine < lines.length
        ? `\n\n${countOf(lines.length - endLine, 'more line')}: call read_file with path=${JSON.stringify(path)} and start_line=${endLine + 1}.`
        : '';
    return {
      ok: true,
      content: `${header}\n${shown.join('\n')}${more}`,
      data: { path, bytes: bytes.length, totalLines: lines.length, startLine: start_line, endLine },
    };
  },
});

async function readKnownFile(path: string, context: ToolContext): Promise<Uint8Array> {
  const stat = await context.files.stat(path);
  if (stat === undefined) throw new CodedError('not-found', missingPathMessage(path, await context.files.listFiles({ includeHidden: true })));
  if (stat.kind === 'directory')
    throw new CodedError('is-directory', `${shownPath(path)} is a folder. Call list_dir with path=${JSON.stringify(shownPath(path))} to see what is in it.`);
  return context.files.readBytes(path);
}

function numberLines(lines: readonly string[], startLine: number, maxLines: number): readonly string[] {
  const width = String(Math.min(lines.length, startLine + maxLines - 1)).length;
  const shown: string[] = [];
  let bytes = 0;
  for (let number = startLine; number < startLine + maxLines && number <= lines.length; number++) {
    const line = `${String(number).padStart(width)}\t${clipLine(lines[number - 1] as string, LINE_BYTES)}`;
    bytes += utf8Length(line) + 1;
    if (bytes > SHOWN_BYTES && shown.length > 0) break;
    shown.push(line);
  }
  return shown;
}

function oddities(file: Extract<FileKind, { kind: 'text' }>): string {
  const ending = lineEndingOf(file.text);
  const notes = [
    ending === 'crlf' ? 'lines end with CRLF' : '',
    ending === 'mixed' ? 'LF and CRLF line endings mixed' : '',
    ending !== 'none' && !file.text.endsWith('\n') ? 'no line ending at the end' : '',
    file.bom ? 'begins with a byte-order mark' : '',
    file.exact ? '' : 'some bytes are not UTF-8 and show as \ufffd',
  ];
  return notes
    .filter((note) => note !== '')
    .map((note) => `; ${note}`)
    .join('');
}

function describeBinary(path: string, file: Exclude<FileKind, { kind: 'text' }>, size: number): string {
  const what = file.kind === 'image' ? `a ${file.format} image${file.width === undefined ? '' : `, ${file.width} × ${file.height} pixels`}` : file.what;
  return `${path} is ${what}, ${formatBytes(size)}. It is not text, so its content is not shown.`;
}
