import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { without } from './lift';
import { neutralNode } from './neutral-schema';
import { copyOf, isSameJson, ownValue, type SchemaNode, setKey } from './schema-nodes';

const unions = ['anyOf', 'oneOf'] as const;

/**
 * Takes the unions off a root, for a provider that wants a plain object there.
 *
 * In     a neutral schema.
 * Out    one object with the properties of all alternatives; what each of them requires is told in the description. A root whose
 *        alternatives are no objects, and `true` and `false`, stay as they are; `$schema` goes.
 */
export function flattenRoot(root: Json): Json {
  if (!isJsonObject(root)) return root;
  let node: SchemaNode = without(root, '$schema');
  for (const key of unions) {
    const alternatives = alternativesOf(ownValue(node, key), root);
    if (alternatives === undefined) continue;
    const flat = flattened(without(node, key), alternatives);
    node = neutralNode(flat);
  }
  return node;
}

/** The objects behind a union, nested ones too; undefined where one of them is none. */
function alternativesOf(union: Json | undefined, root: JsonObject): readonly JsonObject[] | undefined {
  if (!Array.isArray(union) || union.length === 0) return undefined;
  const found: JsonObject[] = [];
  const open: Json[] = [...(union as readonly Json[])].reverse();
  // A definition that leads to itself is followed no longer than this.
  for (let steps = 0; open.length > 0; steps++) {
    const member = open.pop() as Json;
    if (!isJsonObject(member) || steps > 10_000) return undefined;
    const target = resolved(member, root);
    const nested = unions.map((key) => ownValue(target, key)).find(Array.isArray);
    const type = ownValue(target, 'type');
    if (type !== undefined && type !== 'object') return undefined;
    if (nested !== undefined && !Object.hasOwn(target, 'properties') && !Object.hasOwn(target, 'required'))
      open.push(...[...(nested as readonly Json[])].reverse());
    else if (Object.hasOwn(target, '$ref')) return undefined;
    else found.push(target);
  }
  return found;
}

/** What a reference to a definition of the root means; anything else is itself. */
function resolved(member: JsonObject, root: JsonObject): JsonObject {
  const reference = ownValue(member, '$ref');
  const path = typeof reference === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) : null;
  const definitions = path === null ? undefined : ownValue(root, path[1] as string);
  const name = path?.[2]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '';
  const target = isJsonObject(definitions) ? ownValue(definitions, name) : undefined;
  return isJsonObject(target) ? { ...copyOf(target), ...without(member, '$ref') } : member;
}

function flattened(node: SchemaNode, alternatives: readonly JsonObject[]): SchemaNode {
  const seen = new Map<string, Json[]>();
  for (const one of [node, ...alternatives]) {
    const properties = ownValue(one, 'properties');
    for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const schemas = seen.get(name) ?? [];
      if (!schemas.some((other) => isSameJson(other, schema))) schemas.push(schema);
      seen.set(name, schemas);
    }
  }
  const properties: SchemaNode = {};
  for (const [name, schemas] of seen) setKey(properties, name, schemas.length === 1 ? (schemas[0] as Json) : neutralNode({ anyOf: schemas }));
  const requiredOf = (one: JsonObject): readonly string[] => {
    const names = ownValue(one, 'required');
    return Array.isArray(names) ? (names as readonly Json[]).filter((name) => typeof name === 'string') : [];
  };
  const [first, ...others] = alternatives.map(requiredOf);
  const byAll = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  const words = alternatives.map((one) => {
    const names = requiredOf(one);
    const title = ownValue(one, 'title');
    return (typeof title === 'string' ? `${title}: ` : '') + (names.length === 0 ? 'nothing more' : names.join(' and '));
  });
  const before = ownValue(node, 'description');
  return {
    ...node,
    type: 'object',
    properties,
    required: [...new Set([...requiredOf(node), ...byAll])],
    description: `${typeof before === 'string' && before !== '' ? `${before} ` : ''}(Give what one of these needs: ${words.join('; ')}.)`,
  };
}
