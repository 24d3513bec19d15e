import type { FileChange } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import { diffText } from '@/lib/shared/file-change';
import { identifyBytes } from '@/lib/shared/file-kind';
import { countDiff, type DiffRun, diffLines } from '@/lib/shared/line-diff';
import { missingPathMessage } from '@/lib/shared/missing-path';
import { explainNearest } from '@/lib/shared/nearest-match';
import { clipLine, countOf, lineAt, lineEndingOf, oneLine, splitLines } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, shownPath, spellPath } from '@/lib/shared/workspace-path';

const NAMED_MATCHES = 20;
const SHOWN_LINES = 30;

const input = z.object({
  path: z.string().min(1).describe('File to change, relative to the workspace root.'),
  search: z
    .string()
    .describe(
      'The exact text to replace, white space and indentation included, without the line numbers of read_file. Take enough lines that it stands in the file once.',
    ),
  replace: z.string().describe('The text that takes its place; an empty string deletes it.'),
  expected_count: z.int().min(1).max(1000).default(1).describe('How often the text stands in the file; all of them are replaced.'),
});

type Request = z.output<typeof input>;

interface Planned {
  readonly path: string;
  readonly after: string;
  readonly bom: boolean;
  readonly lines: readonly number[];
  readonly runs: readonly DiffRun[];
  readonly usedCrlf: boolean;
  readonly change: FileChange;
}

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces exact text in one file. Use it for every change to part of a file; use write_file only for new files and complete rewrites. The file must have been read with read_file first and not have changed since, otherwise the call is refused. The text must stand in the file exactly once, or exactly expected_count times; when it stands there more often, the error names every line, and when it is not there, the error shows the nearest line and how it differs. Returns the changed lines with their numbers.',
  input,
  capabilities: ['writes-files', 'sandboxable'],
  validateInput({ path, search, replace }) {
    const outside = pathEscapeError(path);
    if (outside !== undefined) return outside;
    const problem = requestProblem(search, replace);
    return problem === undefined ? undefined : { kind: 'invalid-input', message: problem };
  },
  pathsFor: ({ path }) => ({ reads: [spellPath(path)], writes: [spellPath(path)] }),
  summarize: ({ path, search }) =>
    oneLine(
      `${path}: ${
        splitLines(search)
          .find((line) => line.trim() !== '')
          ?.trim() ?? ''
      }`,
    ),
  previewChanges: async (request, context) => [(await plan(request, context)).change],
  async execute(request, context) {
    const planned = await plan(request, context);
    const { path, after, lines, runs } = planned;
    if (planned.bom) await context.files.writeBytes(path, encodeUtf8(`\ufeff${after}`));
    else await context.files.writeText(path, after);
    const { added, removed } = countDiff(runs);
    const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.slice(0, NAMED_MATCHES).join(', ')}${lines.length > NAMED_MATCHES ? ', …' : ''}`;
    const crlf = planned.usedCrlf ? ' The file ends its lines with CRLF; the search and replacement were read so.' : '';
    return {
      ok: true,
      content:
        `Edited ${path}: ${countOf(lines.length, 'replacement')} at ${where} (+${added} −${removed} lines).${crlf}\n${showChanged(after, runs)}`.trimEnd(),
      data: { path, replacements: lines.length, added, removed },
      changes: [planned.change],
    };
  },
});

function requestProblem(search: string, replace: string): string | undefined {
  if (search === '')
    return 'search is empty, so there is nothing to find. Send the exact text to replace; to create a file or rewrite it whole use write_file.';
  return search === replace ? 'search and replace are the same, so nothing would change. Send the new text in replace.' : undefined;
}

async function plan({ path: asked, search, replace, expected_count }: Request, context: ToolContext): Promise<Planned> {
  const path = normalizeWorkspacePath(asked);
  const problem = requestProblem(search, replace);
  if (problem !== undefined) throw new CodedError('invalid-input', problem);
  const { text, bom } = await readEditable(path, context);
  let find = search;
  let put = replace;
  let usedCrlf = false;
  if (!text.includes(find) && lineEndingOf(text) === 'crlf') {
    find = toCrlf(search);
    put = toCrlf(replace);
    usedCrlf = text.includes(find) && find !== search;
  }
  const starts = findAll(text, find);
  const lines = starts.map((start) => lineAt(text, start));
  if (starts.length === 0) throw new CodedError('execution-failed', absent(path, search, text));
  if (starts.length !== expected_count) throw new CodedError('execution-failed', wrongCount(path, lines, expected_count));
  const after = text.split(find).join(put);
  return {
    path,
    after,
    bom,
    lines,
    runs: diffLines(splitLines(text), splitLines(after)),
    usedCrlf,
    change: { path, before: diffText(text), after: diffText(after) },
  };
}

async function readEditable(path: string, context: ToolContext): Promise<{ readonly text: string; readonly bom: boolean }> {
  const stat = await context.files.stat(path);
  if (stat === undefined)
    throw new CodedError('not-found', `${missingPathMessage(path, await context.files.listFiles({ includeHidden: true }))} To create it use write_file.`);
  if (stat.kind === 'directory') throw new CodedError('is-directory', `${shownPath(path)} is a folder. Send the path of a file in it.`);
  const file = identifyBytes(await context.files.readBytes(path));
  if (file.kind !== 'text')
    throw new CodedError(
      'execution-failed',
      `${path} is ${file.kind === 'image' ? `a ${file.format} image` : file.what}, not text; edit_file cannot change it.`,
    );
  // Writing the text back would replace every byte that is not UTF-8.
  if (!file.exact)
    throw new CodedError('execution-failed', `${path} is not UTF-8 throughout, so editing it as text would damage the other bytes. It was not changed.`);
  return file;
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

function findAll(text: string, search: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) starts.push(at);
  return starts;
}

function wrongCount(path: string, lines: readonly number[], expected: number): string {
  const named = lines.slice(0, NAMED_MATCHES).join(', ') + (lines.length > NAMED_MATCHES ? ` and ${lines.length - NAMED_MATCHES} more` : '');
  const found = `The text stands in ${path} ${lines.length === 1 ? 'once' : `${lines.length} times`}, at ${lines.length === 1 ? 'line' : 'lines'} ${named}; expected ${expected}. Nothing was changed.`;
  const replaceAll = `send expected_count=${lines.length} to replace ${lines.length === 1 ? 'it' : 'them all'}`;
  return lines.length > expected && expected === 1
    ? `${found} Add lines around it to search until it is unique, or ${replaceAll}.`
    : `${found} Check the places, then ${replaceAll}.`;
}

function absent(path: string, search: string, text: string): string {
  const start = `The text to replace is not in ${path}. Nothing was changed.`;
  const wanted = splitLines(search);
  if (text === '') return `${start} The file is empty; use write_file to fill it.`;
  const unnumbered = wanted.map((line) => line.replace(/^\s*\d+\t/, '')).join('\n');
  if (unnumbered !== wanted.join('\n') && toLf(text).includes(unnumbered))
    return `${start} search begins its lines with the line numbers of read_file; they are not part of the file. Send it again without them.`;
  const nearest = explainNearest(wanted, splitLines(text));
  return nearest === undefined
    ? `${start} Nothing in the file is like it; read it again with read_file, or find the place with grep_files.`
    : `${start} ${nearest}\nSend search exactly as the file has it.`;
}

function toLf(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

/** The new lines with their numbers and one line around them, so that the next edit needs no new read. */
function showChanged(after: string, runs: readonly DiffRun[]): string {
  const lines = splitLines(after);
  const shown: string[] = [];
  let upTo = 0;
  for (const run of runs) {
    const from = Math.max(run.afterStart, upTo + 1, 1);
    const to = Math.min(run.afterStart + run.after.length + 1, lines.length);
    if (upTo > 0 && from > upTo + 1) shown.push('…');
    for (let number = from; number <= to; number++) shown.push(`${number}\t${clipLine(lines[number - 1] as string, 400)}`);
    upTo = Math.max(upTo, to);
  }
  return shown.length <= SHOWN_LINES ? shown.join('\n') : [...shown.slice(0, SHOWN_LINES), '…'].join('\n');
}
