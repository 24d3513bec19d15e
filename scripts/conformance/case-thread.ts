import { Worker } from 'node:worker_threads';
import type { WorkerPort } from '@/lib/contracts/runtime';

/** A thread of this Node process as a worker that runs cases; `file` is the program that it runs. */
export function caseThread(file: string): WorkerPort {
  const worker = new Worker(file, { env: {}, stdin: false });
  return {
    postMessage: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on('message', listener);
    },
    onError: (listener) => {
      worker.on('error', (error) => listener(error instanceof Error ? error.message : String(error)));
      worker.on('exit', () => listener('it left'));
    },
    terminate: () => {
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      void worker.terminate();
    },
  };
}
