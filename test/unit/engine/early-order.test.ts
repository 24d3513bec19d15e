import { describe, expect, it } from 'vitest';
import { createEngineWorld, said, testTool } from '@/test/support/engine-world';

const calls = (...names: string[]) => names.map((name, index) => ({ name, input: { path: String(index) } }));

describe('early starts and the order of calls', () => {
  it('a read does not overtake a call that may change what it reads', async () => {
    let content = 'old';
    const world = await createEngineWorld({
      tools: [
        testTool('reads', ['read-only'], async () => said(content), { supportsParallel: true }),
        testTool('writes', ['writes-files'], async () => {
          content = 'new';
          return said('written');
        }),
      ],
      mode: 'auto-edit',
      model: (_, step) => (step === 0 ? { calls: calls('reads', 'writes', 'reads'), tailMs: 100 } : { text: 'Done.' }),
    });
    await world.send('go');
    expect(world.of('early-start').length).toBe(1);
    await world.clock.advance(100);
    expect(world.of('result-push').map((event) => event.content)).toEqual(['old', 'written', 'new']);
  });

  it('a read behind a call that is refused may start early: a refused call changes nothing', async () => {
    const world = await createEngineWorld({
      tools: [testTool('reads', ['read-only'], async () => said('x'), { supportsParallel: true })],
      model: (_, step) => (step === 0 ? { calls: calls('gone', 'reads'), tailMs: 100 } : { text: 'Done.' }),
    });
    await world.send('go');
    expect(world.of('early-start').length).toBe(1);
  });

  it('early starts take the places of their step: never more than 32 run', async () => {
    let running = 0;
    let most = 0;
    const world = await createEngineWorld({
      tools: [
        testTool(
          'reads',
          ['read-only'],
          async (_, context) => {
            most = Math.max(most, ++running);
            await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
            running--;
            return said('x');
          },
          { supportsParallel: true, timeoutMs: 50 },
        ),
      ],
      model: (_, step) => (step === 0 ? { calls: calls(...Array<string>(40).fill('reads')), tailMs: 10 } : { text: 'Done.' }),
    });
    await world.send('go');
    expect(most).toBe(32);
    await world.clock.advance(200);
    expect(most).toBe(32);
    expect(world.of('result-push').length).toBe(40);
  });

  it('in a turn that the output limit cut off, an empty text is no "no arguments"', async () => {
    let ran = 0;
    const world = await createEngineWorld({
      tools: [
        testTool('reads', ['read-only'], async () => {
          ran++;
          return said('x');
        }),
      ],
      model: (_, step) => (step === 0 ? { calls: [{ name: 'reads', raw: '' }], stop: 'length', rawStop: 'max_tokens' } : { text: 'Done.' }),
    });
    await world.send('go');
    expect(ran).toBe(0);
    expect(world.of('call-settled').map(({ outcome }) => outcome.metadata)).toEqual([{ truncated_tool_call: 'output_limit' }]);
  });

  it('the start and end events of a parallel batch pair, also around a call that was blocked', async () => {
    const world = await createEngineWorld({
      tools: [testTool('reads', ['read-only'], async () => said('x'), { supportsParallel: true })],
      model: (_, step) => (step === 0 ? { calls: Array.from({ length: 4 }, () => ({ name: 'reads', input: { path: 'same' } })) } : { text: 'Done.' }),
    });
    await world.send('go');
    const started = world.of('call-start').map((event) => event.callId);
    expect(started.length).toBe(2);
    expect(world.of('call-end').map((event) => event.callId)).toEqual(started.toReversed());
  });
});
