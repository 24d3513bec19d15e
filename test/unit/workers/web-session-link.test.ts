import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionId } from '@/lib/contracts/ids';
import type { LinkSeat } from '@/lib/contracts/session-link';
import { createWebLocks } from '@/test/support/web-locks';
import { createWebSessionLink } from '@/workers/web-session-link';

const open: LinkSeat[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const seat of open.splice(0)) seat.leave();
});

let sessions = 0;

/** Tabs of one browser at one session, in the order in which they came, and what each was told. */
async function tabs(count: number) {
  const locks = createWebLocks();
  const sessionId = `session-${sessions++}` as SessionId;
  const told: string[] = [];
  const seats: LinkSeat[] = [];
  for (let tab = 0; tab < count; tab++)
    seats.push(
      await createWebSessionLink(locks).join(sessionId, {
        onWriter: () => void told.push(`${tab} writes`),
        async onTakenOver() {
          told.push(`${tab} hands over`);
        },
        onFollower: () => void told.push(`${tab} is followed`),
        onEvents: (events) => void told.push(`${tab} sees ${events.length}`),
        onCommand: async () => ({ ok: true, value: {} }),
      }),
    );
  open.push(...seats);
  return { locks, told, seats, roles: () => seats.map((seat) => seat.role()) };
}

/** Messages between tabs come by tasks of the host, not by time. */
const settled = async (isDone: () => boolean) => {
  for (let turn = 0; turn < 1_000 && !isDone(); turn++) await new Promise((done) => setImmediate(done));
  expect(isDone()).toBe(true);
};

describe('a take-over', () => {
  it('leaves one writer, who holds the lock once and waits for no second, and the others in line', async () => {
    const { locks, told, seats, roles } = await tabs(3);
    expect(roles()).toEqual(['writer', 'follower', 'follower']);
    await seats[1]?.takeOver();
    await settled(() => locks.state().waiting === 2);
    expect(roles()).toEqual(['follower', 'writer', 'follower']);
    expect(locks.state()).toEqual({ held: 1, waiting: 2 });
    // It falls to nobody in between, neither to the third in line nor back.
    expect(told).toEqual(['0 is followed', '0 is followed', '0 hands over', '1 writes']);
  });

  it('to and fro ends where it was asked for last', async () => {
    const { locks, told, seats, roles } = await tabs(2);
    for (let round = 0; round < 20; round++) {
      await seats[(round + 1) % 2]?.takeOver();
      expect(roles()[(round + 1) % 2]).toBe('writer');
      await settled(() => locks.state().waiting === 1);
    }
    expect(roles()).toEqual(['writer', 'follower']);
    expect(told.filter((one) => one.endsWith('writes'))).toHaveLength(20);
  });

  it('by a tab that goes before it takes the lock leaves the session to the next in line', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { told, seats, roles } = await tabs(3);
    void seats[2]?.takeOver();
    seats[2]?.leave();
    await settled(() => told.includes('0 hands over'));
    vi.runAllTimers();
    await settled(() => roles().includes('writer'));
    expect(told.filter((one) => one.endsWith('writes'))).toEqual(['1 writes']);
  });

  it('by two tabs at once leaves one writer', async () => {
    const { locks, seats, roles } = await tabs(3);
    await Promise.all([seats[1]?.takeOver(), seats[2]?.takeOver()]);
    await settled(() => locks.state().waiting === 2);
    expect(roles().filter((role) => role === 'writer')).toHaveLength(1);
    expect(locks.state()).toEqual({ held: 1, waiting: 2 });
  });
});

it('the next in line writes when the writer goes', async () => {
  const { told, seats, roles } = await tabs(2);
  seats[0]?.leave();
  await settled(() => roles()[1] === 'writer');
  expect(told).toEqual(['1 writes']);
});
