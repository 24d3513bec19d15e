import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@/lib/contracts/json-schema';
import { checkSchema } from '@/lib/registry/check-schema';
import type { Json } from '@/lib/shared/json';

/** What the check says, a line a fault. */
const faults = (schema: JsonSchema, value: Json) => checkSchema(schema, value).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('a schema that was not written here', () => {
  it('is kept or not, with the place of each fault', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['path'],
      additionalProperties: false,
      properties: {
        path: { type: 'string', minLength: 1, pattern: '^src/' },
        limit: { type: 'integer', minimum: 1, maximum: 9 },
        edits: { type: 'array', minItems: 1, items: { type: 'object', required: ['search'], properties: { search: { type: 'string' } } } },
      },
    };
    expect(faults(schema, { path: 'src/a', limit: 3, edits: [{ search: 'x' }] })).toEqual([]);
    expect(faults(schema, { path: 'a', limit: 1.5, edits: [{}], more: true })).toEqual([
      'more: is not a field of it',
      'path: must match ^src/',
      'limit: must be integer, is number',
      'edits.0.search: is missing',
    ]);
    expect(faults(schema, [])).toEqual(['must be object, is array'].map((message) => `: ${message}`));
  });

  it.each([
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 3],
    [{ oneOf: [{ minimum: 1 }, { minimum: 5 }] }, 2, 6],
    [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'ab', 'a'],
    [{ not: { type: 'string' } }, 1, 'a'],
    [JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'), { c: 1 }, { a: 1 }],
    [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
    [{ enum: ['a', 1, null] }, 1, 'b'],
    [{ type: ['integer', 'null'] }, 1.0, 1.5],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [
      { uniqueItems: true },
      [1, '1'],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, ['a', 1], ['a', 'b']],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a'], ['a', 1]],
    [{ contains: { type: 'integer' }, maxContains: 1 }, ['a', 1], [1, 2]],
    [{ patternProperties: { '^x': { type: 'integer' } }, additionalProperties: { type: 'string' } }, { xa: 1, b: 'c' }, { b: 1 }],
    [{ propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    [{ minProperties: 1 }, { a: 1 }, {}],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2, 3],
    [{ maxLength: 1 }, '😀', '😀a'],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'x', 1],
    [true, 1, undefined],
    [false, undefined, 1],
  ] as [JsonSchema, Json | undefined, Json | undefined][])('%j takes %j and not %j', (schema, good, bad) => {
    if (good !== undefined) expect(faults(schema, good)).toEqual([]);
    if (bad !== undefined) expect(faults(schema, bad).length).toBe(1);
  });

  it('leaves names of object members alone', () => {
    const schema: JsonSchema = { type: 'object', required: ['constructor'], properties: { constructor: { type: 'string' }, toString: { type: 'string' } } };
    expect(faults(schema, {})).toEqual(['constructor: is missing']);
    expect(faults(schema, { constructor: 'x' })).toEqual([]);
    expect(faults({ additionalProperties: { type: 'string' } }, JSON.parse('{"__proto__":1}'))).toEqual(['__proto__: must be string, is number']);
  });

  it('ends where a reference leads to itself or nowhere', () => {
    expect(faults({ $ref: '#' }, 1)).toEqual([': its schema is nested too deep, or leads back to itself']);
    expect(faults({ $ref: '#/$defs/gone' }, 1)).toEqual([': its schema refers to #/$defs/gone, which is not there']);
    const list: JsonSchema = { type: 'object', properties: { next: { $ref: '#' }, value: { type: 'integer' } } };
    expect(faults(list, { value: 1, next: { value: 2, next: { value: 'x' } } })).toEqual(['next.next.value: must be integer, is string']);
  });
});
