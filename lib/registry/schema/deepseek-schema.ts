import { isJsonObject, type Json } from '@/lib/shared/json';
import { annotations, inWords, tell } from './lift';
import { isSameJson, mapSchema, type SchemaNode, setKey } from './schema-nodes';

const formats: ReadonlySet<Json | undefined> = new Set(['email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
const lengths = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;
/** What others refer to by its place in the root stays there. */
const definitions: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** A neutral schema in the words that DeepSeek's strict functions accept. */
export function deepseekSchema(schema: Json): Json {
  return mapSchema(schema, (node, isRoot) => {
    const removed: string[] = [];
    sayAnyOf(node, removed);
    if (node.format !== undefined && !formats.has(node.format)) {
      removed.push(inWords('format', node.format));
      delete node.format;
    }
    for (const key of lengths) {
      if (!Object.hasOwn(node, key)) continue;
      removed.push(inWords(key, node[key] as Json));
      delete node[key];
    }
    if (isRoot && node.type === undefined) node.type = 'object';
    tell(node, removed);
    return node.nullable === true ? orNull(node) : node;
  });
}

/** `oneOf` becomes `anyOf`; beside one that is there already it can only be told. */
export function sayAnyOf(node: SchemaNode, removed: string[]): void {
  if (!Object.hasOwn(node, 'oneOf')) return;
  if (Object.hasOwn(node, 'anyOf')) removed.push(inWords('oneOf', node.oneOf as Json));
  else node.anyOf = node.oneOf as Json;
  delete node.oneOf;
}

function orNull(node: SchemaNode): SchemaNode {
  delete node.nullable;
  const members = node.anyOf;
  if (Array.isArray(members)) {
    if (!members.some((member: Json) => isJsonObject(member) && isSameJson(member, { type: 'null' }))) node.anyOf = [...members, { type: 'null' }];
    return node;
  }
  const outside: SchemaNode = {};
  const inside: SchemaNode = {};
  for (const [key, value] of Object.entries(node)) setKey(annotations.has(key) || definitions.has(key) ? outside : inside, key, value);
  outside.anyOf = [inside, { type: 'null' }];
  return outside;
}
