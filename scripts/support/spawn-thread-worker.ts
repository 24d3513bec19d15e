import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SpawnWorker } from '@/lib/contracts/runtime';
import { buildWorkers } from './build-workers.mjs';

/**
 * Starts program workers as threads of this Node process; their bundles are made first where a source changed.
 *
 * In     `root` the project's folder, the working folder by default.
 */
export async function createThreadSpawner(root: string = process.cwd()): Promise<SpawnWorker> {
  const folder = await buildWorkers(root, 'thread');
  return (kind) => {
    // A program's worker gets no environment and no flags of the process that it happens to run in.
    const worker = new Worker(path.join(folder, `${kind}.worker.cjs`), { name: kind, env: {}, execArgv: [], stdin: false, stdout: false, stderr: false });
    // What is idle must not keep a run alive that is over; a search in progress does, by its deadline.
    if (kind === 'search' || kind === 'language') worker.unref();
    return {
      postMessage: (message, transfer) => worker.postMessage(message, [...(transfer ?? [])] as ArrayBuffer[]),
      onMessage: (listener) => {
        worker.on('message', listener);
      },
      onError: (listener) => {
        worker.on('error', (error) => listener(error instanceof Error ? error.message : String(error)));
        worker.on('messageerror', () => listener('a message could not be read'));
      },
      terminate: () => {
        worker.removeAllListeners();
        worker.on('error', () => undefined);
        void worker.terminate();
      },
    };
  };
}
