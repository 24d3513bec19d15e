import { describe, expect, it } from 'vitest';
import { coerce } from '@/lib/pipeline/2-plan/coerce';
import { repairArguments } from '@/lib/pipeline/2-plan/repair-arguments';
import { writeFile } from '@/lib/tools/files/write-file';
import { createEngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', ''];

async function played(calls: readonly TestCall[]) {
  const seen: unknown[] = [];
  const keep = testTool('keep', ['read-only'], async (input) => {
    seen.push(input);
    return said('kept');
  });
  const change = testTool('change', ['writes-files'], async (input) => {
    seen.push(input);
    return said('changed');
  });
  const world = await createEngineWorld({ tools: [keep, change, writeFile], mode: 'auto', model: (_, step) => (step === 0 ? { calls } : {}) });
  await world.send('go');
  return { world, seen };
}

describe('a name that every object has', () => {
  it('names no tool, and is answered like any unknown one', async () => {
    const { world, seen } = await played(names.map((name) => ({ name })));
    expect([seen, world.of('call-start')]).toEqual([[], []]);
    expect(world.of('result-push').map(({ isError }) => isError)).toEqual(names.map(() => true));
    expect(world.of('turn-end').map(({ end }) => end)).not.toContain('error');
  });

  it('among the arguments is data at most and becomes no prototype', async () => {
    const raw = '{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}, "a": {"__proto__": {"b": 1}}}';
    const { seen } = await played([{ name: 'keep', raw }]);
    // At the root the schema's reader leaves it out, deeper it is a key like any other.
    expect(JSON.stringify(seen)).toBe('[{"constructor":{"prototype":{"isAdmin":true}},"a":{"__proto__":{"b":1}}}]');
    expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
    expect((seen[0] as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    const coerced = coerce(JSON.parse('{"__proto__": "[1]", "list": "[1]"}'), { type: 'object', properties: { list: { type: 'array' } } });
    expect([Object.getPrototypeOf(coerced.value), JSON.stringify(coerced.value)]).toEqual([Object.prototype, '{"__proto__":"[1]","list":[1]}']);
  });
});

describe('arguments that are made to break their reader', () => {
  const hostile: readonly (readonly [string, string])[] = [
    ['too deep', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`],
    ['far too deep, never closed', '['.repeat(500_000)],
    ['over a mebibyte', `{"a":"${'x'.repeat(1_048_600)}"}`],
    ['cut inside a text', '{"path":"a","content":"half of'],
    ['cut inside a number', '{"n":12'],
    ['quotes that open and never close', '"'.repeat(200_001)],
    ['commas', `{${','.repeat(200_000)}}`],
  ];

  it('are refused or read as {}, at once, and change nothing', async () => {
    const { world, seen } = await played(hostile.map(([, raw]) => ({ name: 'write_file', raw })));
    expect(seen).toEqual([]);
    expect(world.of('call-start')).toEqual([]);
    expect(world.of('result-push').map(({ isError }) => isError)).toEqual(hostile.map(() => true));
  });

  it('never come out with a value that was cut', () => {
    for (const [what, raw] of hostile) {
      const repaired = repairArguments(raw, 'repair');
      expect([what, JSON.stringify(repaired).includes('half of')]).toEqual([what, false]);
    }
  });

  it('that were mended are asked for where they can change something, in auto mode too', async () => {
    const { world, seen } = await played([{ name: 'change', raw: '{"n": 1,}' }]);
    expect([seen, world.of('approval-start').map(({ request }) => request.trace.find((entry) => entry.rule === 'repaired-call')?.verdict)]).toEqual([
      [],
      ['ask'],
    ]);
  });
});
