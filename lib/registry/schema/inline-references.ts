import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { annotations, without } from './lift';
import { neutralSchema } from './neutral-schema';
import { createReferenceTargets } from './reference-targets';
import { childPlaces, copyOf, mapSchema, type Place, type SchemaNode, schemaNodes, setKey, valueAt } from './schema-nodes';

const MOST_RECURSIVE = 4;
/** A few lines of definitions can stand for millions of nodes; after so many copied ones the rest is cut like a recursion. */
const MOST_COPIED = 5_000;

interface OpenPlace extends Place {
  /** Recursive references written out on the way to it. */
  readonly recursions: number;
}

/**
 * Writes out every reference of a neutral schema, for a provider that has none.
 *
 * In     `original`: the schema as it was given; references mean places in it.
 * Out    no `$ref`, `$defs` or `definitions`. Along one path four recursive references are written out; the next one, one that points
 *        nowhere, and any that would copy more than 5,000 nodes in all, becomes `{type: 'object'}`.
 * Order  the references nearest to the root are written out first.
 */
export function inlineReferences(schema: Json, original: Json): Json {
  const targets = createReferenceTargets(original);
  const copies = new Map<string, Json>();
  let copied = 0;

  const copyFor = (reference: string): Json => {
    const found = targets.find(reference);
    if (found === undefined || copied > MOST_COPIED) return { type: 'object' };
    const copy = copies.get(reference) ?? withoutDefinitions(neutralSchema(found));
    copies.set(reference, copy);
    for (const _ of schemaNodes(copy)) copied++;
    return copied > MOST_COPIED ? { type: 'object' } : copy;
  };

  const top: SchemaNode = { root: withoutDefinitions(schema) };
  let level: readonly OpenPlace[] = [{ holder: top, key: 'root', recursions: 0 }];
  while (level.length > 0) {
    const next: OpenPlace[] = [];
    for (const place of level) {
      let { recursions } = place;
      let node = valueAt(place);
      while (isJsonObject(node) && Object.hasOwn(node, '$ref')) {
        const reference = typeof node.$ref === 'string' ? node.$ref : '';
        const isCut = targets.isRecursive(reference) && ++recursions > MOST_RECURSIVE;
        node = merged(without(node, '$ref'), isCut ? { type: 'object' } : copyFor(reference));
      }
      if (isJsonObject(node)) {
        const own = copyOf(node);
        for (const child of childPlaces(own)) next.push({ ...child, recursions });
        node = own;
      }
      setKey(place.holder, place.key, node);
    }
    level = next;
  }
  return top.root as Json;
}

function withoutDefinitions(schema: Json): Json {
  return mapSchema(schema, (node) => without(node, '$defs', 'definitions'));
}

/** What stands beside a reference is kept; where both speak, words beside it win, and for all else the target. */
function merged(beside: SchemaNode, target: Json): Json {
  if (target === true) return beside;
  if (!isJsonObject(target)) return target;
  const words: JsonObject = Object.fromEntries(Object.entries(beside).filter(([key]) => annotations.has(key)));
  return { ...beside, ...target, ...words };
}
