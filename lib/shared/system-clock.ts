/** Real time; shape of `contracts/clock`. */
export const systemClock = {
  now: (): number => Date.now(),
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer =
        ms === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(() => {
              signal?.removeEventListener('abort', abort);
              resolve();
            }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
