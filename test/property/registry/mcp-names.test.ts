import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mcpWireNames, type ServerTool } from '@/lib/registry/mcp-names';

const part = fc.oneof(
  fc.constantFrom('a', 'b', 'a__b', 'b__c', 'a_', '_b', 'calendar.list', 'calendar list', '日記', '', 'x'.repeat(60), `${'x'.repeat(60)}y`),
  fc.string({ unit: 'binary', maxLength: 80 }),
);
const tools: fc.Arbitrary<readonly ServerTool[]> = fc.array(fc.record({ server: part, tool: part }), { maxLength: 30 });
const keyOf = ({ server, tool }: ServerTool): string => JSON.stringify([server, tool]);

it('any tools of any servers get legal names of their own that lead back exactly, in whatever order they are registered', () => {
  fc.assert(
    fc.property(tools, fc.integer(), (given, seed) => {
      const names = mcpWireNames(given);
      for (const wire of names.keys()) expect(wire).toMatch(/^mcp__[a-zA-Z0-9_-]{0,59}$/);
      expect([...names.values()].map(keyOf).sort()).toEqual([...new Set(given.map(keyOf))].sort());
      const turned = [...given.slice(seed % (given.length + 1)), ...given.slice(0, seed % (given.length + 1)), ...given].reverse();
      expect(Object.fromEntries(mcpWireNames(turned))).toEqual(Object.fromEntries(names));
      for (const [wire, { server, tool }] of names) {
        const plain = `mcp__${server}__${tool}`;
        const rivals = new Set(given.filter((one) => `mcp__${one.server}__${one.tool}` === plain).map(keyOf)).size;
        if (/^[a-zA-Z0-9_-]{1,64}$/.test(plain) && rivals === 1) expect(wire).toBe(plain);
        if (wire !== plain) expect(wire).toMatch(/_[0-9a-f]{8}$/);
      }
    }),
    { numRuns: 1000 },
  );
});

it('a name that a hash would take from a tool stays with that tool', () => {
  const dotted = { server: 's', tool: 'x.y' };
  const hashed = [...mcpWireNames([dotted]).keys()][0] as string;
  const thief = { server: 's', tool: hashed.slice('mcp__s__'.length) };
  const names = mcpWireNames([dotted, thief]);
  expect([names.get(hashed), names.size]).toEqual([thief, 2]);
});
