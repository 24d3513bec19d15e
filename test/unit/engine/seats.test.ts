import { expect, test } from 'vitest';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SessionStore } from '@/lib/contracts/store';
import { createSeats } from '@/lib/engine/seats';
import { createMemoryLinks } from '@/lib/storage/memory-link';

const sessionId = 's' as SessionId;
const event = (seq: number): EngineEvent => ({ type: 'notice', level: 'info', code: 'c', text: String(seq), sessionId, seq, at: 0 });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => event(from + index));

/** A tab that writes and one that may follow, over one store that the writer fills when it is told to. */
function twoTabs() {
  const links = createMemoryLinks();
  const stored: EngineEvent[] = [];
  let said: EngineEvent[] = [];
  let reads = 0;
  const shown: number[] = [];
  const tab = (show: (events: readonly EngineEvent[]) => void) =>
    createSeats({
      link: links.link(),
      store: {
        async events() {
          reads++;
          return { events: [...stored], damaged: 0 };
        },
      } as unknown as SessionStore,
      show,
      onRole: () => {},
      handOver: async () => {},
      takeUp: () => {},
      async settle() {
        stored.push(...said.splice(0));
      },
      runHere: async () => ({ ok: true, value: {} }),
    });
  const writer = tab(() => {});
  const follower = tab((events) => void shown.push(...events.map(({ seq }) => seq)));
  return {
    writer,
    follower,
    shown,
    reads: () => reads,
    store: () => stored.push(...said.splice(0)),
    say(from: number, to: number) {
      const events = range(from, to);
      said = [...said, ...events];
      writer.publish(events);
    },
  };
}
const settled = () => new Promise((done) => setImmediate(done));

test('a tab that comes in the middle of an answer sees what was said before it came, though the writer says no more', async () => {
  const { writer, follower, shown, say } = twoTabs();
  expect(await writer.role(sessionId)).toBe('writer');
  say(0, 5);
  expect(await follower.role(sessionId)).toBe('follower');
  const known = (await follower.followed(sessionId)).map(({ seq }) => seq);
  await settled();
  expect([...known, ...shown]).toEqual([0, 1, 2, 3, 4]);
});

test('what is said behind a gap waits for what is missing and is shown once, in order', async () => {
  const { writer, follower, shown, say, store, reads } = twoTabs();
  await writer.role(sessionId);
  await follower.role(sessionId);
  say(0, 3);
  // It reads before the writer has stored anything.
  expect(await follower.followed(sessionId)).toEqual([]);
  say(3, 4);
  await settled();
  say(4, 6);
  await settled();
  expect(shown).toEqual([]);
  store();
  say(6, 7);
  await settled();
  expect(shown).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const before = reads();
  say(7, 9);
  await settled();
  expect(shown.slice(-2)).toEqual([7, 8]);
  expect(reads()).toBe(before);
});
