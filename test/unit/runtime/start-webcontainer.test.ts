import { describe, expect, it } from 'vitest';
import type { WebContainerInstance } from '@/lib/runtime/webcontainer/instance';
import { createWebContainerStarter, type WebContainerPorts } from '@/lib/runtime/webcontainer/start-webcontainer';
import { messageOf } from '@/lib/shared/coded-error';
import { createVirtualClock } from '@/test/support/virtual-clock';

/** An instance that only has to be there. */
const instance = { teardown: () => undefined, fs: {} } as unknown as WebContainerInstance;

/** A page with what outlives it: the mark. */
function page(over: Partial<WebContainerPorts> = {}, kept = { begun: false }) {
  const clock = createVirtualClock();
  const counts = { boots: 0, probes: 0 };
  const { boot = () => Promise.resolve(instance), probe = () => Promise.resolve(), ...rest } = over;
  const starter = createWebContainerStarter({
    page: { secure: true, isolated: true },
    bootMark: { get: () => kept.begun, set: (begun) => void Object.assign(kept, { begun }) },
    after: clock.after,
    ...rest,
    boot() {
      counts.boots++;
      return boot();
    },
    probe(signal) {
      counts.probes++;
      return probe(signal);
    },
  });
  return { clock, counts, kept, starter, words: (asked: 'by-hand' | 'by-itself') => starter.start(asked).then(() => 'started', messageOf) };
}

const never = () => new Promise<never>(() => undefined);

describe('starting the WebContainer', () => {
  it('cl-59: started twice at once and once more later, there is one instance and all get it', async () => {
    const { starter, counts } = page();
    const [first, second] = await Promise.all([starter.start('by-hand'), starter.start('by-itself')]);
    expect(first).toBe(second);
    expect(await starter.start('by-hand')).toBe(first);
    expect(counts).toEqual({ boots: 1, probes: 1 });
  });

  it('after it was disposed of, the next start boots anew', async () => {
    const { starter, counts } = page();
    const first = await starter.start('by-hand');
    await first.dispose();
    expect(await starter.start('by-hand')).not.toBe(first);
    expect(counts.boots).toBe(2);
  });

  it.each([
    [
      'cl-57: no secure context',
      { secure: false, isolated: false },
      'WebContainer needs a secure context (https, or this machine), and this page has none. Your files stay on the embedded runtime.',
    ],
    [
      'cl-57: no isolation',
      { secure: true, isolated: false },
      'WebContainer needs cross-origin isolation (the headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy), and this page was served without it. Your files stay on the embedded runtime.',
    ],
  ])('%s: the message names what is missing, and nothing is asked of the vendor', async (_name, surroundings, words) => {
    const { words: said, counts } = page({ page: surroundings });
    expect(await said('by-hand')).toBe(words);
    expect(counts).toEqual({ boots: 0, probes: 0 });
  });

  it('a host that cannot be reached is never booted from', async () => {
    const { words, counts, kept } = page({ probe: () => Promise.reject(new Error('Failed to fetch')) });
    expect(await words('by-hand')).toBe(
      "WebContainer comes from its vendor's host, which cannot be reached from here (Failed to fetch). Your files stay on the embedded runtime.",
    );
    expect([counts.boots, kept.begun]).toEqual([0, false]);
  });

  it('a host that does not answer is given up after eight seconds', async () => {
    const { words, clock } = page({ probe: (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) });
    const said = words('by-hand');
    await clock.advance(8_000);
    expect(await said).toBe(
      "WebContainer comes from its vendor's host, which cannot be reached from here (no answer within 8 s). Your files stay on the embedded runtime.",
    );
  });

  it('a boot that never settles is given up, and asked again it waits for the same one', async () => {
    let finish: (instance: WebContainerInstance) => void = () => undefined;
    const { words, clock, counts, kept } = page({
      boot: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const said = words('by-hand');
    await clock.advance(40_000);
    expect(await said).toBe(
      'WebContainer did not start within 40 seconds. Choose it again to wait on, or reload the page to begin anew. Your files stay on the embedded runtime.',
    );
    expect(kept.begun).toBe(false);
    const again = words('by-hand');
    await clock.settle();
    finish(instance);
    expect([await again, counts.boots]).toEqual(['started', 1]);
  });

  it('a boot that fails says why and what to do', async () => {
    const { words, kept } = page({ boot: () => Promise.reject(new Error('out of memory')) });
    expect(await words('by-hand')).toBe('WebContainer could not start: out of memory. Reload the page to try again. Your files stay on the embedded runtime.');
    expect(kept.begun).toBe(false);
  });

  it('cl-60: a boot that crashed the page is not tried again by itself, load after load, and is when a person asks', async () => {
    const first = page({ boot: never });
    void first.words('by-itself');
    await first.clock.settle();
    expect(first.kept.begun).toBe(true);

    for (let load = 0; load < 3; load++) {
      const next = page({}, first.kept);
      expect(await next.words('by-itself')).toBe(
        'The last start of WebContainer did not come to its end; the page may have crashed. It was not started again by itself: choose it to try. Your files stay on the embedded runtime.',
      );
      expect(next.counts).toEqual({ boots: 0, probes: 0 });
    }
    const asked = page({}, first.kept);
    expect(await asked.words('by-hand')).toBe('started');
    expect(await page({}, first.kept).words('by-itself')).toBe('started');
  });
});
