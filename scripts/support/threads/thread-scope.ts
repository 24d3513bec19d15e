import vm from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { FromProgram, ToProgram, WorkerScope } from '@/lib/runtime/embedded/protocol';

/** A thread's own end of its port. */
export function createThreadScope(): WorkerScope {
  const port = parentPort;
  if (!port) throw new Error('This file runs in a worker thread.');
  const host = process;
  return {
    post: (message: FromProgram) => port.postMessage(message),
    onMessage: (listener) => port.on('message', (message) => listener(message as ToProgram)),
    onUncaught(listener) {
      host.on('uncaughtException', (error) => listener(error, 'error'));
      host.on('unhandledRejection', (error) => listener(error, 'rejection'));
    },
    evaluate: (code, name) => new vm.Script(code, { filename: name }).runInThisContext({ displayErrors: false }),
  };
}
