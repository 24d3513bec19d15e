import type { SpawnWorker } from '@/lib/contracts/runtime';

/**
 * Starts program workers in the browser, from the static bundles that `scripts/support/build-workers.mjs` makes: their own path lets
 * their response carry a CSP of its own.
 *
 * In     `baseUrl` the folder of the bundles, such as `new URL('/generated/', self.location.origin).href`.
 */
export function createWebWorkerSpawner(baseUrl: string): SpawnWorker {
  return (kind) => {
    const worker = new Worker(new URL(`${kind}.worker.js`, baseUrl), { name: kind });
    return {
      postMessage: (message, transfer) => worker.postMessage(message, { transfer: [...(transfer ?? [])] as Transferable[] }),
      onMessage: (listener) => worker.addEventListener('message', (event) => listener(event.data)),
      onError: (listener) => {
        worker.addEventListener('error', (event) => listener(event.message || `the ${kind} worker could not be loaded`));
        worker.addEventListener('messageerror', () => listener('a message could not be read'));
      },
      terminate: () => worker.terminate(),
    };
  };
}
