import type { Json } from '@/lib/shared/json';
import { ownValue, schemaNodes } from './schema-nodes';

/** Following every reference of a hostile schema could take for ever; after so many nodes all of them count as recursive. */
const MOST_LOOKED_AT = 200_000;

export interface ReferenceTargets {
  /** The part of the schema that a reference points at; undefined = nowhere inside it. */
  find(reference: string): Json | undefined;
  /** Following references from its target leads back to it. */
  isRecursive(reference: string): boolean;
}

/**
 * What the references of one schema point at.
 *
 * In     references as `#`, `#/…` (a JSON pointer, also percent-encoded) and `#name` of an `$anchor`.
 */
export function createReferenceTargets(schema: Json): ReferenceTargets {
  let lookedAt = 0;
  const inside = new Map<string, readonly string[]>();
  const recursive = new Map<string, boolean>();
  const targets = new Map<string, Json | undefined>();

  const find = (reference: string): Json | undefined => {
    if (!targets.has(reference)) targets.set(reference, referenceTarget(schema, reference));
    return targets.get(reference);
  };

  const referencesIn = (reference: string): readonly string[] => {
    const known = inside.get(reference);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const node of schemaNodes(find(reference) ?? null)) {
      if (++lookedAt > MOST_LOOKED_AT) break;
      const next = ownValue(node, '$ref');
      if (typeof next === 'string') found.add(next);
    }
    inside.set(reference, [...found]);
    return [...found];
  };

  const leadsBack = (reference: string): boolean => {
    const goal = placeOf(reference);
    const seen = new Set<string>();
    const open = [...referencesIn(reference)];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (++lookedAt > MOST_LOOKED_AT || placeOf(next) === goal) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...referencesIn(next));
    }
    return false;
  };

  return {
    find,
    isRecursive(reference) {
      const known = recursive.get(reference) ?? leadsBack(reference);
      recursive.set(reference, known);
      return known;
    },
  };
}

/** The part of a schema that a reference points at; undefined = nowhere inside it. */
export function referenceTarget(schema: Json, reference: string): Json | undefined {
  const keys = keysOf(reference);
  if (keys === undefined) {
    for (const node of schemaNodes(schema)) if (ownValue(node, '$anchor') === reference.slice(1)) return node;
    return undefined;
  }
  let found: Json | undefined = schema;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, Json>>)[key];
  }
  return typeof found === 'boolean' || (typeof found === 'object' && found !== null && !Array.isArray(found)) ? found : undefined;
}

/** The keys of a JSON pointer; undefined for a name. */
function keysOf(reference: string): readonly string[] | undefined {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return undefined;
  let pointer = reference.slice(2);
  try {
    pointer = decodeURIComponent(pointer);
  } catch {
    // A lone % is itself.
  }
  return pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function placeOf(reference: string): string {
  return JSON.stringify(keysOf(reference) ?? reference);
}
