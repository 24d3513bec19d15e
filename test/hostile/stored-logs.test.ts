import { describe, expect, it } from 'vitest';
import { isEngineEvent } from '@/lib/contracts/event-shapes';
import type { EngineEvent } from '@/lib/contracts/events';
import type { Stores } from '@/lib/contracts/store';
import { readLog } from '@/lib/replay/read-log';
import { replayLog } from '@/lib/replay/replay-log';
import { messageOf } from '@/lib/shared/coded-error';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { isStoredEvent } from '@/lib/storage/stored-shapes';
import { createEngineWorld, createTestEngine, said, type TestCall, testTool } from '@/test/support/engine-world';
import { createVirtualClock } from '@/test/support/virtual-clock';

const look = testTool('look', ['read-only'], async () => said('seen'));

/** A session in which something was asked, allowed for the session, denied, repaired and read. */
async function played() {
  const ran: unknown[] = [];
  const shell = testTool('exec_shell', ['executes-code'], async (input) => {
    ran.push(input);
    return said('ran');
  });
  const tools = [look, shell];
  const steps: readonly (readonly TestCall[])[] = [
    [
      { name: 'look', raw: '{"n": 1,}' },
      { name: 'exec_shell', input: { command: 'npm test' } },
    ],
    [{ name: 'exec_shell', input: { command: 'rm -rf src' } }],
  ];
  const stores = createMemoryStores();
  const clock = createVirtualClock();
  const world = await createEngineWorld({ tools, stores, clock, model: (_, step) => ({ calls: steps[step] ?? [] }) });
  await world.send('go');
  for (const [index, choice] of (['session', 'deny'] as const).entries()) {
    const approvalId = world.of('approval-start')[index]?.request.approvalId as never;
    await world.engine.command({ type: 'approval-answer', sessionId: world.sessionId, answer: { approvalId, choice } });
    await clock.settle();
  }
  const { events } = await stores.sessions.events(world.sessionId);
  return { events, stores, clock, tools, ran, sessionId: world.sessionId };
}

/** What may stand in the place of any field. */
const junk: readonly unknown[] = [undefined, null, -1, '', 'x', [], {}, [null], { __proto__: null }];

describe('a log that was changed', () => {
  it('is refused where it has a hole, another session’s events, or what is no event', async () => {
    const { events } = await played();
    const text = (list: readonly unknown[]) => list.map((event) => JSON.stringify(event)).join('\n');
    const failed = (list: readonly unknown[]) => {
      try {
        readLog(text(list));
        return 'read';
      } catch (error) {
        return messageOf(error);
      }
    };
    expect(failed(events)).toBe('read');
    expect(failed(events.filter(({ seq }) => seq !== 3))).toMatch(/the log has a hole/);
    expect(failed([...events].reverse())).toMatch(/the log has a hole/);
    expect(failed([...events, { ...events[0], type: 'made-up', seq: events.length }])).toMatch(/is no event of this version/);
    const [first] = events as readonly [EngineEvent];
    expect([isStoredEvent(first, first.sessionId, 0), isStoredEvent(first, 'other', 0), isStoredEvent(first, first.sessionId, 1)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('does not reproduce where a decision, a mode or an answer was put in after the fact', async () => {
    const { events } = await played();
    const differs = (list: readonly EngineEvent[]) => replayLog(list).replayed.some((one) => one.moment !== 'stopped' && !one.same);
    expect(differs(events)).toBe(false);
    const asked = events.map((event) =>
      event.type === 'plan-end'
        ? { ...event, calls: event.calls.map((call) => (call.decision === 'ask' ? { ...call, decision: 'run' as const } : call)) }
        : event,
    );
    expect(differs(asked)).toBe(true);
    const first = events.findIndex(({ type }) => type === 'plan-end');
    const seat = events[first - 1] as EngineEvent;
    const inAuto = [...events.slice(0, first), { ...seat, type: 'mode-change', mode: 'auto' } as EngineEvent, ...events.slice(first)];
    expect(differs(inAuto)).toBe(true);
  });

  it('runs nothing and breaks nothing when it is opened, whatever stands in any field of any event', async () => {
    const { events, stores, clock, tools, ran, sessionId } = await played();
    const before = ran.length;
    let opened = 0;
    for (const [index, event] of events.entries())
      for (const field of Object.keys(event).filter((key) => !['seq', 'sessionId', 'at'].includes(key))) {
        const value = junk[(index + field.length) % junk.length];
        const changed = { ...event, [field]: value } as unknown as EngineEvent;
        // What is no event is left out by the store and counted.
        const list = isEngineEvent(changed) ? events.map((one, at) => (at === index ? changed : one)) : events.filter((_, at) => at !== index);
        const tampered: Stores = {
          ...stores,
          sessions: { ...stores.sessions, events: async () => ({ events: list, damaged: 0 }), append: async () => undefined },
        };
        const engine = createTestEngine({ tools, model: () => ({ text: 'done' }), clock, stores: tampered, tab: `t${opened++}` });
        const answer = await engine.command({ type: 'session-open', sessionId });
        await clock.settle();
        expect([event.type, field, answer.ok, ran.length]).toEqual([event.type, field, true, before]);
      }
    expect(opened).toBeGreaterThan(100);
  });
});
