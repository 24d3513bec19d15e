import type { FileSystemChange } from '@/lib/contracts/runtime';

/** Runs `act` once after `delayMs`; returns the cancel. */
export type Schedule = (act: () => void, delayMs: number) => () => void;

export const scheduleByTimer: Schedule = (act, delayMs) => {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
};

/** Source: the runtime contract, changes are told at most every 50 ms. */
const GROUP_MS = 40;

/** Collects changes and tells each listener those below its path, in groups; the last kind of a path wins. */
export class ChangeGroups {
  readonly #listeners = new Map<symbol, { readonly path: string; readonly listener: (changes: readonly FileSystemChange[]) => void }>();
  readonly #schedule: Schedule;
  #pending = new Map<string, FileSystemChange['kind']>();
  #cancel: (() => void) | undefined;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** `path` is normal and workspace-relative; '' watches everything. Returns the unsubscribe. */
  watch(path: string, listener: (changes: readonly FileSystemChange[]) => void): () => void {
    const key = Symbol(path);
    this.#listeners.set(key, { path, listener });
    return () => this.#listeners.delete(key);
  }

  add(path: string, kind: FileSystemChange['kind']): void {
    if (this.#listeners.size === 0) return;
    this.#pending.delete(path);
    this.#pending.set(path, kind);
    this.#cancel ??= this.#schedule(() => this.#tell(), GROUP_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#listeners.clear();
  }

  #tell(): void {
    const changes = [...this.#pending].map(([path, kind]) => ({ path, kind }));
    this.#pending = new Map();
    this.#cancel = undefined;
    for (const { path, listener } of [...this.#listeners.values()]) {
      const below = path === '' ? changes : changes.filter((change) => change.path === path || change.path.startsWith(`${path}/`));
      if (below.length > 0) listener(below);
    }
  }
}
