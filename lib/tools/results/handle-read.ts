import type { SpillRef } from '@/lib/contracts/ids';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { utf8Length } from '@/lib/shared/bytes';
import { CodedError } from '@/lib/shared/coded-error';
import type { Json, JsonObject } from '@/lib/shared/json';
import { readLineRange, showRange } from '@/lib/shared/line-part';
import { countOf, formatBytes, headBytes, oneLine } from '@/lib/shared/text-lines';
import { findByPath, Place, sliced, textPart } from './handle-read/json-path';
import { writeValues } from './handle-read/write-values';

const DEFAULT_BYTES = 12_000;
const MOST_BYTES = 30_000;
const CLOSER = 'take less with a closer jsonpath, a slice or a range';
const KEYS_SHOWN = 40;
const SHAPE_DEPTH = 3;

const input = z.object({
  handle: z.string().min(1).describe('The id named in the result ("… call handle_read handle=<id> to read parts of it").'),
  introspect: z.boolean().optional().describe('true: what is there: types, sizes and keys of the first levels. The way to begin.'),
  count: z.string().optional().describe('A JSONPath; answers how many values it finds, and how many entries these have. "$" counts the entries of the whole.'),
  slice: z
    .string()
    .optional()
    .describe('Entries of the whole list or object, for example "0:20" or "-5:" (counted from 0, the end not included). Of a text, characters.'),
  range: z
    .string()
    .optional()
    .describe('Lines of the data written out as JSON with line breaks, for example "1-120" (counted from 1); "7+2000" is line 7 from byte 2,000 on.'),
  jsonpath: z
    .string()
    .optional()
    .describe(
      'A JSONPath, for example "$.items[0:10].name" or "$..[?@.status == \'failed\']"; answers the values it finds with their paths. [0:5000] of a text is a part of it.',
    ),
  max_bytes: z.int().min(200).max(MOST_BYTES).default(DEFAULT_BYTES).describe('How many bytes to return at most (up to 30,000).'),
});

type Request = z.output<typeof input>;
const WAYS = ['introspect', 'count', 'slice', 'range', 'jsonpath'] as const;

export const handleRead = defineTool({
  name: 'handle_read',
  description:
    'Reads parts of structured data that was too large to be shown and was kept under a handle (a var_handle). Use it when a result says that its data was kept: begin with introspect=true, then take what you need with jsonpath, slice, range or count, one of them a call. For stored text use retrieve_tool_result. Returns JSON, always within max_bytes, and says how much there is.',
  input,
  capabilities: ['read-only'],
  supportsParallel: true,
  result: 'never-spills',
  validateInput(request) {
    const given = waysIn(request);
    if (given.length === 1) return undefined;
    const kind = given.length === 0 ? 'missing-field' : 'invalid-input';
    return {
      kind,
      message: `handle_read needs exactly one of ${WAYS.join(', ')}; ${given.length === 0 ? 'none arrived' : `${given.join(' and ')} arrived`}. Begin with introspect=true.`,
    };
  },
  pathsFor: () => ({}),
  summarize: (request) =>
    oneLine(
      `${request.handle}: ${waysIn(request)
        .map((way) => `${way} ${String(request[way])}`)
        .join(', ')}`,
    ),
  async execute(request, context) {
    const { value, origin, bytes } = await find(request.handle, context);
    const { title, body, more } = read(request, value);
    return {
      ok: true,
      content: `[${title}; ${formatBytes(bytes)} of data under ${request.handle}]\n${body}${more === undefined ? '' : `\n[max_bytes reached: ${more}]`}`,
      // Bytes from outside stay from outside, whoever hands them on.
      ...(origin === undefined ? {} : { metadata: { origin } }),
    };
  },
});

function waysIn(request: Request): readonly (typeof WAYS)[number][] {
  return WAYS.filter((way) => request[way] !== undefined && request[way] !== false);
}

async function find(asked: string, context: ToolContext): Promise<{ readonly value: Json; readonly origin: string | undefined; readonly bytes: number }> {
  const handle = asked
    .trim()
    .replace(/^["'`<]?(?:handle=)?["'`<]?/, '')
    .replace(/["'`>.,;]+$/, '');
  const record = handle === '' ? undefined : await context.readSpill(handle as SpillRef);
  if (record === undefined)
    throw new CodedError(
      'not-available',
      `No data is kept under "${oneLine(asked, 100)}". Copy the id from the result exactly; data is kept for 7 days. If it is gone, run the tool again.`,
    );
  if (record.holds !== 'data')
    throw new CodedError('invalid-input', `"${oneLine(asked, 100)}" holds text, no structured data. Call retrieve_tool_result ref=${handle} for it.`);
  return { value: JSON.parse(record.text) as Json, origin: record.origin, bytes: record.bytes };
}

interface Reading {
  readonly title: string;
  readonly body: string;
  /** How much there is and how it goes on, where max_bytes left something out. */
  readonly more?: string;
}

function read(request: Request, value: Json): Reading {
  const limit = request.max_bytes;
  if (request.jsonpath !== undefined) {
    const matches = findByPath(value, request.jsonpath);
    const { body, left } = writeValues(matches, ({ path }) => `${path} = `, limit);
    return { title: `${countOf(matches.length, 'value')} found`, body, ...(left === undefined ? {} : { more: `${left}; ${CLOSER}` }) };
  }
  if (request.count !== undefined) {
    const matches = findByPath(value, request.count);
    const counted = [countOf(matches.length, 'value'), ...matches.slice(0, KEYS_SHOWN).map(({ path, value: found }) => `${path}: ${kindOf(found)}`)];
    return { title: 'Counted', ...beginningOf(counted.join('\n'), limit) };
  }
  if (request.slice !== undefined) return slice(value, request.slice, limit);
  if (request.range !== undefined) return lines(value, request.range, limit);
  return { title: 'What is there', ...beginningOf(shapeOf(value, '$', 0).join('\n'), limit) };
}

function beginningOf(text: string, limitBytes: number): { readonly body: string; readonly more?: string } {
  const body = headBytes(text, limitBytes);
  return body.length === text.length ? { body } : { body: `${body}…`, more: `${formatBytes(utf8Length(text))} in all; ${CLOSER}` };
}

function slice(value: Json, asked: string, limitBytes: number): Reading {
  const parts = /^\s*(-?\d{1,9})?\s*:\s*(-?\d{1,9})?\s*$/.exec(asked);
  if (parts === null) throw new CodedError('invalid-input', `slice is "${oneLine(asked, 60)}". Send a beginning and an end such as "0:20" or "-5:".`);
  const ends = { ...(parts[1] === undefined ? {} : { start: Number(parts[1]) }), ...(parts[2] === undefined ? {} : { end: Number(parts[2]) }) };
  const root = new Place(value);
  if (typeof value === 'string') {
    const part = textPart(root, value, ends);
    const { body, left } = writeValues([part], () => '', limitBytes);
    return { title: `Characters ${part.path.slice(2, -1)} of ${value.length}`, body, ...(left === undefined ? {} : { more: left }) };
  }
  if (typeof value !== 'object' || value === null)
    throw new CodedError('invalid-input', `The data is ${kindOf(value)}, which has no entries. Use range instead.`);
  const entries: readonly (readonly [number | string, Json])[] = Array.isArray(value) ? [...value.entries()] : Object.entries(value as JsonObject);
  const wanted = sliced(entries.length, ends);
  const keyAt = (at: number) => (entries[wanted[at] as number] as readonly [number | string, Json])[0];
  const places = wanted.map((at) => entries[at] as readonly [number | string, Json]).map(([key, item]) => new Place(item, root, key));
  const { body, shown, left } = writeValues(places, (_, at) => `${JSON.stringify(keyAt(at))}: `, limitBytes);
  const next = shown < wanted.length ? `; slice="${wanted[shown]}:${(wanted.at(-1) as number) + 1}" goes on` : '';
  return {
    title: `${countOf(wanted.length, 'entry', 'entries')} of ${entries.length}`,
    body,
    ...(left === undefined ? {} : { more: `${left}${next}` }),
  };
}

function lines(value: Json, asked: string, limitBytes: number): Reading {
  const range = readLineRange(asked);
  if (range === undefined)
    throw new CodedError(
      'invalid-input',
      `range is "${oneLine(asked, 60)}". Send lines such as "1-120", counted from 1, or "7+2000" for line 7 from byte 2,000 on.`,
    );
  const all = JSON.stringify(value, null, 1).split('\n');
  const { title, body, more } = showRange(all, range, limitBytes, 'range', (_, part) => part);
  return { title: `${title} of ${all.length}`, body: body.join('\n'), ...(more === undefined ? {} : { more }) };
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${countOf(value.length, 'entry', 'entries')}`;
  if (typeof value === 'object') return `an object of ${countOf(Object.keys(value).length, 'key')}`;
  return typeof value === 'string' ? `a text of ${formatBytes(utf8Length(value))}` : `a ${typeof value}`;
}

/** The first levels, of a list only its first entry: the others mostly look alike. */
function shapeOf(value: Json, path: string, depth: number): readonly string[] {
  const own = `${'  '.repeat(depth)}${path}: ${kindOf(value)}`;
  if (typeof value !== 'object' || value === null || depth >= SHAPE_DEPTH) return [own];
  if (Array.isArray(value)) return value.length === 0 ? [own] : [own, ...shapeOf(value[0] as Json, '[0]', depth + 1)];
  const keys = Object.keys(value);
  const inner = keys.slice(0, KEYS_SHOWN).flatMap((key) => shapeOf((value as Record<string, Json>)[key] as Json, `.${oneLine(key, 80)}`, depth + 1));
  return keys.length > KEYS_SHOWN ? [own, ...inner, `${'  '.repeat(depth + 1)}… and ${keys.length - KEYS_SHOWN} more keys`] : [own, ...inner];
}
