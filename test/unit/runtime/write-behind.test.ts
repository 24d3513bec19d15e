import { expect, it } from 'vitest';
import type { FileWrite } from '@/lib/contracts/store';
import { WriteBehind } from '@/lib/runtime/embedded/write-behind';
import { createVirtualClock } from '@/test/support/virtual-clock';

function setUp(attempts: readonly ('ok' | 'fail')[] = []) {
  const clock = createVirtualClock();
  const files = new Map<string, string>();
  const stored: string[][] = [];
  const problems: string[] = [];
  let attempt = 0;
  const keeper = new WriteBehind({
    async write(writes) {
      if (attempts[attempt++] === 'fail') throw new Error('disk full');
      stored.push(writes.map((write) => `${write.path}=${'bytes' in write && write.bytes ? new TextDecoder().decode(write.bytes) : 'gone'}`));
    },
    read(path): FileWrite {
      const text = files.get(path);
      return { path, bytes: text === undefined ? null : new TextEncoder().encode(text) };
    },
    onProblem: (message) => problems.push(message),
    schedule: (act, ms) => clock.after(ms, act),
  });
  const put = (path: string, text: string | undefined): void => {
    if (text === undefined) files.delete(path);
    else files.set(path, text);
    keeper.mark(path);
  };
  return { clock, keeper, put, stored, problems };
}

it('changes close together are one write, each path as it is then', async () => {
  const { clock, put, stored } = setUp();
  put('a', '1');
  put('b', '2');
  put('a', '3');
  put('c', '4');
  put('c', undefined);
  await clock.advance(1_000);
  expect(stored).toEqual([['b=2', 'a=3', 'c=gone']]);
});

it('flush writes at once and settles when it is stored', async () => {
  const { keeper, put, stored } = setUp();
  put('a', '1');
  await keeper.flush();
  expect(stored).toEqual([['a=1']]);
  await keeper.flush();
  expect(stored).toEqual([['a=1']]);
});

it('a failed write is told and tried again until it is stored, with what changed since', async () => {
  const { clock, put, stored, problems } = setUp(['fail', 'fail', 'ok']);
  put('a', '1');
  await clock.advance(200);
  put('b', '2');
  await clock.advance(10_000);
  expect(stored).toEqual([['a=1', 'b=2']]);
  expect(problems).toEqual(Array(2).fill('File changes could not be stored (disk full). They are safe in memory and are tried again.'));
});

it('flush says that storing failed, and a later one that it worked', async () => {
  const { keeper, put, stored } = setUp(['fail', 'ok']);
  put('a', '1');
  await expect(keeper.flush()).rejects.toMatchObject({ code: 'storage-failed' });
  await keeper.flush();
  expect(stored).toEqual([['a=1']]);
});
