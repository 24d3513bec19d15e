import { isJsonObject, type Json } from '@/lib/shared/json';
import { sayAnyOf } from './deepseek-schema';
import { fitsInto, inWords, liftInto, tell, without } from './lift';
import { pruneRequired } from './neutral-schema';
import { isSameJson, mapSchema, ownValue, type SchemaNode, setKey } from './schema-nodes';

/** What its function declarations know of a schema. */
const known: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'minItems', 'maxItems', 'properties', 'required', 'propertyOrdering'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'example', 'default', 'anyOf'],
]);

/** Keywords beyond those that limit what a value may be: they are told. All others only describe, or lay out the schema. */
const limiting: ReadonlySet<string> = new Set([
  ...['const', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'contains', 'minContains', 'maxContains', 'prefixItems', 'dependencies'],
  ...['patternProperties', 'dependentRequired', 'dependentSchemas', 'not', 'if', 'then', 'else'],
]);
/** These hold a schema that may let everything pass. */
const limitingOthers: ReadonlySet<string> = new Set(['additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames']);

const formatsOf: Readonly<Record<string, readonly Json[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** Keywords that this provider takes beside one type only. */
const boundTo: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'propertyOrdering', 'minProperties', 'maxProperties'],
};

/** A neutral schema without references in the words of Gemini's function declarations. */
export function geminiSchema(schema: Json): Json {
  return mapSchema(schema, geminiNode);
}

function geminiNode(given: SchemaNode): SchemaNode {
  const removed: string[] = [];
  const node = joinAll(given);
  sayAnyOf(node, removed);
  splitTypes(node);
  sayEnum(node, removed);
  dropBooleans(node, removed);
  if (node.type === 'array' && !Object.hasOwn(node, 'items')) node.items = {};
  if (Object.hasOwn(node, 'format') && !(formatsOf[String(node.type)] ?? []).includes(node.format as Json)) {
    removed.push(inWords('format', node.format as Json));
    delete node.format;
  }
  const kept: SchemaNode = {};
  for (const [key, value] of Object.entries(node)) {
    if (known.has(key)) setKey(kept, key, value);
    else if (limits(key, value)) removed.push(inWords(key, value));
  }
  if (isEmptyObject(kept.properties)) delete kept.properties;
  pruneRequired(kept);
  tell(kept, removed);
  return kept;
}

/** Members of `allOf` are said in the node itself, one after the other; one that contradicts is left out. */
function joinAll(given: SchemaNode): SchemaNode {
  const members = ownValue(given, 'allOf');
  if (!Array.isArray(members)) return given;
  const node = without(given, 'allOf');
  for (const member of members as readonly Json[]) {
    if (!isJsonObject(member)) continue;
    const properties = bothOf(ownValue(node, 'properties'), ownValue(member, 'properties'));
    const rest = without(member, 'properties', 'required');
    if (properties === undefined || !fitsInto(node, rest)) continue;
    const required = [node.required, member.required].flatMap((names) => (Array.isArray(names) ? (names as readonly Json[]) : []));
    liftInto(node, rest);
    if (Object.keys(properties).length > 0 || Object.hasOwn(member, 'properties')) node.properties = properties;
    if (required.length > 0) node.required = [...new Set(required)];
  }
  return node;
}

/** The properties of both; undefined when they say different things of one. */
function bothOf(one: Json | undefined, other: Json | undefined): SchemaNode | undefined {
  const joined: SchemaNode = isJsonObject(one) ? { ...one } : {};
  if (!isJsonObject(other)) return joined;
  for (const [name, schema] of Object.entries(other)) {
    const before = ownValue(joined, name);
    if (before !== undefined && !isSameJson(before, schema)) return undefined;
    setKey(joined, name, schema);
  }
  return joined;
}

function splitTypes(node: SchemaNode): void {
  if (!Array.isArray(node.type)) return;
  const types = node.type as readonly Json[];
  const real = types.filter((type) => type !== 'null');
  if (real.length < types.length) node.nullable = true;
  delete node.type;
  if (real.length === 1) node.type = real[0] as Json;
  // A union that is there already says more than a list of types.
  if (real.length < 2 || Object.hasOwn(node, 'anyOf')) return;
  node.anyOf = real.map((type) => {
    const member: SchemaNode = { type };
    for (const key of boundTo[String(type)] ?? []) {
      if (!Object.hasOwn(node, key)) continue;
      member[key] = node[key] as Json;
      delete node[key];
    }
    if (type === 'array' && !Object.hasOwn(member, 'items')) member.items = {};
    return member;
  });
}

function sayEnum(node: SchemaNode, removed: string[]): void {
  if (typeof node.const === 'string') {
    node.enum = [node.const];
    if (node.type === undefined) node.type = 'string';
    delete node.const;
  }
  if (!Array.isArray(node.enum)) return;
  const values = node.enum as readonly Json[];
  const real = values.filter((value) => value !== null);
  if (real.length < values.length) node.nullable = true;
  if (real.length > 0 && real.every((value) => typeof value === 'string')) {
    node.enum = real;
    return;
  }
  if (real.length > 0) removed.push(inWords('enum', real));
  delete node.enum;
}

/** True and false are no schemas here, nor is a list of schemas for `items`. */
function dropBooleans(node: SchemaNode, removed: string[]): void {
  const { properties, items, anyOf } = node;
  if (isJsonObject(properties))
    node.properties = Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) => (schema === false ? [] : [[name, schema === true ? {} : schema]])),
    );
  if (items !== undefined && !isJsonObject(items)) {
    if (items !== true) removed.push(inWords('items', items));
    node.items = {};
  }
  if (Array.isArray(anyOf)) {
    const schemas = (anyOf as readonly Json[]).flatMap((member) => (isJsonObject(member) ? [member] : member === true ? [{}] : []));
    if (schemas.length > 0) node.anyOf = schemas;
    else delete node.anyOf;
  }
}

function limits(key: string, value: Json): boolean {
  if (key === 'uniqueItems') return value === true;
  return limitingOthers.has(key) ? value !== true && !isEmptyObject(value) : limiting.has(key);
}

function isEmptyObject(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
