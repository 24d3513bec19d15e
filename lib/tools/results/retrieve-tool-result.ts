import type { SpillRef } from '@/lib/contracts/ids';
import type { SpillRecord } from '@/lib/contracts/store';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { utf8Length } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import { LINE_BYTES, type LineRange, linePart, readLineRange, showRange } from '@/lib/shared/line-part';
import { countOf, formatBytes, headBytes, oneLine, splitLines, tailBytes } from '@/lib/shared/text-lines';
import { findLines } from './retrieve-tool-result/find-lines';

const DEFAULT_BYTES = 12_000;
const MOST_BYTES = 30_000;
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
  lines: z
    .string()
    .optional()
    .describe('Line numbers counted from 1, for example "120-180" or "42"; "42+2000" is line 42 from byte 2,000 on. Chooses mode lines.'),
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
    if (mode === 'lines' && readLineRange(request.lines) === undefined)
      return {
        kind: request.lines === undefined ? 'missing-field' : 'invalid-input',
        message: 'mode "lines" needs the field lines, for example "120-180" or "42" (counted from 1), or "42+2000" for line 42 from byte 2,000 on.',
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
      return range(lines, readLineRange(request.lines) ?? { from: 1, to: 1, byte: 0 }, request.max_bytes);
    case 'query':
      return matches(lines, request);
  }
}

function summary(lines: readonly string[], limitBytes: number): View {
  if (lines.length <= 2 * SUMMARY_EDGE) {
    const { whole, ...shown } = range(lines, { from: 1, to: lines.length, byte: 0 }, limitBytes);
    return whole ? { ...shown, title: 'All of it' } : shown;
  }
  const telling: string[] = [];
  let unshown = 0;
  for (let i = SUMMARY_EDGE; i < lines.length - SUMMARY_EDGE; i++) {
    if (!TELLING.test((lines[i] as string).slice(0, LINE_BYTES))) continue;
    if (telling.length < SUMMARY_TELLING) telling.push(numbered(lines, i, LINE_BYTES));
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
  // The end says how it went: it is never what a small limit costs.
  const endRoom = Math.floor(limitBytes / 3);
  const end = fit(edge(lines, lines.length - SUMMARY_EDGE, endRoom).reverse(), endRoom).reverse();
  const startRoom = limitBytes - utf8Length(end.join('\n')) - 1;
  const start = fit([...edge(lines, 0, startRoom), ...middle], startRoom);
  return { title: 'Summary', body: [...start, ...end], more: 'mode lines, query, head or tail shows more' };
}

/** The lines of one end, none longer than the room for all. */
function edge(lines: readonly string[], from: number, room: number): string[] {
  return lines.slice(from, from + SUMMARY_EDGE).map((_, index) => numbered(lines, from + index, Math.min(LINE_BYTES, room - 12)));
}

function head(record: SpillRecord, lines: readonly string[], limitBytes: number): View {
  const kept = headBytes(record.text, limitBytes);
  if (kept.length === record.text.length) return { title: 'All of it', body: record.text };
  const whole = wholeLines(kept, kept.lastIndexOf('\n') + 1, 0);
  const shown = splitLines(whole).length;
  const bytes = utf8Length(whole);
  const others = lines.length > shown ? `lines="${shown + 1}-${lines.length}"` : undefined;
  // A line that is cut here goes on inside itself, and only then come the others.
  const next = whole.endsWith('\n') ? (others ?? '') : `lines="${shown}+${bytes}"${others === undefined ? '' : `, and then ${others},`}`;
  return { title: `First ${formatBytes(bytes)}`, body: whole, more: `${formatBytes(record.bytes - bytes)} follow: mode=lines ${next} goes on` };
}

function tail(record: SpillRecord, lines: readonly string[], limitBytes: number): View {
  const kept = tailBytes(record.text, limitBytes);
  if (kept.length === record.text.length) return { title: 'All of it', body: record.text };
  const newline = kept.indexOf('\n');
  const cut = newline === -1 || newline + 1 === kept.length;
  const whole = cut ? kept : kept.slice(newline + 1);
  const before = lines.length - splitLines(whole).length;
  const earlier = before > 0 ? `lines="1-${before}"` : '';
  const sameLine = cut ? `${earlier === '' ? '' : ', and '}lines="${lines.length}" for the beginning of the line that is cut here` : '';
  return {
    title: `Last ${formatBytes(utf8Length(whole))}`,
    body: whole,
    more: `${formatBytes(record.bytes - utf8Length(whole))} come before: mode=lines ${earlier}${sameLine}`,
  };
}

function wholeLines(text: string, end: number, start: number): string {
  return end > start ? text.slice(start, end) : text;
}

function range(lines: readonly string[], asked: LineRange, limitBytes: number) {
  const { more, ...shown } = showRange(lines, asked, limitBytes, 'lines', (number, part) => `${number}\t${part}`);
  return { ...shown, ...(more === undefined ? {} : { more: `max_bytes reached: ${more}` }) };
}

function matches(lines: readonly string[], request: Request): View {
  const query = request.query ?? '';
  const found = findLines(lines, { ...request, query });
  return found.body.length > 0 ? found : { title: 'No match', body: `No line contains "${oneLine(query, 100)}". Try a shorter text, or mode=summary.` };
}

function numbered(lines: readonly string[], index: number, most: number): string {
  return `${index + 1}\t${linePart(lines, index, most, 'lines')}`;
}

/** As many of `lines` as fit. */
function fit(lines: readonly string[], limitBytes: number): string[] {
  let bytes = 0;
  const over = lines.findIndex((line) => {
    bytes += utf8Length(line) + 1;
    return bytes > limitBytes;
  });
  return over === -1 ? [...lines] : lines.slice(0, over);
}
