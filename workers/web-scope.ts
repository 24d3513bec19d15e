import type { FromProgram, ToProgram, WorkerScope } from '@/lib/runtime/embedded/protocol';

/** The web worker's own end of its port. Needs `'unsafe-eval'` in the worker's own CSP for `evaluate`. */
export function createWebScope(): WorkerScope {
  const scope = globalThis as unknown as { postMessage(message: unknown): void; addEventListener(type: 'message', listener: (event: MessageEvent) => void): void };
  const post = scope.postMessage.bind(scope);
  // biome-ignore lint/security/noGlobalEval: running a person's program is this worker's purpose; indirect, so that it sees only globals
  const evaluate = globalThis.eval;
  return {
    post: (message: FromProgram) => post(message),
    onMessage: (listener) => scope.addEventListener('message', (event) => listener(event.data as ToProgram)),
    evaluate: (code, name) => evaluate(`${code}\n//# sourceURL=${name}`),
  };
}
