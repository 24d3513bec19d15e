import type { Json } from '@/lib/shared/json';
import { inWords, tell } from './lift';
import { isSameJson, mapSchema, ownValue, type SchemaNode } from './schema-nodes';

const formats: ReadonlySet<Json | undefined> = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
/** An escaped bracket, or one among the characters of a class, begins no look-around. */
const lookAround = /^(?:[^\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*?\(\?(?:[=!]|<[=!])/s;

/** A neutral schema in the words of a provider that knows no `nullable`, few formats and no look-around. */
export function openaiStrictSchema(schema: Json): Json {
  return mapSchema(schema, (node) => {
    sayNull(node);
    if (isOfType(node, 'array') && !Object.hasOwn(node, 'items') && !Object.hasOwn(node, 'prefixItems')) node.items = {};
    const removed: string[] = [];
    const { format, pattern } = node;
    if (format !== undefined && !formats.has(format)) {
      removed.push(inWords('format', format));
      delete node.format;
    }
    if (typeof pattern === 'string' && lookAround.test(pattern)) {
      removed.push(inWords('pattern', pattern));
      delete node.pattern;
    }
    tell(node, removed);
    return node;
  });
}

/** True when the type is this one, or a list with it. */
export function isOfType(node: SchemaNode, type: string): boolean {
  const given = ownValue(node, 'type');
  return given === type || (Array.isArray(given) && (given as readonly Json[]).includes(type));
}

function sayNull(node: SchemaNode): void {
  if (node.nullable !== true) return;
  delete node.nullable;
  const { type } = node;
  const values = node.enum;
  if (Array.isArray(values)) node.enum = (values as readonly Json[]).includes(null) ? values : [...values, null];
  if (typeof type === 'string') {
    if (type !== 'null') node.type = [type, 'null'];
    return;
  }
  if (Array.isArray(type)) {
    if (!(type as readonly Json[]).includes('null')) node.type = [...type, 'null'];
    return;
  }
  const union = ['anyOf', 'oneOf'].find((key) => Array.isArray(node[key]));
  if (union !== undefined) {
    const members = node[union] as readonly Json[];
    if (!members.some((member) => isSameJson(member, { type: 'null' }))) node[union] = [...members, { type: 'null' }];
  } else if (Object.hasOwn(node, 'const') && !Array.isArray(values)) {
    node.enum = [node.const as Json, null];
    delete node.const;
  } else if (Object.hasOwn(node, '$ref')) {
    node.anyOf = [{ $ref: node.$ref as Json }, { type: 'null' }];
    delete node.$ref;
  }
}
