import type { FromProgram, ToProgram, WorkerScope } from '@/lib/runtime/embedded/protocol';

/** The web worker's own end of its port. Needs `'unsafe-eval'` in the worker's own CSP for `evaluate`. */
export function createWebScope(): WorkerScope {
  const scope = globalThis as unknown as { postMessage(message: unknown): void; addEventListener(type: string, listener: (event: Event) => void): void };
  const post = scope.postMessage.bind(scope);
  const listen = scope.addEventListener.bind(scope);
  // biome-ignore lint/security/noGlobalEval: running a person's program is this worker's purpose; indirect, so that it sees only globals
  const evaluate = globalThis.eval;
  return {
    post: (message: FromProgram) => post(message),
    onMessage: (listener) => listen('message', (event) => listener((event as MessageEvent).data as ToProgram)),
    onUncaught(listener) {
      listen('error', (event) => {
        event.preventDefault();
        listener((event as ErrorEvent).error, 'error');
      });
      listen('unhandledrejection', (event) => {
        event.preventDefault();
        listener((event as PromiseRejectionEvent).reason, 'rejection');
      });
    },
    evaluate: (code, name) => evaluate(`${code}\n//# sourceURL=${name}`),
  };
}
