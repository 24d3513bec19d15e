import type { Json } from '@/lib/shared/json';
import { referenceTarget } from './reference-targets';
import { mapSchema, schemaNodes } from './schema-nodes';

const unionStep = /\/(?:anyOf|oneOf|allOf)\/\d+/g;

/**
 * Lets references to a member of a union point at the node that the member was lifted into.
 *
 * In     `schema` made of `original` by lifting.
 * Out    references that still lead somewhere, and those that never did, are as they were.
 */
export function mendReferences(schema: Json, original: Json): Json {
  const mended = new Map<string, string>();
  for (const node of schemaNodes(schema)) {
    const reference = Object.hasOwn(node, '$ref') ? node.$ref : undefined;
    if (typeof reference !== 'string' || mended.has(reference) || reference.search(unionStep) < 0) continue;
    if (referenceTarget(schema, reference) !== undefined || referenceTarget(original, reference) === undefined) continue;
    const found = shorter(reference).find((candidate) => referenceTarget(schema, candidate) !== undefined);
    if (found !== undefined) mended.set(reference, found);
  }
  if (mended.size === 0) return schema;
  return mapSchema(schema, (node) => {
    const found = Object.hasOwn(node, '$ref') ? mended.get(String(node.$ref)) : undefined;
    if (found !== undefined) node.$ref = found;
    return node;
  });
}

/** The reference without one step into a union, and without all of them. */
function shorter(reference: string): readonly string[] {
  const steps = [...reference.matchAll(unionStep)];
  const without = steps.map((step) => reference.slice(0, step.index) + reference.slice(step.index + step[0].length));
  return [...without, reference.replaceAll(unionStep, '')].map((pointer) => pointer.replace(/^#$|^$/, '#'));
}
