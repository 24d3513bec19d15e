import { describe, expect, it } from 'vitest';
import type { SchemaDialect } from '@/lib/contracts/provider';
import { sanitizeSchema } from '@/lib/registry/sanitize-schema';
import { schemaNodes } from '@/lib/registry/schema/schema-nodes';
import { strictToolSet } from '@/lib/registry/strict-tool-set';
import type { Json } from '@/lib/shared/json';

const property = (schema: Json, dialect: SchemaDialect): unknown => sanitizeSchema({ type: 'object', properties: { p: schema } }, dialect).properties?.p;
const sizeOf = (schema: unknown): number => [...schemaNodes(schema as Json)].length;

describe('cl-38 a null member of a union that carries an enum', () => {
  const union: Json = {
    anyOf: [
      { type: 'string', enum: ['a', 'b'] },
      { type: 'null', enum: ['a', 'b'] },
    ],
  };

  it('is sent to no strict provider as a null with texts', () => {
    expect([property(union, 'openai-strict'), property(union, 'deepseek'), property(union, 'gemini'), property(union, 'anthropic')]).toEqual([
      { type: ['string', 'null'], enum: ['a', 'b', null] },
      { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      { type: 'string', enum: ['a', 'b'], nullable: true },
      { type: 'string', enum: ['a', 'b'], nullable: true },
    ]);
  });

  it('nor where the union stays one, nor in a strict tool set', () => {
    const three: Json = { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null', enum: ['x', null] }] };
    expect(property(three, 'openai-strict')).toEqual({ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] });
    expect(strictToolSet([{ type: 'object', properties: { p: three } }])).toEqual({
      strict: true,
      schemas: [
        {
          type: 'object',
          properties: { p: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } },
          required: ['p'],
          additionalProperties: false,
        },
      ],
    });
  });
});

describe('a hostile schema', () => {
  it('may be nested twenty thousand levels deep', () => {
    let deep: Json = { type: 'string' };
    for (let level = 0; level < 20_000; level++) deep = { anyOf: [deep, { type: 'null' }] };
    expect(sanitizeSchema(deep, 'openai-strict')).toEqual({ type: ['string', 'null'] });
  });

  it('cannot grow without bound by references to references, and what is nearest to the root is written out', () => {
    const $defs: Record<string, Json> = { D0: { type: 'string' } };
    for (let level = 1; level <= 40; level++) {
      const $ref = `#/$defs/D${level - 1}`;
      $defs[`D${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } };
    }
    const sent = sanitizeSchema({ type: 'object', properties: { p: { $ref: '#/$defs/D40' } }, $defs }, 'gemini');
    expect(sizeOf(sent)).toBeLessThan(20_000);
    expect(sent.properties?.p?.properties?.a?.properties?.b?.type).toBe('object');
  });

  it('cannot grow by many references to the root either', () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, { $ref: '#' } as Json]));
    expect(sizeOf(sanitizeSchema({ type: 'object', properties }, 'gemini'))).toBeLessThan(20_000);
  });

  it('leads references in a circle to a bare object', () => {
    const $defs: Json = { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } };
    expect(property({ $ref: '#/$defs/A' }, 'gemini')).toEqual({ type: 'object' });
    expect(sanitizeSchema({ type: 'object', properties: { p: { $ref: '#/$defs/A', description: 'd' } }, $defs }, 'gemini').properties?.p).toEqual({
      type: 'object',
      description: 'd',
    });
  });
});

describe('references', () => {
  it('to a member that was lifted lead to where it is now', () => {
    const schema: Json = {
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'object', properties: { x: { type: 'string' } } }, { type: 'null' }] },
        b: { $ref: '#/properties/a/anyOf/0' },
        c: { $ref: '#/properties/a/anyOf/0/properties/x' },
        d: { $ref: '#/nowhere/anyOf/0' },
      },
    };
    const { a: _, ...others } = sanitizeSchema(schema, 'anthropic').properties ?? {};
    expect(others).toEqual({ b: { $ref: '#/properties/a' }, c: { $ref: '#/properties/a/properties/x' }, d: { $ref: '#/nowhere/anyOf/0' } });
    expect(sanitizeSchema(schema, 'gemini').properties?.c).toEqual({ type: 'string' });
  });

  it('may be escaped, percent-encoded, or an anchor', () => {
    const $defs: Json = { 'a/b~c': { type: 'string' }, 'd e': { type: 'integer' }, f: { $anchor: 'here', type: 'number' } };
    const schema: Json = {
      type: 'object',
      properties: { x: { $ref: '#/$defs/a~1b~0c' }, y: { $ref: '#/%24defs/d%20e' }, z: { $ref: '#here' }, w: { $ref: 'https://example.org/s.json' } },
      $defs,
    };
    expect(sanitizeSchema(schema, 'gemini')).toEqual({
      type: 'object',
      properties: { x: { type: 'string' }, y: { type: 'integer' }, z: { type: 'number' }, w: { type: 'object' } },
    });
  });

  it('at the root of a union are followed when it is flattened', () => {
    const schema: Json = {
      oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      $defs: {
        A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        B: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      },
    };
    const { properties, type, oneOf } = sanitizeSchema(schema, 'openai-strict');
    expect({ properties, type, oneOf }).toEqual({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: undefined });
  });
});

describe('what each provider knows', () => {
  it('null is said as the provider says it, whatever stands beside', () => {
    const union: Json = { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true };
    expect([property(union, 'openai-strict'), property(union, 'deepseek'), property({ $ref: '#', nullable: true }, 'deepseek')]).toEqual([
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    ]);
  });

  it('gemini: a list of types, each with what belongs to it', () => {
    expect([
      property({ type: ['string', 'null'] }, 'gemini'),
      property({ type: ['string', 'integer'] }, 'gemini'),
      property({ type: ['array', 'string'], items: { type: 'string' }, maxItems: 2 }, 'gemini'),
    ]).toEqual([
      { type: 'string', nullable: true },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 2 }, { type: 'string' }] },
    ]);
  });

  it('gemini: members of allOf become one, and one that contradicts is left out', () => {
    const all: Json = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], description: 'first' },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'], description: 'second' },
        { type: 'string' },
        { properties: { a: { type: 'integer' } } },
      ],
    };
    expect(property(all, 'gemini')).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
      description: 'first',
    });
  });

  it('gemini: formats by type, values of enums, and booleans in place of schemas', () => {
    const schema: Json = {
      type: 'object',
      properties: {
        when: { type: 'string', format: 'date-time' },
        size: { type: 'integer', format: 'int64' },
        odd: { type: 'integer', format: 'double' },
        maybe: { type: 'string', enum: ['a', null] },
        no: false,
        any: true,
      },
      required: ['when', 'no'],
    };
    expect(sanitizeSchema(schema, 'gemini')).toEqual({
      type: 'object',
      properties: {
        when: { type: 'string', format: 'date-time' },
        size: { type: 'integer', format: 'int64' },
        odd: { type: 'integer', description: '(format double)' },
        maybe: { type: 'string', enum: ['a'], nullable: true },
        any: {},
      },
      required: ['when'],
    });
  });

  it('says what it left out after the words that stood there', () => {
    expect(property({ type: 'string', description: 'A place.', format: 'iri', pattern: '^(?!\\d)' }, 'openai-strict')).toEqual({
      type: 'string',
      description: 'A place. (format iri; pattern ^(?!\\d))',
    });
  });

  it('a root union keeps the same property of two alternatives as one of both', () => {
    const sent = sanitizeSchema(
      {
        anyOf: [
          { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'string' } }, required: ['kind', 'x'] },
          { type: 'object', properties: { kind: { const: 'b' }, x: { type: 'string' } }, required: ['kind'] },
        ],
        description: 'Two ways.',
      },
      'anthropic',
    );
    expect(sent).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, x: { type: 'string' } },
      required: ['kind'],
      description: 'Two ways. (Give what one of these needs: kind and x; kind.)',
    });
  });
});
