import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SchemaDialect } from '@/lib/contracts/provider';
import { sanitizeSchema } from '@/lib/registry/sanitize-schema';
import { schemaNodes } from '@/lib/registry/schema/schema-nodes';
import { strictToolSet } from '@/lib/registry/strict-tool-set';
import type { Json } from '@/lib/shared/json';

const dialects: readonly SchemaDialect[] = ['neutral', 'anthropic', 'openai-strict', 'gemini', 'deepseek'];

const data = fc.constantFrom<Json>(null, true, 1, 'a', ['a', null], { type: 'object', required: ['x'], anyOf: [] });
const name = fc.constantFrom('a', 'b', 'type', 'required', '__proto__', 'constructor', 'anyOf');
const reference = fc.constantFrom('#', '#/$defs/A', '#/$defs/B', '#/properties/a', '#/properties/a/anyOf/0', '#/nowhere', 'other.json');

const leaf = fc.constantFrom<Json>(true, false, {}, { type: 'null' }, { not: {} }, { type: 'string' }, { type: 'null', enum: ['a'] }, { $ref: '#/$defs/A' });
const keyword = <Value>(key: string, value: fc.Arbitrary<Value>) => value.map((one) => [key, one as unknown] as const);

/** Schemas as strangers write them: right ones, odd ones, and what is no schema where one should stand; a few keywords a node. */
function schemaOf(depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return leaf;
  const inner = schemaOf(depth - 1);
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const map = fc
    .array(fc.tuple(name, fc.oneof({ weight: 9, arbitrary: inner }, { weight: 1, arbitrary: data })), { maxLength: 3 })
    .map((entries): Json => Object.fromEntries(entries));
  const types = fc.constantFrom<Json>('object', 'array', 'string', 'integer', 'null', ['string', 'null'], ['string', 'integer'], ['array', 'object', 'null']);
  const keywords = fc.oneof(
    { weight: 5, arbitrary: keyword('type', types) },
    { weight: 4, arbitrary: keyword('properties', map) },
    { weight: 3, arbitrary: keyword('required', fc.constantFrom<Json>(['a'], ['a', 'b', 1, null], [], true)) },
    { weight: 4, arbitrary: keyword('anyOf', list) },
    { weight: 2, arbitrary: keyword('oneOf', list) },
    { weight: 2, arbitrary: keyword('allOf', list) },
    { weight: 2, arbitrary: keyword('$ref', reference) },
    { weight: 2, arbitrary: keyword('$defs', fc.record({ A: inner, B: inner })) },
    { weight: 2, arbitrary: keyword('enum', fc.constantFrom<Json>(['a', 'b'], [1, 2], [null], ['a', null], [])) },
    keyword('items', fc.oneof(inner, list)),
    keyword('additionalProperties', inner),
    keyword('not', inner),
    keyword('const', fc.constantFrom<Json>('a', 1, null)),
    keyword('nullable', fc.boolean()),
    keyword('format', fc.constantFrom('date-time', 'email', 'int32', 'iri', 'enum')),
    keyword('pattern', fc.constantFrom('^x', '(?=x)')),
    keyword('minLength', fc.constantFrom(1, 2)),
    keyword('minItems', fc.constant(1)),
    keyword('exclusiveMinimum', fc.constantFrom(0, 1)),
    keyword('description', fc.constantFrom('', 'words', 'other words')),
    keyword('title', fc.constant('T')),
    keyword('default', data),
    keyword('examples', data),
    keyword('$schema', fc.constant('https://json-schema.org/draft/2020-12/schema')),
  );
  return fc.oneof({ weight: 1, arbitrary: leaf }, { weight: 5, arbitrary: fc.array(keywords, { maxLength: 4 }).map((all) => Object.fromEntries(all) as Json) });
}
const schema = schemaOf(3);

const nodesOf = (sent: unknown): readonly Readonly<Record<string, Json>>[] => [...schemaNodes(sent as Json)];

describe.each(dialects)('any schema, in the dialect %s', (dialect) => {
  it('is not changed itself, and what is sent stays as it is when it is sanitised again', () => {
    fc.assert(
      fc.property(schema, (given) => {
        const before = JSON.stringify(given);
        const sent = sanitizeSchema(given, dialect);
        expect(JSON.stringify(given)).toBe(before);
        expect(sanitizeSchema(sent as Json, dialect)).toEqual(sent);
      }),
      { numRuns: 1000 },
    );
  });

  it('names no required property that is not there', () => {
    fc.assert(
      fc.property(schema, (given) => {
        for (const node of nodesOf(sanitizeSchema(given, dialect))) {
          if (node.type !== 'object' || node.required === undefined) continue;
          expect((node.required as readonly string[]).filter((one) => !Object.hasOwn((node.properties ?? {}) as object, one))).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it('no schema makes a strict provider see a text on a null, a null it does not know, or a keyword that it refuses', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    'openai-strict': [],
    deepseek: ['oneOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
    gemini: ['oneOf', 'allOf', '$ref', '$defs', 'const', 'additionalProperties', 'not', 'exclusiveMinimum', '$schema'],
  };
  fc.assert(
    fc.property(schema, fc.constantFrom<SchemaDialect>('openai-strict', 'deepseek', 'gemini'), (given, dialect) => {
      for (const node of nodesOf(sanitizeSchema(given, dialect))) {
        expect((refused[dialect] ?? []).filter((key) => Object.hasOwn(node, key))).toEqual([]);
        if (dialect !== 'gemini') expect(node.nullable).not.toBe(true);
        if (node.type === 'null' && dialect !== 'gemini')
          expect((node.enum as readonly Json[] | undefined)?.some((value) => value !== null) ?? false).toBe(false);
      }
    }),
    { numRuns: 1000 },
  );
});

it('a whole tool set is strict as one, and the same when it is prepared again', () => {
  fc.assert(
    fc.property(fc.array(schema, { maxLength: 3 }), (given) => {
      const set = strictToolSet(given);
      expect(strictToolSet(set.schemas as readonly Json[])).toEqual(set);
      if (!set.strict) return;
      for (const node of set.schemas.flatMap(nodesOf))
        if (node.type === 'object') expect([node.additionalProperties, node.required]).toEqual([false, Object.keys((node.properties ?? {}) as object).sort()]);
    }),
    { numRuns: 1000 },
  );
});
