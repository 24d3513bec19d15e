import type { Locks } from '@/workers/web-session-link';

interface Request {
  readonly run: (lock: Lock | null) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The lock manager of one browser, by the published algorithm: a line a name, `ifAvailable`, `steal`, a signal that takes out of the line. */
export function createWebLocks(): Locks & { readonly state: () => { readonly held: number; readonly waiting: number } } {
  let holder: Request | undefined;
  let line: Request[] = [];
  const grant = (request: Request) => {
    holder = request;
    void Promise.resolve()
      .then(() => request.run({ name: 'lock', mode: 'exclusive' }))
      .then(request.resolve, request.reject)
      .finally(() => {
        if (holder !== request) return;
        holder = undefined;
        next();
      });
  };
  const next = () => {
    const first = line.shift();
    if (first !== undefined) grant(first);
  };
  const request = (_: string, options: LockOptions, run: Request['run']) =>
    new Promise<unknown>((resolve, reject) => {
      const made: Request = { run, resolve, reject };
      if (options.steal) {
        holder?.reject(new DOMException('stolen', 'AbortError'));
        grant(made);
      } else if (holder === undefined && line.length === 0) grant(made);
      else if (options.ifAvailable) void Promise.resolve(run(null)).then(resolve, reject);
      else {
        line.push(made);
        options.signal?.addEventListener('abort', () => {
          if (!line.includes(made)) return;
          line = line.filter((other) => other !== made);
          reject(new DOMException('withdrawn', 'AbortError'));
        });
      }
    });
  return { request: request as Locks['request'], state: () => ({ held: holder === undefined ? 0 : 1, waiting: line.length }) };
}
