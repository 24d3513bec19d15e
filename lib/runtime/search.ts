import type { SpawnWorker, WorkerPort } from '@/lib/contracts/runtime';
import type { SearchMatch, SearchRequest } from '@/lib/contracts/tool-context';
import { CodedError } from '@/lib/shared/coded-error';
import type { SearchAnswer } from './search-matches';

/** Source: issue 2 asks for a hard stop; 5 s is far over an honest search of a workspace and far under a call's 30 s. */
const LIMIT_MS = 5_000;

const TOO_LONG = `The pattern took longer than ${LIMIT_MS / 1000} s and was stopped: it can match the same text in very many ways. Simplify it: no repetition inside a repetition such as (a+)+ or (.*)*, no alternatives that overlap inside a repetition, a fixed word instead of .* where you can; or search fewer files.`;

interface Searcher {
  readonly port: WorkerPort;
  settle: (answer: SearchAnswer | CodedError) => void;
}

/**
 * Regular-expression search in a worker of its own, which is ended when the search is stopped or takes too long.
 *
 * Fails  `timeout` after 5 s; `cancelled` when `signal` aborts; `invalid-pattern` when it is no regular expression; `not-available`
 *        when the worker cannot run.
 */
export function createSearch(spawnWorker: SpawnWorker): (request: SearchRequest, signal: AbortSignal) => Promise<readonly SearchMatch[]> {
  let spare: Searcher | undefined;

  const start = (): Searcher => {
    const searcher: Searcher = { port: spawnWorker('search'), settle: () => undefined };
    searcher.port.onMessage((message) => searcher.settle(message as SearchAnswer));
    searcher.port.onError((message) => searcher.settle(new CodedError('not-available', `The search could not run: ${message}`)));
    return searcher;
  };

  return (request, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new CodedError('cancelled', 'The search was cancelled.'));
      const searcher = spare ?? start();
      spare = undefined;
      const cancel = (): void => searcher.settle(new CodedError('cancelled', 'The search was cancelled.'));
      const timer = setTimeout(() => searcher.settle(new CodedError('timeout', TOO_LONG)), LIMIT_MS);
      searcher.settle = (answer) => {
        searcher.settle = () => undefined;
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        if (answer instanceof CodedError || spare) searcher.port.terminate();
        else spare = searcher;
        if (answer instanceof CodedError) reject(answer);
        else if (answer.ok) resolve(answer.matches);
        else reject(new CodedError('invalid-pattern', answer.message));
      };
      signal.addEventListener('abort', cancel);
      searcher.port.postMessage(request);
    });
}
