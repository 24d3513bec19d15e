/** The read-write lock around execution: readers together, writers alone. One per workspace. */
export interface Gate {
  /** A place among readers when nobody writes or waits; undefined = `read` would have to wait. */
  tryRead(): (() => void) | undefined;
  /** Waits for a place among readers; the answer gives it back (once; later calls do nothing). Rejects with the abort reason. */
  read(signal: AbortSignal): Promise<() => void>;
  /** Waits until nobody is inside; else as `read`. */
  write(signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly kind: 'read' | 'write';
  readonly admit: () => void;
}

/**
 * Makes a gate that nobody has passed.
 *
 * Order  first come, first served: a waiting writer goes before readers that came after it, and none waits for ever.
 *        A wait that is aborted leaves no trace; whoever stood behind it moves up at once.
 * Source governance 8.
 */
export function createGate(): Gate {
  const queue: Waiting[] = [];
  let readers = 0;
  let writing = false;

  const moveUp = () => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (writing || (next.kind === 'write' && readers > 0)) return;
      queue.shift();
      next.admit();
    }
  };

  const leaveOnce = (kind: Waiting['kind']) => {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      if (kind === 'read') readers--;
      else writing = false;
      moveUp();
    };
  };

  const enter = (kind: Waiting['kind'], signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const waiting: Waiting = {
        kind,
        admit() {
          signal.removeEventListener('abort', giveUp);
          if (kind === 'read') readers++;
          else writing = true;
          resolve(leaveOnce(kind));
        },
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason);
        moveUp();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.push(waiting);
      moveUp();
    });

  const tryRead = () => {
    if (writing || queue.length > 0) return undefined;
    readers++;
    return leaveOnce('read');
  };

  return { tryRead, read: (signal) => enter('read', signal), write: (signal) => enter('write', signal) };
}
