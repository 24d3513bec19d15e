import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@/lib/contracts/json-schema';
import { coerce } from '@/lib/pipeline/2-plan/coerce';
import type { Json } from '@/lib/shared/json';

const object = (properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema => ({ type: 'object', properties, ...rest });
const run = (value: Json, schema: JsonSchema) => {
  const { value: coerced, repairs } = coerce(value, schema);
  return [coerced, repairs.map((repair) => repair.rung)];
};
const fields = object({
  path: { type: 'string' },
  limit: { type: 'integer' },
  ratio: { type: 'number' },
  all: { type: 'boolean' },
  lines: { type: 'array', items: { type: 'integer' } },
  names: { type: 'array', items: { type: 'string' } },
  where: object({ line: { type: 'integer' } }),
});

describe('coercion', () => {
  it('leaves fitting values alone, and answers the same value', () => {
    const value = { path: '3', limit: 3, ratio: 1, all: true, lines: [1], names: ['[a]'], where: { line: 1 }, extra: '5' };
    expect(coerce(value, fields)).toEqual({ value, repairs: [] });
    expect(coerce(value, fields).value).toBe(value);
  });

  it('goes by the order of the schema, depth first', () => {
    expect(run({ where: '{"line":"4"}', names: 'a', all: 'false', limit: '12', lines: '["1",2]' }, fields)).toEqual([
      { where: { line: 4 }, names: ['a'], all: false, limit: 12, lines: [1, 2] },
      ['coerce:limit', 'coerce:all', 'decode:lines', 'coerce:lines.0', 'wrap:names', 'decode:where', 'coerce:where.line'],
    ]);
  });

  it('decodes a whole input that is JSON inside a text', () => {
    expect(run('{"limit":"1"}', fields)).toEqual([{ limit: 1 }, ['decode', 'coerce:limit']]);
    expect(run('[1]', fields)).toEqual(['[1]', []]);
    expect(run('"{}"', fields)).toEqual(['"{}"', []]);
  });

  it.each(['3.0', '03', '+3', ' 3', '9007199254740993', '1e3', '', '3px'])('does not read %j as an integer', (text) => {
    expect(run({ limit: text }, fields)).toEqual([{ limit: text }, []]);
  });

  it.each([
    ['3.50', 3.5],
    ['-0.1', -0.1],
    ['1e3', 1000],
    ['1.5E-7', 1.5e-7],
    ['-0', 0],
  ])('reads %j as a number', (text, number) => {
    expect(run({ ratio: text }, fields)).toEqual([{ ratio: number }, ['coerce:ratio']]);
  });

  it.each(['1e999', '0.1234567890123456789', '12345678901234567890', '.5', '1.', 'NaN', '0x10'])(
    'does not read %j as a number: something would be lost',
    (text) => {
      expect(run({ ratio: text }, fields)).toEqual([{ ratio: text }, []]);
    },
  );

  it.each(['True', '1', 'yes', ' true'])('does not read %j as true', (text) => {
    expect(run({ all: text }, fields)).toEqual([{ all: text }, []]);
  });

  it('wraps only a value of the type of the items', () => {
    expect(run({ lines: 5 }, fields)).toEqual([{ lines: [5] }, ['wrap:lines']]);
    expect(run({ lines: 5.5 }, fields)).toEqual([{ lines: 5.5 }, []]);
    expect(run({ lines: '5' }, fields)).toEqual([{ lines: '5' }, []]);
    expect(run({ names: null }, fields)).toEqual([{ names: null }, []]);
    expect(run({ names: '[not json' }, fields)).toEqual([{ names: ['[not json'] }, ['wrap:names']]);
  });

  it('follows references and nullable alternatives, and leaves real alternatives alone', () => {
    const schema = object(
      {
        a: { $ref: '#/$defs/n' },
        b: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        c: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
        d: { type: ['integer', 'string'] },
      },
      { $defs: { n: { type: 'integer' } } },
    );
    expect(run({ a: '1', b: '2', c: '3', d: '4' }, schema)).toEqual([{ a: 1, b: 2, c: '3', d: '4' }, ['coerce:a', 'coerce:b']]);
    expect(run({ b: null }, schema)).toEqual([{ b: null }, []]);
  });

  it('survives a schema that refers to itself', () => {
    const schema: JsonSchema = {
      $ref: '#/$defs/tree',
      $defs: { tree: object({ size: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/tree' } } }), loop: { $ref: '#/$defs/loop' } },
    };
    expect(run({ kids: [{ size: '2' }] }, schema)).toEqual([{ kids: [{ size: 2 }] }, ['coerce:kids.0.size']]);
    expect(run({ a: '1' }, { $ref: '#/$defs/loop', $defs: { loop: { $ref: '#/$defs/loop' } } })).toEqual([{ a: '1' }, []]);
  });

  it('keeps __proto__ a plain member', () => {
    const value = JSON.parse('{"__proto__":{"limit":"1"},"limit":"2"}') as Json;
    const { value: coerced } = coerce(value, fields);
    expect(Object.keys(coerced as object)).toEqual(['__proto__', 'limit']);
    expect(Object.getPrototypeOf(coerced)).toBe(Object.prototype);
    expect(JSON.stringify(coerced)).toBe('{"__proto__":{"limit":"1"},"limit":2}');
  });
});
