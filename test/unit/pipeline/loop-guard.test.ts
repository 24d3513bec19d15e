import { describe, expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import { createLoopGuard } from '@/lib/pipeline/2-plan/loop-guard';

const call = (callId: string, tool = 'read', key = '{}') => ({ callId: callId as CallId, tool, key, polling: false });

describe('the loop guard', () => {
  it('names the call whose result answers a blocked one already', () => {
    const guard = createLoopGuard();
    guard.attempt(call('a'));
    guard.outcome({ ...call('a'), ok: true });
    guard.attempt(call('b'));
    guard.outcome({ ...call('b'), ok: false, error: 'gone' });
    expect(guard.attempt(call('c'))).toEqual({ kind: 'block', count: 3, earlier: 'a' });
  });

  it('names the latest one of the same step when none has an outcome yet', () => {
    const guard = createLoopGuard();
    guard.attempt(call('a'));
    guard.attempt(call('b'));
    expect(guard.attempt(call('c'))).toEqual({ kind: 'block', count: 3, earlier: 'b' });
  });

  it('keeps tools and keys apart, whatever characters they hold', () => {
    const guard = createLoopGuard();
    for (let i = 0; i < 2; i++) {
      expect(guard.attempt(call('x', '__proto__', '{"constructor":1}')).kind).toBe('proceed');
      expect(guard.attempt(call('y', 'a"', 'b')).kind).toBe('proceed');
      expect(guard.attempt(call('z', 'a', '"b')).kind).toBe('proceed');
    }
    expect(guard.attempt(call('x', '__proto__', '{"constructor":1}')).kind).toBe('block');
  });

  it('counts what was never executed as a failure of the tool, but not as a finished request', () => {
    const guard = createLoopGuard();
    const answers = Array.from({ length: 6 }, (_, index) =>
      guard.outcome({ ...call(String(index), index % 2 === 0 ? 'edit' : 'test'), ok: false, error: 'no', executed: false }),
    );
    expect(answers.map((answer) => [answer.kind, answer.cycle])).toEqual([
      ['continue', undefined],
      ['continue', undefined],
      ['continue', undefined],
      ['continue', undefined],
      ['warn', undefined],
      ['warn', undefined],
    ]);
  });

  it('warns of a cycle once for the same calls, wherever the round starts', () => {
    const guard = createLoopGuard();
    const cycles = Array.from(
      { length: 10 },
      (_, index) => guard.outcome({ ...call(String(index), index % 2 === 0 ? 'edit' : 'test'), ok: index % 2 === 0, error: 'no' }).cycle,
    );
    expect(cycles).toEqual([undefined, undefined, undefined, undefined, undefined, 2, undefined, undefined, undefined, undefined]);
  });
});
