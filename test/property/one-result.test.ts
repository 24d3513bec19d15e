import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApprovalChoice } from '@/lib/contracts/approval';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createEngineWorld, said, type TestCall, testTool } from '@/test/support/engine-world';

const ends = ['ok', 'throws', 'fails', 'hangs', 'ignores', 'asks-more'] as const;
const call = fc.record({
  tool: fc.constantFrom('reads', 'serial', 'writes', 'executes', 'gone', 'Reads', 'read'),
  end: fc.constantFrom(...ends),
  ms: fc.constantFrom(0, 1, 5, 5, 20),
  raw: fc.constantFrom(undefined, undefined, undefined, '', '{"a":1', '<<', '[]', '"x"', '{"end":"ok",}'),
});
const turn = fc.record({
  steps: fc.array(fc.array(call, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  cut: fc.boolean(),
  breaks: fc.boolean(),
  answers: fc.array(fc.constantFrom<ApprovalChoice | 'none'>('once', 'session', 'deny', 'stop', 'none'), { maxLength: 6 }),
  stopAfterMs: fc.constantFrom(undefined, undefined, 0, 3, 12),
  storesFail: fc.boolean(),
});

async function body(input: Record<string, unknown>, context: ToolContext, sleep: (ms: number, signal?: AbortSignal) => Promise<void>) {
  const ms = Number(input['ms'] ?? 0);
  const end = input['end'];
  if (end === 'hangs') await sleep(Number.POSITIVE_INFINITY, context.signal);
  if (end === 'ignores') await sleep(Number.POSITIVE_INFINITY);
  await sleep(ms, context.signal);
  if (end === 'throws') throw new Error('thrown');
  if (end === 'asks-more') await context.callTool('reads', { end: 'ok', ms: 1 });
  return end === 'fails' ? { ok: false, content: 'failed' } : said('ok');
}

it('every planned call gets exactly one result, in its place, whatever fails', async () => {
  const statuses = new Set<string>();
  await fc.assert(
    fc.asyncProperty(turn, async ({ steps, cut, breaks, answers, stopAfterMs, storesFail }) => {
      const stores = createMemoryStores();
      const { sessions } = stores;
      let isFailing = false;
      const failing = {
        ...stores,
        sessions: {
          ...sessions,
          append: async (...given: Parameters<typeof sessions.append>) => (isFailing ? Promise.reject(new Error('full')) : sessions.append(...given)),
        },
      };
      let sleep: (ms: number, signal?: AbortSignal) => Promise<void> = async () => {};
      const tool = (name: string, capabilities: Parameters<typeof testTool>[1], supportsParallel = false) =>
        testTool(name, capabilities, (input, context) => body(input, context, sleep), { supportsParallel, timeoutMs: 40 });
      const world = await createEngineWorld({
        stores: failing,
        tools: [tool('reads', ['read-only'], true), tool('serial', ['read-only']), tool('writes', ['writes-files']), tool('executes', ['executes-code'])],
        model: (_, step) => {
          const calls = steps[step]?.map(
            ({ tool: name, end, ms, raw }, index): TestCall => (raw === undefined ? { name, input: { end, ms, index } } : { name, raw }),
          );
          if (calls === undefined) return { text: 'Done.' };
          const isLast = step === steps.length - 1;
          return { calls, ...(isLast && cut ? { stop: 'length', rawStop: 'max_tokens' } : {}), ...(isLast && breaks ? { breaks: true } : {}) };
        },
      });
      sleep = world.clock.sleep;
      isFailing = storesFail;
      const { engine, clock, sessionId, of } = world;
      if (stopAfterMs !== undefined) clock.after(stopAfterMs, () => void engine.command({ type: 'turn-stop', sessionId }));
      await world.send('go');
      let left = [...answers];
      for (let round = 0; round < 60 && of('turn-end').length === 0; round++) {
        const ended = new Set(of('approval-end').map((event) => event.approvalId));
        const open = of('approval-start').find(({ request }) => !ended.has(request.approvalId))?.request;
        const choice = open === undefined ? undefined : (left.shift() ?? 'deny');
        if (open !== undefined && choice !== undefined && choice !== 'none')
          await engine.command({
            type: 'approval-answer',
            sessionId,
            answer: { approvalId: open.approvalId, choice: open.choices.includes(choice) ? choice : 'once' },
          });
        await clock.advance(7);
        if (round === 50) {
          left = [];
          await engine.command({ type: 'turn-stop', sessionId });
        }
      }
      await clock.advance(100);

      expect(of('turn-end').length).toBe(1);
      const messages = of('message-push').map(({ message }) => message);
      const asked = messages.flatMap((message) =>
        message.role === 'assistant' ? message.blocks.flatMap((block) => (block.kind === 'call' ? [block.callId] : [])) : [],
      );
      const answered = messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ callId }) => callId) : []));
      expect(answered).toEqual(asked);
      expect(new Set(asked).size).toBe(asked.length);
      expect(
        of('call-settled')
          .map(({ callId }) => callId)
          .toSorted(),
      ).toEqual(asked.toSorted());
      expect(of('result-push').map(({ callId }) => callId)).toEqual(asked);
      for (const { calls } of of('plan-end')) for (const { callId } of calls) expect(asked).toContain(callId);
      for (const { outcome } of of('call-settled')) statuses.add(outcome.status);
    }),
    { numRuns: 1_000 },
  );
  // The runs did meet every way in which a slot is filled.
  expect([...statuses].toSorted()).toEqual(['blocked', 'cancelled', 'denied', 'failed', 'ok', 'refused', 'timed-out'].toSorted());
}, 300_000);
