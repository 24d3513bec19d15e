import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { SchemaDialect } from '@/lib/contracts/provider';
import type { Json } from '@/lib/shared/json';
import { deepseekSchema } from './schema/deepseek-schema';
import { flattenRoot } from './schema/flatten-root';
import { geminiSchema } from './schema/gemini-schema';
import { inlineReferences } from './schema/inline-references';
import { mendReferences } from './schema/mend-references';
import { neutralSchema, withoutTextNulls } from './schema/neutral-schema';
import { openaiStrictSchema } from './schema/openai-strict-schema';
import { isSameJson } from './schema/schema-nodes';

/** Enough for every schema known; one that never settles is hostile. */
const MOST_PASSES = 8;

/**
 * The schema of a tool as one provider takes it.
 *
 * In     any JSON Schema, also one by a stranger; it is not changed.
 * Out    an equal schema when there was nothing to change; sanitising it again changes nothing. What had to be left out is told in the
 *        description of its node.
 * Fails  never; a hostile depth or number of references is cut.
 * Source governance 2; the cases of kind `schema-sanitize`.
 */
export function sanitizeSchema(schema: Json, dialect: SchemaDialect): JsonSchema {
  return settled(schema, (given) => once(given, dialect)) as JsonSchema;
}

/** Passes over a schema until one changes nothing: what a pass took out may let the next one say more simply what is left. */
export function settled(schema: Json, pass: (given: Json) => Json): Json {
  let made = pass(schema);
  for (let passes = 1; passes < MOST_PASSES; passes++) {
    const next = pass(made);
    if (isSameJson(next, made)) break;
    made = next;
  }
  return made;
}

function once(schema: Json, dialect: SchemaDialect): Json {
  if (dialect === 'neutral') return mendReferences(neutralSchema(schema), schema);
  const given = withoutTextNulls(schema);
  const neutral = neutralSchema(given);
  if (dialect === 'gemini') return geminiSchema(flattenRoot(inlineReferences(neutral, given)));
  const flat = mendReferences(flattenRoot(neutral), given);
  if (dialect === 'openai-strict') return openaiStrictSchema(flat);
  return dialect === 'deepseek' ? deepseekSchema(flat) : flat;
}
