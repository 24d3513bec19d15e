import type { SpawnWorker } from '@/lib/contracts/runtime';

/** The folder of the program workers' bundles, beside the page's own `_next`, wherever on its host the page is served. */
export function generatedFolder(bundleAddress: string): string {
  const { origin, pathname } = new URL(bundleAddress);
  const base = pathname.slice(0, Math.max(0, pathname.indexOf('/_next/')));
  return `${origin}${base}/generated/`;
}

/**
 * Starts program workers in the browser, from the static bundles that `scripts/support/build-workers.mjs` makes: their own path lets
 * their response carry a CSP of its own.
 *
 * In     `baseUrl` the folder of the bundles, as `generatedFolder` answers it.
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
