import { expect, it } from 'vitest';
import type { FileSystemChange } from '@/lib/contracts/runtime';
import { ChangeGroups } from '@/lib/runtime/embedded/change-groups';
import { createVirtualClock } from '@/test/support/virtual-clock';

it('changes within 50 ms are one group; each listener is told of its own path', async () => {
  const clock = createVirtualClock();
  const groups = new ChangeGroups((act, ms) => clock.after(ms, act));
  const all: (readonly FileSystemChange[])[] = [];
  const below: (readonly FileSystemChange[])[] = [];
  groups.watch('', (changes) => all.push(changes));
  const stop = groups.watch('src', (changes) => below.push(changes));
  groups.add('src/a', 'changed');
  groups.add('srcs', 'changed');
  groups.add('src/a', 'removed');
  await clock.advance(50);
  stop();
  groups.add('src/b', 'changed');
  await clock.advance(50);
  expect(all).toEqual([
    [
      { path: 'srcs', kind: 'changed' },
      { path: 'src/a', kind: 'removed' },
    ],
    [{ path: 'src/b', kind: 'changed' }],
  ]);
  expect(below).toEqual([[{ path: 'src/a', kind: 'removed' }]]);
});
