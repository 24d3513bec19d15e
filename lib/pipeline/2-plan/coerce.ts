import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { Repair } from '@/lib/contracts/plan';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { lossless } from './lossless-number';
import { repairArguments } from './repair-arguments';

export interface Coerced {
  readonly value: Json;
  readonly repairs: readonly Repair[];
}

/**
 * Turns values into the type that the schema declares, only where it says so and nothing is lost.
 *
 * In     `value` as parsed; `schema` of the whole input. Local `$ref`s are followed.
 * Out    the value (the same one when nothing changed) and the repairs, in the order of the schema's properties, depth
 *        first: `decode`, `decode:FIELD`, `coerce:FIELD`, `wrap:FIELD`, FIELD being the path with dots.
 * Fails  never; what does not fit stays for validation to refuse.
 * Source governance 5.
 */
export function coerce(value: Json, schema: JsonSchema): Coerced {
  const repairs: Repair[] = [];
  const coerced = visit(value, schema, '', { root: schema, repairs });
  return { value: coerced, repairs };
}

interface Visit {
  readonly root: JsonSchema;
  readonly repairs: Repair[];
}

function visit(value: Json, declared: JsonSchema, path: string, at: Visit): Json {
  const schema = chooseBranch(value, follow(declared, at.root), at.root);
  const types = typesOf(schema);
  if (types.size === 0) return value;
  const mended = types.has(typeOf(value)) || (types.has('number') && typeof value === 'number') ? value : mend(value, types, schema, path, at);
  if (isJsonObject(mended)) return visitMembers(mended, schema, path, at);
  if (Array.isArray(mended) && isSchema(schema.items)) {
    const items = schema.items;
    const next = mended.map((item: Json, index) => visit(item, items, join(path, String(index)), at));
    return next.some((item, index) => item !== mended[index]) ? next : mended;
  }
  return mended;
}

function visitMembers(value: JsonObject, schema: JsonSchema, path: string, at: Visit): JsonObject {
  const properties = isSchema(schema.properties) ? (schema.properties as Readonly<Record<string, JsonSchema>>) : {};
  let changed: Map<string, Json> | undefined;
  const see = (key: string, declared: unknown) => {
    if (!isSchema(declared)) return;
    const before = value[key] as Json;
    const after = visit(before, declared, join(path, key), at);
    if (after === before) return;
    changed ??= new Map();
    changed.set(key, after);
  };
  for (const key of Object.keys(properties)) if (Object.hasOwn(value, key)) see(key, properties[key]);
  if (isSchema(schema.additionalProperties)) for (const key of Object.keys(value)) if (!Object.hasOwn(properties, key)) see(key, schema.additionalProperties);
  const mended = changed as Map<string, Json> | undefined;
  if (mended === undefined) return value;
  // fromEntries defines own members, so that a key like __proto__ stays data.
  return Object.fromEntries(Object.keys(value).map((key) => [key, mended.has(key) ? (mended.get(key) as Json) : (value[key] as Json)]));
}

function mend(value: Json, types: ReadonlySet<string>, schema: JsonSchema, path: string, at: Visit): Json {
  const where = path === '' ? 'the arguments' : path;
  const note = (kind: 'decode' | 'coerce' | 'wrap', words: string) => {
    at.repairs.push({ kind: 'coercion', rung: path === '' ? kind : `${kind}:${path}`, note: `${where} ${words}` });
  };
  if (typeof value === 'string') {
    if (types.has('object') || types.has('array')) {
      const inner = repairArguments(value, 'strict_only');
      if (inner.ok && ((types.has('object') && isJsonObject(inner.value)) || (types.has('array') && Array.isArray(inner.value)))) {
        note('decode', 'came as JSON inside a text and was decoded once');
        return inner.value;
      }
    }
    const plain = plainValue(value, types);
    if (plain !== undefined && path !== '') {
      note('coerce', `came as text and was read as ${String(plain)}`);
      return plain;
    }
  }
  if (types.has('array') && path !== '' && isSchema(schema.items)) {
    const itemTypes = typesOf(follow(schema.items, at.root));
    if (itemTypes.has(typeOf(value)) || (itemTypes.has('number') && typeof value === 'number')) {
      note('wrap', 'came as a single value and was put into a list');
      return [value];
    }
  }
  return value;
}

function plainValue(text: string, types: ReadonlySet<string>): number | boolean | undefined {
  if (types.has('integer') && /^-?(?:0|[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text) + 0;
  if (types.has('number')) {
    const number = lossless(text);
    if (number !== undefined) return number;
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return undefined;
}

/** Of alternatives, the one whose type the value has already, else the only one that is not null. */
function chooseBranch(value: Json, schema: JsonSchema, root: JsonSchema): JsonSchema {
  const listed = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (listed === undefined || schema.type !== undefined) return schema;
  const branches = listed.filter(isSchema).map((branch) => follow(branch, root));
  const fitting = branches.find((branch) => typesOf(branch).has(typeOf(value)) || (typeof value === 'number' && typesOf(branch).has('number')));
  if (fitting !== undefined) return fitting;
  const others = branches.filter((branch) => !(typesOf(branch).size === 1 && typesOf(branch).has('null')));
  return others.length === 1 ? (others[0] as JsonSchema) : {};
}

function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; hops < 16 && typeof current.$ref === 'string' && current.$ref.startsWith('#'); hops++) {
    let target: unknown = root;
    for (const step of current.$ref.split('/').slice(1)) {
      const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      target = typeof target === 'object' && target !== null && Object.hasOwn(target, key) ? (target as Record<string, unknown>)[key] : undefined;
    }
    if (!isSchema(target)) return {};
    current = target;
  }
  return current;
}

/** Schemas are made once and asked for every call. */
const knownTypes = new WeakMap<JsonSchema, ReadonlySet<string>>();

function typesOf(schema: JsonSchema): ReadonlySet<string> {
  let types = knownTypes.get(schema);
  if (types === undefined) {
    types = readTypes(schema);
    knownTypes.set(schema, types);
  }
  return types;
}

function readTypes(schema: JsonSchema): ReadonlySet<string> {
  if (typeof schema.type === 'string') return new Set([schema.type]);
  if (Array.isArray(schema.type)) return new Set(schema.type.filter((type) => typeof type === 'string'));
  if (isSchema(schema.properties)) return new Set(['object']);
  return isSchema(schema.items) ? new Set(['array']) : new Set();
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
