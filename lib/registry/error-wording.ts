import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { ToolError, ToolErrorKind, ToolResult } from '@/lib/contracts/outcome';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { correctionWords, fieldType, lessonOf } from './lesson';

const kinds: ReadonlySet<string> = new Set<ToolErrorKind>([
  'invalid-input',
  'missing-field',
  'path-escape',
  'execution-failed',
  'timeout',
  'not-available',
  'permission-denied',
  'cancelled',
]);

/**
 * Words a failed schema check so that the next call can be right.
 *
 * Out    `missing-field` when a required field is absent (also when other fields are wrong), else `invalid-input`.
 */
export function schemaError(
  tool: string,
  schema: JsonSchema,
  input: Json,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ToolError {
  if (!isJsonObject(input))
    return { kind: 'invalid-input', message: `${tool} needs its arguments as one JSON object; ${typeName(input)} arrived. ${expected(schema)}` };
  const absent = issues.filter(({ path }) => isAbsent(input, path)).map(({ path }) => path.map(String).join('.'));
  const missing = [...new Set([...(schema.required ?? []).filter((field) => !Object.hasOwn(input, field)), ...absent])];
  const arrived = Object.keys(input);
  const meant = correctionWords(lessonOf(schema, input));
  const hint = meant === '' ? '' : ` ${meant}`;
  const received = arrived.length === 0 ? 'No fields arrived.' : `These fields arrived: ${arrived.join(', ')}.`;
  if (missing.length > 0)
    return {
      kind: 'missing-field',
      message: `${tool}: missing ${missing.join(', ')}. ${received}${hint} ${expected(schema)} Send the call again with every required field.`,
    };
  const faults = issues.slice(0, 5).map((issue) => `${issue.path.map(String).join('.') || 'the input'}: ${issue.message}`);
  return { kind: 'invalid-input', message: `${tool}: ${faults.join('; ')}. ${received}${hint} ${expected(schema)} Send the call again, corrected.` };
}

/** True for the path of a field that its object does not have. */
function isAbsent(input: Json, path: readonly PropertyKey[]): boolean {
  let around: Json | undefined = input;
  for (const key of path.slice(0, -1)) {
    const step = String(key);
    if (typeof around !== 'object' || around === null || !Object.hasOwn(around, step)) return false;
    around = (around as JsonObject)[step];
  }
  const last = path.at(-1);
  return last !== undefined && isJsonObject(around) && !Object.hasOwn(around, String(last));
}

/** The fields of a tool in one line: `It takes: path* (string), start_line (integer). * = required.` */
export function expected(schema: JsonSchema): string {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => `${name}${required.has(name) ? '*' : ''} (${fieldType(field)})`);
  return fields.length === 0 ? 'It takes no fields.' : `It takes: ${fields.join(', ')}. * = required.`;
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/**
 * The result of a body that threw.
 *
 * Out    the thrown code where it is a tool error kind; a code of the files (`not-found`, …) is `execution-failed`; any other value too.
 */
export function thrownResult(error: unknown): ToolResult {
  const code = codeOf(error);
  const kind = code !== undefined && kinds.has(code) ? (code as ToolErrorKind) : 'execution-failed';
  return { ok: false, error: kind, content: messageOf(error) };
}
