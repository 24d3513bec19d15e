import { expect, it } from 'vitest';
import type { CallId, SessionId, SpillRef } from '@/lib/contracts/ids';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createVirtualClock } from '@/test/support/virtual-clock';
import { composeEngine } from '@/workers/compose-engine';

const day = 24 * 60 * 60 * 1000;

it('an engine that starts removes stored results of more than seven days, and keeps the younger ones', async () => {
  const stores = createMemoryStores();
  const clock = createVirtualClock(100 * day);
  const keep = (ref: string, createdAt: number) =>
    stores.spills.write({ ref: ref as SpillRef, sessionId: 's' as SessionId, callId: 'c' as CallId, tool: 't', createdAt, text: 'x', bytes: 1 });
  await keep('old', 93 * day - 1);
  await keep('week', 93 * day);
  await keep('new', 100 * day);
  const problems: string[] = [];
  composeEngine({
    stores,
    spawnWorker() {
      throw new Error('no worker');
    },
    sharedMemory: false,
    clock,
    fetch: () => Promise.reject(new Error('no network')),
    practicePace: 'instant',
    practiceWire: 'anthropic',
    onProblem: (message) => problems.push(message),
  });
  await clock.settle();
  expect([(await stores.spills.list()).map(({ ref }) => ref), problems]).toEqual([['new', 'week'], []]);
});
