import { parentPort } from 'node:worker_threads';
import { serveCases } from '@/lib/conformance/guarded-run';
import type { Runner } from '@/lib/conformance/runner';

/** Runners that misbehave, for a thread of a test. */
const planted: Readonly<Record<string, Runner>> = {
  fine: ({ input }) => input,
  loop: () => {
    for (;;);
  },
  wait: () => new Promise(() => {}),
  throw: () => {
    throw new Error('planted');
  },
  die: () => process.exit(3),
  stray: () => {
    void Promise.reject(new Error('a stray rejection'));
    return new Promise(() => {});
  },
};

const port = parentPort;
if (port !== null)
  serveCases({ postMessage: (message) => port.postMessage(message), onMessage: (listener) => port.on('message', listener) }, (kind) => planted[kind]);
