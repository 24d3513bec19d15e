import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

/** A schema of which this walk made its own copy: it may be changed. What lies in data positions is shared and never is. */
export type SchemaNode = Record<string, Json>;

type Position = 'one' | 'list' | 'map' | 'one or list';

/** Where schemas stand inside a schema. Everything else is data, above all default, enum, const and examples. */
const positions: ReadonlyMap<string, Position> = new Map<string, Position>([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map((key) => [key, 'map'] as const),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((key) => [key, 'list'] as const),
  // Before the draft of 2020 a list of schemas stood here, one a place.
  ['items', 'one or list'],
  ...['additionalProperties', 'additionalItems', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'].map(
    (key) => [key, 'one'] as const,
  ),
]);

/** A key such as `__proto__` becomes an own key, and nothing else. */
export function setKey(holder: object, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  else (holder as SchemaNode)[key] = value;
}

/** The value under an own key. */
export function ownValue(holder: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** A copy of one level; own keys stay own. */
export function copyOf(node: JsonObject): SchemaNode {
  return Object.fromEntries(Object.entries(node));
}

/** Where a value stands: under a key of an object, or at an index of a list. */
export interface Place {
  readonly holder: object;
  readonly key: string;
}

export function valueAt({ holder, key }: Place): Json {
  return (holder as SchemaNode)[key] as Json;
}

/**
 * The places of a node's children.
 *
 * In     a node that may be changed: lists and maps of schemas in it become copies of their own, so that what stands there may change too.
 */
export function childPlaces(node: SchemaNode): readonly Place[] {
  const found: Place[] = [];
  for (const key of Object.keys(node)) {
    const position = positions.get(key);
    if (position === undefined) continue;
    const child = node[key] as Json;
    if (Array.isArray(child) && (position === 'list' || position === 'one or list')) {
      const list = [...child];
      node[key] = list;
      for (const at of list.keys()) found.push({ holder: list, key: String(at) });
    } else if (isJsonObject(child) && position === 'map') {
      const map = copyOf(child);
      node[key] = map;
      for (const name of Object.keys(map)) found.push({ holder: map, key: name });
    } else if (isJsonObject(child) && position !== 'list') found.push({ holder: node, key });
  }
  return found;
}

/**
 * Rewrites a schema from its leaves up.
 *
 * In     `change` gets a copy of each node whose children are done, and answers what takes its place; true and false stay as they are.
 * Out    a new schema; `root` is not touched.
 * Order  without recursion, linear in the nodes: a hostile depth does not overflow.
 */
export function mapSchema(root: Json, change: (node: SchemaNode, isRoot: boolean) => Json): Json {
  const top: SchemaNode = { root };
  const found: Place[] = [];
  const open: Place[] = [{ holder: top, key: 'root' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const value = valueAt(place);
    if (!isJsonObject(value)) continue;
    const node = copyOf(value);
    setKey(place.holder, place.key, node);
    found.push(place);
    for (const child of childPlaces(node)) open.push(child);
  }
  for (const place of found.reverse()) setKey(place.holder, place.key, change(valueAt(place) as SchemaNode, place.holder === top));
  return top.root as Json;
}

/** Every node of a schema, the root first. */
export function* schemaNodes(root: Json): Iterable<JsonObject> {
  const open: Json[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isJsonObject(node)) continue;
    yield node;
    for (const place of childPlaces(copyOf(node))) open.push(valueAt(place));
  }
}

/** True for equal JSON values; the order of keys does not matter. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  const open: [Json | undefined, Json | undefined][] = [[one, other]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([(a as JsonObject)[key], (b as JsonObject)[key]]);
    }
  }
  return true;
}
