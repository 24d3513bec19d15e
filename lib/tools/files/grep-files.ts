import type { SearchMatch, ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { utf8Length } from '@/lib/shared/bytes';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import { identifyBytes } from '@/lib/shared/file-kind';
import { createGlob } from '@/lib/shared/glob';
import { missingPathMessage } from '@/lib/shared/missing-path';
import { clipLine, countOf, formatBytes, oneLine, splitLines } from '@/lib/shared/text-lines';
import { normalizeWorkspacePath, pathEscapeError, spellPath } from '@/lib/shared/workspace-path';

const FILES_AT_ONCE = 64;
const FILE_BYTES = 2 * 1024 * 1024;
const SHOWN_BYTES = 24 * 1024;
const LINE_BYTES = 400;

const input = z.object({
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .describe('JavaScript regular expression, tested against each line. For literal text escape . * + ? ( ) [ ] { } ^ $ | and \\.'),
  path: z.string().default('.').describe('File or folder to search, relative to the workspace root.'),
  include: z.string().min(1).optional().describe('Only files that fit this glob, for example "*.ts" or "src/**/*.{ts,tsx}".'),
  exclude: z.string().min(1).optional().describe('Leave out files that fit this glob, for example "**/*.test.ts".'),
  context_lines: z.int().min(0).max(10).default(0).describe('Lines to show before and after each match.'),
  case_insensitive: z.boolean().default(false).describe('Ignore upper and lower case.'),
  max_results: z.int().min(1).max(500).default(100).describe('How many matching lines to return at most.'),
});

interface Searched {
  readonly matches: readonly SearchMatch[];
  readonly linesOf: ReadonlyMap<string, readonly string[]>;
  readonly files: number;
  readonly binary: number;
  readonly tooLarge: readonly string[];
  readonly complete: boolean;
}

export const grepFiles = defineTool({
  name: 'grep_files',
  description:
    'Searches file contents for a regular expression, line by line. Use it to find where something is defined or used, instead of `grep` or `rg` in the shell: it leaves out what .gitignore ignores and binary files, returns line numbers that read_file and edit_file use, and never waits for an approval. To find files by name use file_search. Returns the matching lines grouped by file.',
  input,
  capabilities: ['read-only', 'sandboxable'],
  supportsParallel: true,
  isPolling: true,
  validateInput({ pattern, path }) {
    const problem = patternProblem(pattern);
    return pathEscapeError(path) ?? (problem === undefined ? undefined : { kind: 'invalid-input', message: problem });
  },
  // A few matching lines are not the file: writing it still needs a read_file.
  pathsFor: ({ path }) => ({ under: [spellPath(path)] }),
  summarize: ({ pattern, path, include }) =>
    oneLine(`/${pattern}/${spellPath(path) === '' ? '' : ` in ${path}`}${include === undefined ? '' : ` (${include})`}`),
  async execute(request, context) {
    const path = normalizeWorkspacePath(request.path);
    const problem = patternProblem(request.pattern);
    if (problem !== undefined) throw new CodedError('invalid-input', problem);
    const { paths, note } = await candidates(path, request.include, request.exclude, context);
    const { source, ignoreCase } = readPattern(request.pattern);
    const found = await searchFiles(
      paths,
      { pattern: source, flags: ignoreCase || request.case_insensitive ? 'gi' : 'g', limit: request.max_results },
      context,
    );
    const matches = found.matches.slice(0, request.max_results);
    const skipped = skippedNotes(found, note);
    const scope = `${countOf(found.files, 'file')} (${path === '' ? 'the whole workspace' : path}${request.include === undefined ? '' : `, include ${request.include}`}${request.exclude === undefined ? '' : `, exclude ${request.exclude}`})`;
    if (matches.length === 0)
      return { ok: true, content: [`No line matches /${request.pattern}/ in ${scope}.`, ...skipped].join('\n'), data: { matches: 0, files: 0 } };
    const { text, shown } = showMatches(matches, found.linesOf, request.context_lines);
    const matchedFiles = new Set(matches.map((match) => match.path)).size;
    const head = `${countOf(matches.length, 'matching line')} in ${countOf(matchedFiles, 'file')}`;
    const more =
      shown < matches.length
        ? [`Only the first ${shown} are shown (24 KiB); narrow the pattern, path or include.`]
        : found.matches.length > matches.length || !found.complete
          ? [`There are more: stopped at max_results=${request.max_results}. Narrow the pattern, path or include, or raise max_results.`]
          : [];
    return { ok: true, content: [head, text, ...more, ...skipped].join('\n'), data: { matches: matches.length, files: matchedFiles } };
  },
});

/** Many models write the inline flag of other dialects; here it is the whole pattern's flag. */
function readPattern(pattern: string): { readonly source: string; readonly ignoreCase: boolean } {
  return pattern.startsWith('(?i)') ? { source: pattern.slice(4), ignoreCase: true } : { source: pattern, ignoreCase: false };
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(readPattern(pattern).source, 'g');
    return undefined;
  } catch (error) {
    return `The pattern is not a JavaScript regular expression (${messageOf(error)}). To find literal text put a backslash before . * + ? ( ) [ ] { } ^ $ | and \\.`;
  }
}

async function candidates(
  path: string,
  include: string | undefined,
  exclude: string | undefined,
  context: ToolContext,
): Promise<{ readonly paths: readonly string[]; readonly note?: string }> {
  const stat = await context.files.stat(path);
  if (stat === undefined && path !== '') throw new CodedError('not-found', missingPathMessage(path, await context.files.listFiles({ includeHidden: true })));
  if (stat?.kind === 'file') return { paths: [path] };
  let paths = await context.files.listFiles({ path, includeHidden: true });
  let note: string | undefined;
  if (paths.length === 0 && path !== '') {
    // Whoever names an ignored folder wants it searched.
    paths = await context.files.listFiles({ path, includeHidden: true, includeIgnored: true });
    if (paths.length > 0) note = '.gitignore ignores this folder; it was searched because you named it.';
  }
  const fits = (glob: string) => {
    const matches = createGlob(glob);
    // A glob may be meant from the workspace root or from the folder that is searched.
    return (file: string) => matches(file) || (path !== '' && matches(file.slice(path.length + 1)));
  };
  if (include !== undefined) paths = paths.filter(fits(include));
  if (exclude !== undefined) {
    const excluded = fits(exclude);
    paths = paths.filter((file) => !excluded(file));
  }
  return { paths, note };
}

async function searchFiles(
  paths: readonly string[],
  request: { readonly pattern: string; readonly flags: 'g' | 'gi'; readonly limit: number },
  context: ToolContext,
): Promise<Searched> {
  const matches: SearchMatch[] = [];
  const linesOf = new Map<string, readonly string[]>();
  const tooLarge: string[] = [];
  let files = 0;
  let binary = 0;
  let at = 0;
  for (; at < paths.length && matches.length <= request.limit; at += FILES_AT_ONCE) {
    const texts: { readonly path: string; readonly text: string }[] = [];
    const chunk = paths.slice(at, at + FILES_AT_ONCE);
    const contents = await Promise.all(chunk.map((file) => readSmall(file, context)));
    for (const [index, bytes] of contents.entries()) {
      const path = chunk[index] as string;
      if (bytes === 'absent') continue;
      if (bytes === 'too-large') {
        tooLarge.push(path);
        continue;
      }
      const file = identifyBytes(bytes);
      if (file.kind === 'text') texts.push({ path, text: file.text });
      else binary++;
    }
    files += texts.length;
    if (texts.length === 0) continue;
    const found = await context.search({ pattern: request.pattern, flags: request.flags, texts, maxMatches: request.limit + 1 - matches.length });
    for (const match of found) {
      const last = matches[matches.length - 1];
      if (last?.path === match.path && last.line === match.line) continue;
      matches.push(match);
      if (!linesOf.has(match.path)) linesOf.set(match.path, splitLines(texts.find((text) => text.path === match.path)?.text ?? ''));
    }
  }
  return { matches, linesOf, files, binary, tooLarge, complete: at >= paths.length };
}

async function readSmall(path: string, context: ToolContext): Promise<Uint8Array | 'too-large' | 'absent'> {
  const stat = await context.files.stat(path);
  if (stat === undefined || stat.kind === 'directory') return 'absent';
  return stat.size > FILE_BYTES ? 'too-large' : context.files.readBytes(path);
}

function showMatches(
  matches: readonly SearchMatch[],
  linesOf: ReadonlyMap<string, readonly string[]>,
  around: number,
): { readonly text: string; readonly shown: number } {
  const out: string[] = [];
  let bytes = 0;
  let shown = 0;
  let path: string | undefined;
  let upTo = 0;
  const matching = new Set(matches.map((match) => `${match.line} ${match.path}`));
  for (const match of matches) {
    const lines = linesOf.get(match.path) ?? [];
    const block: string[] = [];
    if (match.path !== path) {
      if (path !== undefined) block.push('');
      block.push(match.path);
      upTo = 0;
    }
    const from = Math.max(match.line - around, upTo + 1, 1);
    if (around > 0 && upTo > 0 && from > upTo + 1) block.push('--');
    const to = Math.min(match.line + around, Math.max(lines.length, match.line));
    for (let line = from; line <= to; line++)
      block.push(`${line}${matching.has(`${line} ${match.path}`) ? ':' : '-'} ${clipLine(lines[line - 1] ?? '', LINE_BYTES)}`);
    bytes += utf8Length(block.join('\n')) + 1;
    if (bytes > SHOWN_BYTES && shown > 0) break;
    out.push(...block);
    path = match.path;
    upTo = Math.max(upTo, to);
    shown++;
  }
  return { text: out.join('\n'), shown };
}

function skippedNotes(found: Searched, note: string | undefined): readonly string[] {
  const notes: string[] = [];
  if (note !== undefined) notes.push(`Note: ${note}`);
  if (found.binary > 0) notes.push(`Skipped: ${countOf(found.binary, 'binary file')}.`);
  if (found.tooLarge.length > 0)
    notes.push(
      `Skipped, larger than ${formatBytes(FILE_BYTES)}: ${found.tooLarge.slice(0, 5).join(', ')}${found.tooLarge.length > 5 ? ` and ${found.tooLarge.length - 5} more` : ''}.`,
    );
  return notes;
}
