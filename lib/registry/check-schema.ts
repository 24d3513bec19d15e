import type { JsonSchema } from '@/lib/contracts/json-schema';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { isQuickPattern } from './schema/pattern-cost';

/** What a value does not keep of its schema. */
export interface SchemaFault {
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const mostFaults = 20;
const deepest = 300;
/** Schemas that are held against parts of a value: references may make a small schema stand for more than anybody can visit. */
const mostVisits = 500_000;
const tooLong = 'its schema takes too long to check';

type Check = (rule: Json, value: Json, at: Place) => void;

interface Place {
  readonly root: JsonSchema;
  readonly schema: JsonObject;
  readonly path: readonly (string | number)[];
  readonly faults: SchemaFault[];
  /** How many schemas stand around this one: a reference may lead back to itself. */
  readonly depth: number;
  readonly work: { left: number };
}

/**
 * Checks a value against a JSON schema that was not written here: of a server, of an extension.
 *
 * In     drafts 7 to 2020-12. Keywords that only describe are passed over, unknown ones too. Local `$ref`s only.
 * Out    at most 20 faults, none when the value keeps the schema. The value is not changed: defaults are not filled in.
 * Fails  never; a reference that leads nowhere, or nowhere but to itself, is a fault.
 */
export function checkSchema(schema: JsonSchema, value: Json): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  const work = { left: mostVisits };
  visit(schema as Json, value, { root: schema, schema: schema as JsonObject, path: [], faults, depth: 0, work });
  // What a `not` made of a check that was given up must not count as kept.
  return work.left < 0 ? [{ path: [], message: tooLong }] : faults;
}

function visit(schema: Json, value: Json, around: Place, ...steps: readonly (string | number)[]): void {
  const at = { ...around, path: [...around.path, ...steps], depth: around.depth + 1 };
  if (at.faults.length >= mostFaults || schema === true) return;
  if (schema === false) return fault({ ...at, schema: {} }, 'nothing may stand here');
  if (!isJsonObject(schema)) return;
  if (--at.work.left < 0) return fault({ ...at, schema }, tooLong);
  if (at.depth > deepest) return fault({ ...at, schema }, 'its schema is nested too deep, or leads back to itself');
  for (const key of Object.keys(schema)) {
    const check = checks.get(key);
    if (check !== undefined) check(schema[key] as Json, value, { ...at, schema });
  }
}

function fault(at: Place, message: string): void {
  if (at.faults.length < mostFaults) at.faults.push({ path: at.path, message });
}

/** True when the value keeps a schema; its faults are not told. */
function keeps(schema: Json, value: Json, at: Place): boolean {
  const faults: SchemaFault[] = [];
  visit(schema, value, { ...at, faults });
  return faults.length === 0;
}

const ofNumber =
  (holds: (value: number, limit: number) => boolean, words: string): Check =>
  (limit, value, at) => {
    if (typeof value === 'number' && typeof limit === 'number' && !holds(value, limit)) fault(at, `must be ${words} ${limit}`);
  };

const ofSize =
  (sizeOf: (value: Json) => number | undefined, holds: (size: number, limit: number) => boolean, words: string): Check =>
  (limit, value, at) => {
    const size = sizeOf(value);
    if (size !== undefined && typeof limit === 'number' && !holds(size, limit)) fault(at, `must have ${words} ${limit}, has ${size}`);
  };

const atLeast = (size: number, limit: number) => size >= limit;
const atMost = (size: number, limit: number) => size <= limit;
const characters = (value: Json) => (typeof value === 'string' ? [...value].length : undefined);
const items = (value: Json) => (Array.isArray(value) ? value.length : undefined);
const members = (value: Json) => (isJsonObject(value) ? Object.keys(value).length : undefined);
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'type',
    (type, value, at) => {
      const types = typeof type === 'string' ? [type] : list(type);
      if (types.length > 0 && !types.some((one) => isOfType(value, String(one)))) fault(at, `must be ${types.join(' or ')}, is ${nameOf(value)}`);
    },
  ],
  [
    'enum',
    (values, value, at) => {
      const text = canonicalJson(value);
      if (Array.isArray(values) && !values.some((one: Json) => canonicalJson(one) === text)) fault(at, `must be one of ${JSON.stringify(values)}`);
    },
  ],
  [
    'const',
    (only, value, at) => {
      if (canonicalJson(only) !== canonicalJson(value)) fault(at, `must be ${JSON.stringify(only)}`);
    },
  ],
  ['minimum', ofNumber(atLeast, 'at least')],
  ['maximum', ofNumber(atMost, 'at most')],
  ['exclusiveMinimum', ofNumber((value, limit) => value > limit, 'more than')],
  ['exclusiveMaximum', ofNumber((value, limit) => value < limit, 'less than')],
  ['multipleOf', ofNumber((value, step) => step <= 0 || isWhole(value / step), 'a multiple of')],
  ['minLength', ofSize(characters, atLeast, 'a length of at least')],
  ['maxLength', ofSize(characters, atMost, 'a length of at most')],
  ['minItems', ofSize(items, atLeast, 'a number of items of at least')],
  ['maxItems', ofSize(items, atMost, 'a number of items of at most')],
  ['minProperties', ofSize(members, atLeast, 'a number of fields of at least')],
  ['maxProperties', ofSize(members, atMost, 'a number of fields of at most')],
  [
    'pattern',
    (pattern, value, at) => {
      if (typeof value === 'string' && !fits(pattern, value)) fault(at, `must match ${String(pattern)}`);
    },
  ],
  [
    'uniqueItems',
    (unique, value, at) => {
      if (unique === true && Array.isArray(value) && new Set(value.map((item: Json) => canonicalJson(item))).size < value.length)
        fault(at, 'must not have the same item twice');
    },
  ],
  [
    'required',
    (required, value, at) => {
      if (!isJsonObject(value)) return;
      for (const key of list(required)) if (typeof key === 'string' && !Object.hasOwn(value, key)) fault({ ...at, path: [...at.path, key] }, 'is missing');
    },
  ],
  [
    'properties',
    (properties, value, at) => {
      if (!isJsonObject(value) || !isJsonObject(properties)) return;
      for (const key of Object.keys(properties)) if (Object.hasOwn(value, key)) visit(properties[key] as Json, value[key] as Json, at, key);
    },
  ],
  [
    'patternProperties',
    (patterns, value, at) => {
      if (!isJsonObject(value)) return;
      for (const [pattern, schema] of Object.entries(object(patterns)))
        for (const key of Object.keys(value)) if (fits(pattern, key)) visit(schema, value[key] as Json, at, key);
    },
  ],
  [
    'additionalProperties',
    (rest, value, at) => {
      if (!isJsonObject(value)) return;
      const properties = object(at.schema.properties);
      const patterns = Object.keys(object(at.schema.patternProperties));
      for (const key of Object.keys(value)) {
        if (Object.hasOwn(properties, key) || patterns.some((pattern) => fits(pattern, key))) continue;
        if (rest === false) fault({ ...at, path: [...at.path, key] }, 'is not a field of it');
        else visit(rest, value[key] as Json, at, key);
      }
    },
  ],
  [
    'propertyNames',
    (schema, value, at) => {
      if (isJsonObject(value)) for (const key of Object.keys(value)) visit(schema, key, at, key);
    },
  ],
  [
    'dependentRequired',
    (rules, value, at) => {
      if (!isJsonObject(value)) return;
      for (const [key, needed] of Object.entries(object(rules)))
        if (Object.hasOwn(value, key))
          for (const other of list(needed))
            if (typeof other === 'string' && !Object.hasOwn(value, other)) fault({ ...at, path: [...at.path, other] }, `is needed beside ${key}`);
    },
  ],
  [
    'prefixItems',
    (schemas, value, at) => {
      if (Array.isArray(value)) for (const [index, schema] of list(schemas).entries()) if (index < value.length) visit(schema, value[index] as Json, at, index);
    },
  ],
  [
    'items',
    (schema, value, at) => {
      if (!Array.isArray(value)) return;
      // A list of schemas is the older spelling of `prefixItems`.
      const from = Array.isArray(schema) ? 0 : list(at.schema.prefixItems).length;
      for (let index = from; index < value.length; index++) {
        const one = Array.isArray(schema) ? (schema[index] ?? at.schema.additionalItems ?? true) : schema;
        visit(one as Json, value[index] as Json, at, index);
      }
    },
  ],
  [
    'contains',
    (schema, value, at) => {
      if (!Array.isArray(value)) return;
      const count = value.filter((item: Json) => keeps(schema, item, at)).length;
      const least = typeof at.schema.minContains === 'number' ? at.schema.minContains : 1;
      const most = typeof at.schema.maxContains === 'number' ? at.schema.maxContains : Number.POSITIVE_INFINITY;
      if (count < least || count > most) fault(at, 'does not have the items that it must contain');
    },
  ],
  ['allOf', (schemas, value, at) => list(schemas).forEach((schema) => void visit(schema, value, at))],
  [
    'anyOf',
    (schemas, value, at) => {
      if (list(schemas).length > 0 && !list(schemas).some((schema) => keeps(schema, value, at))) fault(at, 'fits none of its alternatives');
    },
  ],
  [
    'oneOf',
    (schemas, value, at) => {
      const fitting = list(schemas).filter((schema) => keeps(schema, value, at)).length;
      if (list(schemas).length > 0 && fitting !== 1) fault(at, fitting === 0 ? 'fits none of its alternatives' : 'fits more than one of its alternatives');
    },
  ],
  [
    'not',
    (schema, value, at) => {
      if (keeps(schema, value, at)) fault(at, 'has a form that is excluded');
    },
  ],
  [
    'if',
    (condition, value, at) => {
      const branch = keeps(condition, value, at) ? at.schema.then : at.schema.else;
      if (branch !== undefined) visit(branch, value, at);
    },
  ],
  [
    '$ref',
    (ref, value, at) => {
      const target = typeof ref === 'string' ? lookUp(ref, at.root) : undefined;
      if (target === undefined) fault(at, `its schema refers to ${String(ref)}, which is not there`);
      else visit(target, value, at);
    },
  ],
]);

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  return nameOf(value) === type;
}

function nameOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Quotients of decimal fractions are off by a few units in the last place. */
function isWhole(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** A pattern that is no regular expression excludes nothing, nor does one that might never end: its server checks it too. */
function fits(pattern: Json, text: string): boolean {
  if (!isQuickPattern(String(pattern), text.length)) return true;
  try {
    return new RegExp(String(pattern), 'u').test(text);
  } catch {
    return true;
  }
}

function lookUp(ref: string, root: JsonSchema): Json | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let target: Json = root as Json;
  for (const step of ref.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key] as Json;
  }
  return target;
}
