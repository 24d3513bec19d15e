import { describe, expect, it } from 'vitest';
import type { Capability, ToolResult } from '@/lib/contracts/outcome';
import { createEngineWorld, said, testTool } from '@/test/support/engine-world';

/** A turn in which `outer` makes the calls of `asks`, one after the other; answers what each brought. */
async function innerCalls(outer: readonly Capability[], asks: readonly [string, Record<string, string>][]) {
  const results: ToolResult[] = [];
  const ran: string[] = [];
  const inner = (name: string, capabilities: readonly Capability[]) =>
    testTool(name, capabilities, async (input) => {
      ran.push(`${name} ${String(input['path'])}`);
      return said('inner');
    });
  const world = await createEngineWorld({
    tools: [
      testTool('outer', outer, async (_, context) => {
        for (const [name, input] of asks) results.push(await context.callTool(name, input));
        return said('outer');
      }),
      inner('reads', ['read-only']),
      inner('writes', ['writes-files']),
      inner('executes', ['executes-code']),
      inner('unknown', []),
    ],
    mode: 'auto-edit',
    model: (_, step) => (step === 0 ? { calls: [{ name: 'outer' }] } : { text: 'Done.' }),
  });
  await world.send('go');
  return { results, ran, world };
}

describe('a tool that calls a tool', () => {
  it('holds the write lock and does not wait for it', async () => {
    const { ran, results, world } = await innerCalls(['writes-files'], [['writes', { path: 'a' }]]);
    expect(results.map(({ ok, content }) => [ok, content])).toEqual([[true, 'inner']]);
    expect(ran).toEqual(['writes a']);
    expect(world.of('turn-end').map(({ end }) => end)).toEqual(['yielded']);
    expect(world.of('inner-call').map(({ tool, input, outcome }) => [tool, input, outcome.status])).toEqual([['writes', { path: 'a' }, 'ok']]);
  });

  it('cannot do by another tool what it may not do itself', async () => {
    const { ran, results } = await innerCalls(
      ['read-only'],
      [
        ['reads', { path: 'a' }],
        ['writes', { path: 'a' }],
        ['executes', { path: 'a' }],
        ['unknown', { path: 'a' }],
      ],
    );
    expect(results.map(({ ok, error }) => error ?? ok)).toEqual([true, 'permission-denied', 'permission-denied', 'permission-denied']);
    expect(ran).toEqual(['reads a']);
  });

  it('passes the other gates: name, loop guard, approval', async () => {
    const again: [string, Record<string, string>] = ['reads', { path: 'a' }];
    const { ran, results } = await innerCalls(['writes-files'], [['gone', {}], again, again, again]);
    expect(results.map(({ ok, error }) => error ?? ok)).toEqual(['not-available', true, true, 'not-available']);
    expect(ran).toEqual(['reads a', 'reads a']);
  });

  it('does not do what a person would have to be asked for', async () => {
    const results: ToolResult[] = [];
    const world = await createEngineWorld({
      tools: [
        testTool('outer', ['writes-files'], async (_, context) => {
          results.push(await context.callTool('writes', {}));
          return said('outer');
        }),
        testTool('writes', ['writes-files'], async () => said('written')),
      ],
      model: (_, step) => (step === 0 ? { calls: [{ name: 'outer' }] } : { text: 'Done.' }),
    });
    await world.send('go');
    const [open] = world.of('approval-start');
    await world.engine.command({
      type: 'approval-answer',
      sessionId: world.sessionId,
      answer: { approvalId: open?.request.approvalId as never, choice: 'once' },
    });
    await world.clock.settle();
    expect(results.map(({ error }) => error)).toEqual(['permission-denied']);
    expect(results[0]?.content).toContain('Make it as a call of its own.');
  });
});
