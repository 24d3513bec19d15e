import type { JsonSchema } from '@/lib/contracts/json-schema';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { settled } from './sanitize-schema';
import { mendReferences } from './schema/mend-references';
import { neutralSchema, withoutTextNulls } from './schema/neutral-schema';
import { isOfType } from './schema/openai-strict-schema';
import { mapSchema, ownValue, schemaNodes } from './schema/schema-nodes';

/** The schemas of a whole tool set as they are sent, and whether they may be called strict. */
export interface StrictToolSet {
  readonly strict: boolean;
  readonly schemas: readonly JsonSchema[];
}

/**
 * Prepares a whole tool set for a provider's strict mode, in which a call is made to fit its schema.
 *
 * Out    strict: every object closed and all its properties required. One tool that cannot be said so (a union at its root, `oneOf` or
 *        `allOf` anywhere) switches strict off for all, and the neutral schemas are sent.
 */
export function strictToolSet(schemas: readonly Json[]): StrictToolSet {
  const neutral = schemas.map((schema) => settled(schema, (given) => mendReferences(neutralSchema(withoutTextNulls(given)), given)));
  const strict = neutral.every(canBeStrict);
  return { strict, schemas: (strict ? neutral.map(closed) : neutral) as readonly JsonSchema[] };
}

function canBeStrict(schema: Json): boolean {
  if (isJsonObject(schema) && Object.hasOwn(schema, 'anyOf')) return false;
  for (const node of schemaNodes(schema)) if (Object.hasOwn(node, 'oneOf') || Object.hasOwn(node, 'allOf')) return false;
  return true;
}

function closed(schema: Json): Json {
  return mapSchema(schema, (node) => {
    for (const key of ['patternProperties', 'minLength', 'maxLength', 'minItems', 'maxItems']) delete node[key];
    if (!isOfType(node, 'object')) return node;
    const properties = ownValue(node, 'properties');
    node.additionalProperties = false;
    node.required = isJsonObject(properties) ? Object.keys(properties).sort() : [];
    return node;
  });
}
