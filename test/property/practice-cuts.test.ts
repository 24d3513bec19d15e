import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelEvent } from '@/lib/contracts/model';
import { cutOdd } from '@/lib/practice/cut-odd';
import { createPracticeEndpoint } from '@/lib/practice/practice-endpoint';
import { createRandom } from '@/lib/practice/random';
import { fixTheTestPrompt } from '@/lib/practice/scripts/fix-the-test';
import { findTask, practiceScripts } from '@/lib/practice/tasks';
import { anthropic } from '@/lib/providers/anthropic';
import { openaiChat } from '@/lib/providers/openai-chat';
import { ask, createSession, decode, requestOf } from '@/test/support/practice-world';
import { createTaskWorld } from '@/test/support/task-world';

/** Pieces between the given places; a place may stand twice, which gives an empty piece. */
function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [0, ...[...places].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((to, index) => bytes.subarray(sorted[index], to));
}

describe.each([anthropic, openaiChat])('every response of the practice scripts over $id', (provider) => {
  const responses: { readonly bytes: Uint8Array; readonly chunks: readonly Uint8Array[]; readonly events: readonly ModelEvent[] }[] = [];

  beforeAll(async () => {
    const session = createSession(provider);
    await session.turn(fixTheTestPrompt);
    await session.turn('and now?');
    const endpoint = createPracticeEndpoint({ scripts: practiceScripts, sleep: () => Promise.resolve() });
    // Each assistant message of the session once more, as the request that led to it.
    for (const [at, message] of session.messages.entries()) {
      if (message.role !== 'assistant') continue;
      const { chunks } = await ask(endpoint, provider, requestOf(session.messages.slice(0, at)));
      const bytes = new Uint8Array(Buffer.concat(chunks));
      responses.push({ bytes, chunks, events: await decode(provider, bytes) });
    }
  });

  it('holds text, calls and a stop', () => {
    expect(responses.length).toBe(9);
    for (const { events } of responses) expect(events.filter((event) => event.type === 'stop').length).toBe(1);
    expect(responses.flatMap(({ events }) => events.filter((event) => event.type === 'warning'))).toEqual([]);
  });

  it('gives the same events in the pieces it came in', async () => {
    for (const { chunks, events } of responses) {
      expect(await decode(provider, chunks)).toEqual(events);
      expect(chunks.slice(0, -1).every((chunk) => chunk.length % 2 === 1)).toBe(true);
    }
  });

  it('gives the same events in single bytes', async () => {
    for (const { bytes, events } of responses)
      expect(
        await decode(
          provider,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ).toEqual(events);
  });

  it('gives the same events however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 8 }), fc.array(fc.nat(), { maxLength: 60 }), async (which, places) => {
        const { bytes, events } = responses[which] as (typeof responses)[number];
        expect(await decode(provider, cutAt(bytes, places))).toEqual(events);
      }),
      { numRuns: 1000 },
    );
  });
});

describe.each(['add-a-feature', 'watch-it-misbehave'].flatMap((taskId) => [anthropic, openaiChat].map((provider) => ({ taskId, provider, id: provider.id }))))(
  'every response of $taskId over $id',
  ({ taskId, provider }) => {
    const responses: { readonly bytes: Uint8Array; readonly events: readonly ModelEvent[] }[] = [];

    beforeAll(async () => {
      const world = await createTaskWorld({ taskId, provider, approve: ({ subject }) => (subject === 'rm -rf src' ? 'deny' : 'once') });
      expect((await world.send(findTask(taskId)?.prompt ?? '')).end).toBe('yielded');
      for (const bytes of world.responses) responses.push({ bytes, events: await decode(provider, bytes) });
    });

    it('holds one stop and no warning', () => {
      for (const { events } of responses) expect(events.filter((event) => event.type === 'stop' || event.type === 'warning').length).toBe(1);
    });

    it('gives the same events in single bytes', async () => {
      for (const { bytes, events } of responses)
        expect(
          await decode(
            provider,
            Array.from(bytes, (byte) => Uint8Array.of(byte)),
          ),
        ).toEqual(events);
    });

    it('gives the same events however it is cut', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.array(fc.nat(), { maxLength: 60 }), async (which, places) => {
          const { bytes, events } = responses[which % responses.length] as (typeof responses)[number];
          expect(await decode(provider, cutAt(bytes, places))).toEqual(events);
        }),
        { numRuns: 1_000 },
      );
    });
  },
);

it('odd cuts lose nothing and repeat nothing, and only the last may be even', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(), (bytes, seed) => {
      const pieces = cutOdd(bytes, createRandom(seed));
      expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
      expect(pieces.slice(0, -1).every((piece) => piece.length % 2 === 1)).toBe(true);
      expect(pieces.every((piece) => piece.length > 0)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
