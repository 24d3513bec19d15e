import type { SpillRef } from '@/lib/contracts/ids';
import type { SpillRecord } from '@/lib/contracts/store';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { utf8Length } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import { clipLine, countOf, formatBytes, headBytes, oneLine, splitLines, tailBytes } from '@/lib/shared/text-lines';

const DEFAULT_BYTES = 12_000;
const MOST_BYTES = 30_000;
const LINE_BYTES = 2000;
const AROUND_MATCH = 300;
const SUMMARY_EDGE = 10;
const SUMMARY_TELLING = 30;
const TELLING = /\b(error|errors|fail|failed|failure|failing|fatal|panic|exception|traceback|warning|denied|cannot|not found|assert\w*)\b|✗|✘|×|❌|\bnot ok\b/i;

const input = z.object({
  ref: z.string().min(1).describe('The id named in the shortened result ("… call retrieve_tool_result ref=<id> to view it").'),
  mode: z
    .enum(['summary', 'head', 'tail', 'lines', 'query'])
    .optional()
    .describe(
      'summary: size, first and last lines, lines that tell of errors (the default). head, tail: the beginning, the end. lines: the lines named in `lines`. query: the lines that contain `query`.',
    ),
  query: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Text to look for, letter by letter, upper and lower case alike; no regular expression. Chooses mode query.'),
  lines: z.string().optional().describe('Line numbers counted from 1, for example "120-180" or "42". Chooses mode lines.'),
  max_bytes: z.int().min(200).max(MOST_BYTES).default(DEFAULT_BYTES).describe('How many bytes to return at most (up to 30,000).'),
  max_matches: z.int().min(1).max(200).default(20).describe('How many matching lines to return at most, in mode query.'),
  context_lines: z.int().min(0).max(20).default(2).describe('Lines to show before and after each match, in mode query.'),
});

type Request = z.output<typeof input>;

interface View {
  readonly title: string;
  readonly body: readonly string[] | string;
  readonly more?: string;
}

export const retrieveToolResult = defineTool({
  name: 'retrieve_tool_result',
  description:
    'Fetches parts of a tool result that was too long to be shown whole and was stored. Use it when a result says that its full output was saved under a ref, instead of running the command again; look for what you need (mode query) rather than reading everything. Returns numbered lines, or the beginning or end of the stored text, always within max_bytes, and says how to go on.',
  input,
  capabilities: ['read-only'],
  supportsParallel: true,
  result: 'never-spills',
  validateInput(request) {
    const mode = modeOf(request);
    if (mode === 'query' && request.query === undefined) return { kind: 'missing-field', message: 'mode "query" needs the field query: the text to look for.' };
    if (mode === 'lines' && readRange(request.lines) === undefined)
      return {
        kind: request.lines === undefined ? 'missing-field' : 'invalid-input',
        message: 'mode "lines" needs the field lines, for example "120-180" or "42" (counted from 1).',
      };
    return undefined;
  },
  pathsFor: () => ({}),
  summarize: (request) => oneLine(`${request.ref}: ${modeOf(request)}${detailOf(request)}`),
  async execute(request, context) {
    const record = await find(request.ref, context);
    const lines = splitLines(record.text);
    const { title, body, more } = view(request, record, lines);
    const head = `${title}; ${record.tool} result ${record.ref}, ${countOf(lines.length, 'line')}, ${formatBytes(record.bytes)} in all`;
    const text = typeof body === 'string' ? body : body.join('\n');
    return {
      ok: true,
      content: `[${head}]\n${text}${more === undefined ? '' : `\n[${more}]`}`,
      data: { ref: record.ref, bytes: record.bytes, lines: lines.length },
      // Bytes from outside stay from outside, whoever hands them on.
      ...(record.origin === undefined ? {} : { metadata: { origin: record.origin } }),
    };
  },
});

async function find(asked: string, context: ToolContext): Promise<SpillRecord> {
  const plain = asked
    .trim()
    .replace(/^["'`<]?(?:ref=)?["'`<]?/, '')
    .replace(/["'`>.,;]+$/, '');
  for (const ref of new Set([asked, plain])) {
    const record = ref === '' ? undefined : await context.readSpill(ref as SpillRef);
    if (record !== undefined) return record;
  }
  throw new CodedError(
    'not-available',
    `No stored result has the id "${oneLine(asked, 100)}". Copy the id from the shortened result exactly; results are kept for 7 days. If it is gone, run the tool again.`,
  );
}

function modeOf(request: Request): 'summary' | 'head' | 'tail' | 'lines' | 'query' {
  if (request.mode !== undefined) return request.mode;
  if (request.query !== undefined) return 'query';
  return request.lines === undefined ? 'summary' : 'lines';
}

function detailOf(request: Request): string {
  const mode = modeOf(request);
  if (mode === 'query') return ` "${request.query ?? ''}"`;
  return mode === 'lines' ? ` ${request.lines ?? ''}` : '';
}

function view(request: Request, record: SpillRecord, lines: readonly string[]): View {
  if (lines.length === 0) return { title: 'All of it', body: 'The stored text is empty.' };
  switch (modeOf(request)) {
    case 'summary':
      return summary(lines, request.max_bytes);
    case 'head':
      return head(record, lines, request.max_bytes);
    case 'tail':
      return tail(record, lines, request.max_bytes);
    case 'lines':
      return range(lines, readRange(request.lines) ?? [1, 1], request.max_bytes);
    case 'query':
      return matches(lines, request);
  }
}

/** `12-40`, `12..40`, `12:40` or `12`; undefined when it names no range. */
function readRange(text: string | undefined): readonly [number, number] | undefined {
  const parts = /^\s*(\d{1,9})\s*(?:(?:-|–|:|,|\.\.)\s*(\d{1,9})\s*)?$/.exec(text ?? '');
  if (parts === null) return undefined;
  const from = Number(parts[1]);
  const to = parts[2] === undefined ? from : Number(parts[2]);
  return from >= 1 && to >= from ? [from, to] : undefined;
}

function summary(lines: readonly string[], limitBytes: number): View {
  if (lines.length <= 2 * SUMMARY_EDGE) return { title: 'All of it', ...fit(numbered(lines, 0, lines.length), limitBytes) };
  const telling: string[] = [];
  let unshown = 0;
  for (let i = SUMMARY_EDGE; i < lines.length - SUMMARY_EDGE; i++) {
    if (!TELLING.test((lines[i] as string).slice(0, LINE_BYTES))) continue;
    if (telling.length < SUMMARY_TELLING) telling.push(numberLine(lines, i));
    else unshown++;
  }
  const middle =
    telling.length === 0
      ? ['… no line in between tells of an error or warning …']
      : [
          `… in between, ${countOf(telling.length + unshown, 'line')} that may tell of trouble:`,
          ...telling,
          ...(unshown > 0 ? [`… and ${unshown} more (mode query finds them) …`] : ['…']),
        ];
  const tailLines = numbered(lines, lines.length - SUMMARY_EDGE, lines.length);
  // The end says how it went: it is never what a small limit costs.
  const end = fitFromEnd(tailLines, Math.floor(limitBytes / 3));
  const start = fit([...numbered(lines, 0, SUMMARY_EDGE), ...middle], limitBytes - utf8Length(end.join('\n')) - 1).body;
  return { title: 'Summary', body: [...start, ...end], more: 'mode lines, query, head or tail shows more' };
}

function head(record: SpillRecord, lines: readonly string[], limitBytes: number): View {
  const kept = headBytes(record.text, limitBytes);
  if (kept.length === record.text.length) return { title: 'All of it', body: record.text };
  const whole = wholeLines(kept, kept.lastIndexOf('\n') + 1, 0);
  const shown = splitLines(whole).length;
  return {
    title: `First ${formatBytes(utf8Length(whole))}`,
    body: whole,
    more: `${formatBytes(record.bytes - utf8Length(whole))} follow: mode=lines lines="${Math.min(whole.endsWith('\n') ? shown + 1 : shown, lines.length)}-${lines.length}" goes on`,
  };
}

function tail(record: SpillRecord, lines: readonly string[], limitBytes: number): View {
  const kept = tailBytes(record.text, limitBytes);
  if (kept.length === record.text.length) return { title: 'All of it', body: record.text };
  const newline = kept.indexOf('\n');
  const whole = newline === -1 || newline + 1 === kept.length ? kept : kept.slice(newline + 1);
  const before = lines.length - splitLines(whole).length;
  return {
    title: `Last ${formatBytes(utf8Length(whole))}`,
    body: whole,
    more: `${formatBytes(record.bytes - utf8Length(whole))} come before: mode=lines lines="1-${Math.max(before, 1)}"`,
  };
}

function wholeLines(text: string, end: number, start: number): string {
  return end > start ? text.slice(start, end) : text;
}

function range(lines: readonly string[], [from, to]: readonly [number, number], limitBytes: number): View {
  if (from > lines.length)
    throw new CodedError(
      'invalid-input',
      `The stored text has ${countOf(lines.length, 'line')}; line ${from} is past its end. Send lines between 1 and ${lines.length}.`,
    );
  const last = Math.min(to, lines.length);
  const { body } = fit(numbered(lines, from - 1, last), limitBytes);
  const end = from + body.length - 1;
  return { title: `Lines ${from}-${end}`, body, ...(end < last ? { more: `max_bytes reached: lines="${end + 1}-${last}" goes on` } : {}) };
}

function matches(lines: readonly string[], request: Request): View {
  const wanted = (request.query ?? '').toLowerCase();
  const hits: number[] = [];
  lines.forEach((line, index) => {
    if (line.toLowerCase().includes(wanted)) hits.push(index);
  });
  if (hits.length === 0) return { title: 'No match', body: `No line contains "${oneLine(request.query ?? '', 100)}". Try a shorter text, or mode=summary.` };
  const body: string[] = [];
  let bytes = 0;
  let upTo = -1;
  let shown = 0;
  for (const hit of hits.slice(0, request.max_matches)) {
    const from = Math.max(hit - request.context_lines, upTo + 1, 0);
    const to = Math.min(hit + request.context_lines, lines.length - 1);
    const block = upTo >= 0 && from > upTo + 1 ? ['--'] : [];
    for (let i = from; i <= to; i++) block.push(i === hit ? `${i + 1}\t${aroundMatch(lines[i] as string, wanted)}` : numberLine(lines, i));
    const size = utf8Length(block.join('\n')) + 1;
    if (bytes + size > request.max_bytes && shown > 0) break;
    body.push(...(bytes + size > request.max_bytes ? fit(block, request.max_bytes).body : block));
    bytes += size;
    upTo = Math.max(upTo, to);
    shown++;
  }
  const rest = hits.length - shown;
  return {
    title: `${countOf(hits.length, 'line')} with "${oneLine(request.query ?? '', 60)}"`,
    body,
    ...(rest > 0
      ? { more: `${rest} more not shown, the next at line ${(hits[shown] as number) + 1}: raise max_matches or max_bytes, or use a longer query` }
      : {}),
  };
}

/** A long line shows the part around the match: the match may be the only thing of interest in a megabyte. */
function aroundMatch(line: string, wanted: string): string {
  if (utf8Length(line) <= LINE_BYTES) return line;
  const at = line.toLowerCase().indexOf(wanted);
  const from = Math.max(0, at - AROUND_MATCH);
  const to = Math.min(line.length, at + wanted.length + AROUND_MATCH);
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''} [line of ${formatBytes(utf8Length(line))}, match at column ${at + 1}]`;
}

function numbered(lines: readonly string[], from: number, to: number): readonly string[] {
  return lines.slice(from, to).map((_, index) => numberLine(lines, from + index));
}

function numberLine(lines: readonly string[], index: number): string {
  return `${index + 1}\t${clipLine(lines[index] as string, LINE_BYTES)}`;
}

/** As many of `lines` as fit; a first line that alone is too long is cut. */
function fit(lines: readonly string[], limitBytes: number): { readonly body: readonly string[] } {
  const body: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += utf8Length(line) + 1;
    if (bytes > limitBytes) break;
    body.push(line);
  }
  return { body: body.length === 0 && lines.length > 0 ? [headBytes(lines[0] as string, Math.max(limitBytes, 0))] : body };
}

function fitFromEnd(lines: readonly string[], limitBytes: number): readonly string[] {
  const fitting = [...fit([...lines].reverse(), limitBytes).body];
  return fitting.reverse();
}
