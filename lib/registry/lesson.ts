import type { ToolLesson } from '@/lib/contracts/dispatcher';
import type { JsonSchema } from '@/lib/contracts/json-schema';
import { editDistance } from '@/lib/shared/edit-distance';
import { isJsonObject, type Json } from '@/lib/shared/json';

/** What models call a field that has another name here; the first of the names that a tool takes and did not get is meant. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  old_string: ['search'],
  old_str: ['search'],
  old_text: ['search'],
  new_string: ['replace'],
  new_str: ['replace'],
  new_text: ['replace'],
  replacement: ['replace'],
  file_path: ['path'],
  filepath: ['path'],
  file: ['path'],
  filename: ['path'],
  file_name: ['path'],
  target_file: ['path'],
  directory: ['path', 'cwd'],
  dir: ['path', 'cwd'],
  folder: ['path', 'cwd'],
  working_directory: ['cwd'],
  workdir: ['cwd'],
  cmd: ['command'],
  script: ['command', 'code'],
  source: ['from', 'code'],
  src: ['from'],
  destination: ['to'],
  dest: ['to'],
  dst: ['to'],
  text: ['content', 'input'],
  contents: ['content'],
  body: ['content'],
  regex: ['pattern'],
  query: ['pattern'],
  pattern: ['query'],
  offset: ['start_line'],
  limit: ['max_lines', 'max_results'],
  glob: ['include'],
  timeout: ['timeout_ms'],
  diff: ['patch'],
  id: ['task_id', 'ref'],
  job_id: ['task_id'],
};

const farthestTypo = 2;

/**
 * What a caller has to know of a tool to send its next call right.
 *
 * In     `input` as it arrived; anything but an object counts as no fields.
 * Out    the fields with their types, which arrived, which are missing, which the tool does not know, and what those were likely meant as.
 */
export function lessonOf(schema: JsonSchema, input: Json): ToolLesson {
  const known = Object.keys(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const received = isJsonObject(input) ? Object.keys(input) : [];
  const missing = [...required].filter((field) => !received.includes(field));
  const unexpected = received.filter((field) => !known.includes(field));
  const free = new Set(known.filter((field) => !received.includes(field)));
  const corrections: [string, string][] = [];
  for (const field of unexpected) {
    const meant = meantBy(field, [...free]);
    if (meant === undefined) continue;
    free.delete(meant);
    corrections.push([field, meant]);
  }
  const expected = known.map((name): [string, string] => [name, `${fieldType(schema.properties?.[name] ?? {})}${required.has(name) ? ', required' : ''}`]);
  return { expected: Object.fromEntries(expected), received, missing, unexpected, corrections: Object.fromEntries(corrections) };
}

/** The type of a field in a word or two. */
export function fieldType(field: JsonSchema): string {
  if (field.enum !== undefined) return field.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (field.type === 'array' && field.items !== undefined) return `list of ${fieldType(field.items)}`;
  if (Array.isArray(field.type)) return field.type.join(' or ');
  return typeof field.type === 'string' ? field.type : 'any';
}

/** Corrections in a sentence; empty when there are none. */
export function correctionWords({ corrections }: ToolLesson): string {
  const pairs = Object.entries(corrections).map(([sent, meant]) => `${meant} instead of ${sent}`);
  return pairs.length === 0 ? '' : `Likely meant: ${pairs.join(', ')}.`;
}

function meantBy(field: string, free: readonly string[]): string | undefined {
  const wanted = plain(field);
  const same = free.find((name) => plain(name) === wanted);
  if (same !== undefined) return same;
  const names = Object.hasOwn(otherNames, wanted) ? (otherNames[wanted] ?? []) : [];
  const listed = names.find((name) => free.includes(name));
  if (listed !== undefined) return listed;
  // A short name is near to many others.
  return wanted.length <= 3 ? undefined : free.find((name) => editDistance(wanted, plain(name), farthestTypo) <= farthestTypo);
}

/** `filePath`, `file-path` and `File_Path` are `file_path`. */
function plain(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[- ]/g, '_')
    .toLowerCase();
}
