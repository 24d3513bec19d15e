import type { SchemaDialect } from '@/lib/contracts/provider';
import { sanitizeSchema } from '@/lib/registry/sanitize-schema';
import { strictToolSet } from '@/lib/registry/strict-tool-set';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { type Runner, refuseUnknown, strings, text } from './runner';

const dialects: ReadonlySet<string> = new Set<SchemaDialect>(['neutral', 'anthropic', 'openai-strict', 'gemini', 'deepseek']);

/** Kind `schema-sanitize`: the schema that is sent, a provider or a strict tool set at a time. */
export const runSchemaSanitize: Runner = ({ input, expected }) => {
  if (!isJsonObject(expected)) throw new Error('expected is no object');
  const before = canonicalJson(input);
  const prototype = Object.getOwnPropertyNames(Object.prototype).join();
  const startedAt = performance.now();
  const got = input.mode === undefined ? one(input, expected) : wholeSet(input, expected);
  const millis = performance.now() - startedAt;
  return {
    ...got,
    ...(typeof expected.maxMillis === 'number' && { maxMillis: Math.max(expected.maxMillis, millis) }),
    ...(canonicalJson(input) !== before && { problem: 'the input was changed' }),
    ...(Object.getOwnPropertyNames(Object.prototype).join() !== prototype && { problem: 'Object.prototype was changed' }),
  };
};

function one(input: JsonObject, expected: JsonObject): JsonObject {
  refuseUnknown('input', input, ['schema', 'provider']);
  refuseUnknown('expected', expected, ['sent', 'descriptionIncludes', 'maxMillis']);
  const dialect = text(input.provider);
  if (!dialects.has(dialect)) throw new Error(`there is no dialect ${dialect}`);
  if (input.schema === undefined) throw new Error('a schema is wanted');
  const sent = sanitizeSchema(input.schema, dialect as SchemaDialect) as Json;
  const again = sanitizeSchema(sent, dialect as SchemaDialect) as Json;
  const shown = JSON.parse(JSON.stringify(sent)) as Json;
  const includes = Object.entries(isJsonObject(expected.descriptionIncludes) ? expected.descriptionIncludes : {}).map(([pointer, wanted]): [string, Json] => {
    const node = nodeAt(shown, pointer);
    const description = typeof node.description === 'string' ? node.description : '';
    delete node.description;
    return [pointer, strings(wanted).filter((part) => description.includes(part))];
  });
  return {
    sent: shown,
    ...(expected.descriptionIncludes !== undefined && { descriptionIncludes: Object.fromEntries(includes) }),
    ...(canonicalJson(again) !== canonicalJson(sent) && { again }),
  };
}

function wholeSet(input: JsonObject, expected: JsonObject): JsonObject {
  refuseUnknown('input', input, ['mode', 'schemas']);
  refuseUnknown('expected', expected, ['strict', 'schemas', 'maxMillis']);
  if (input.mode !== 'strict' || !Array.isArray(input.schemas)) throw new Error('mode strict has a list of schemas');
  const got = strictToolSet(input.schemas) as unknown as { readonly strict: boolean; readonly schemas: readonly Json[] };
  const again = strictToolSet(got.schemas);
  return { ...got, ...(canonicalJson(again as unknown as Json) !== canonicalJson(got) && { again: again as unknown as Json }) };
}

function nodeAt(root: Json, pointer: string): Record<string, Json> {
  let node: Json | undefined = root;
  for (const key of pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')))
    node = typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? (node as Readonly<Record<string, Json>>)[key] : undefined;
  if (!isJsonObject(node)) throw new Error(`nothing stands at ${pointer}`);
  return node as Record<string, Json>;
}
