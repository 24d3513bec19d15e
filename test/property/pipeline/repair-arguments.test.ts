import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairArguments } from '@/lib/pipeline/2-plan/repair-arguments';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

const runs = { numRuns: 1_000 };
const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\n',
  '\t',
  '\u0007',
  ' ',
  '\u00a0',
  '1',
  '-2.5e',
  'true',
  'null',
  '"a"',
  '"k":',
  ',}',
  '\\"',
  '日',
  '😀',
);
const rubble = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

/** One damage that some rung mends, done to valid text outside of its strings. */
const damage = fc.constantFrom<(text: string) => string>(
  (text) => text.replace(/([}\]])$/, ' ,\n$1'),
  (text) => `${text}}`,
  (text) => `]${text}`,
  (text) => text.replace(/[}\]]+$/, ''),
  (text) => `${text.replace(/[}\]]$/, '')} `,
);

describe('argument repair', () => {
  it('reads valid text as JSON.parse does, on the strict rung', () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json);
        expect(repairArguments(text, 'repair')).toEqual({ ok: true, rung: 'strict', value: JSON.parse(text) });
        expect(repairArguments(text, 'strict_only')).toEqual({ ok: true, rung: 'strict', value: JSON.parse(text) });
      }),
      runs,
    );
  });

  it('always answers under repair, and with {} on the fallback', () => {
    fc.assert(
      fc.property(rubble, (text) => {
        const answer = repairArguments(text, 'repair');
        expect(answer.ok).toBe(true);
        if (answer.ok && answer.rung === 'fallback') expect(answer.value).toEqual({});
      }),
      runs,
    );
  });

  it('is idempotent: what it made is strict and stays as it is', () => {
    fc.assert(
      fc.property(rubble, (text) => {
        const first = repairArguments(text, 'repair');
        if (!first.ok) throw new Error('refused');
        expect(repairArguments(JSON.stringify(first.value), 'repair')).toEqual({ ok: true, rung: 'strict', value: first.value });
      }),
      runs,
    );
  });

  it('mends one damage to an object or list without changing what it says, or falls back', () => {
    const container = fc.oneof(fc.array(value, { minLength: 1 }), fc.dictionary(fc.string(), value, { minKeys: 1 })) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(container, damage, (json, hurt) => {
        const answer = repairArguments(hurt(JSON.stringify(json)), 'repair');
        if (!answer.ok) throw new Error('refused');
        if (answer.rung !== 'fallback') expect(canonicalJson(answer.value)).toBe(canonicalJson(JSON.parse(JSON.stringify(json)) as Json));
      }),
      runs,
    );
  });

  it('never makes a cut value whole: a text cut inside a string or a number is not read', () => {
    const container = fc.oneof(fc.array(value, { minLength: 1 }), fc.dictionary(fc.string(), value, { minKeys: 1 }));
    fc.assert(
      fc.property(container, fc.nat(), (json, at) => {
        const whole = JSON.stringify(json);
        const text = whole.slice(0, at % whole.length);
        const inString = (text.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1 || /\\$/.test(text.replace(/\\\\/g, ''));
        fc.pre(inString || /[0-9]$/.test(text));
        expect(repairArguments(text, 'repair')).toEqual({ ok: true, rung: 'fallback', value: {} });
      }),
      runs,
    );
  });

  it('every prefix of a text gives only values that the whole text holds', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1 }), fc.nat(), (list, at) => {
        const text = JSON.stringify(list);
        const answer = repairArguments(text.slice(0, at % text.length), 'repair');
        if (!answer.ok || answer.rung === 'fallback' || !Array.isArray(answer.value)) return;
        expect(answer.value).toEqual(list.slice(0, answer.value.length));
      }),
      runs,
    );
  });

  it('hostile texts of 900 KB stay far from quadratic', () => {
    const hostile: readonly string[] = [
      '[1,]'.repeat(225_000),
      `{"a":"${'\n'.repeat(890_000)}",}`,
      ','.repeat(900_000),
      `{"a":"${'\\'.repeat(890_000)}`,
      `[${', '.repeat(449_000)}]`,
      '}'.repeat(900_000),
      '"'.repeat(900_000),
      `{"a":"${'\\"{['.repeat(220_000)}",}`,
      `[${'[],'.repeat(299_000)}`,
    ];
    const startedAt = performance.now();
    for (const text of hostile) expect(repairArguments(text, 'repair').ok).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('refuses what is nested too deep, however it goes on', () => {
    for (const text of [
      '['.repeat(900_000),
      '{"a":'.repeat(180_000),
      `{"a":${'['.repeat(256)}${']'.repeat(256)},}`,
      `{"a":"]",${'"a":['.repeat(1)}${'[{"k":'.repeat(200)}`,
    ])
      expect(repairArguments(text, 'repair')).toEqual({ ok: false, error: 'too_deep' });
    expect(repairArguments(`${'['.repeat(256)}${']'.repeat(256)}`, 'strict_only').ok).toBe(true);
  });

  it('refuses what is no JSON and nests too deep, and takes brackets inside its strings for no nesting', () => {
    const deep = '['.repeat(257);
    for (const policy of ['repair', 'strict_only'] as const)
      expect([`words ${deep}`, `NaN,${'{"a":'.repeat(257)}`, `'a'${deep}`].map((text) => repairArguments(text, policy))).toEqual(
        Array(3).fill({ ok: false, error: 'too_deep' }),
      );
    for (const text of [`words "${deep}"`, `words ${'[]'.repeat(300)}`, `words ${'['.repeat(256)}`])
      expect([repairArguments(text, 'repair'), repairArguments(text, 'strict_only')]).toEqual([
        { ok: true, rung: 'fallback', value: {} },
        { ok: false, error: 'strict_only' },
      ]);
  });
});
