import type { FileWrite } from '@/lib/contracts/store';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import type { Schedule } from './change-groups';

export interface WriteBehindPorts {
  readonly write: (writes: readonly FileWrite[]) => Promise<void>;
  /** What is at `path` now. */
  readonly read: (path: string) => FileWrite;
  readonly onProblem: (message: string) => void;
  readonly schedule: Schedule;
}

const DEBOUNCE_MS = 150;
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000] as const;

/**
 * Writes changed paths to the store a moment after they change.
 *
 * Order  a path is read when it is written, so the store ends at the newest state however writes interleave; one write at a time.
 * Fails  never on its own: a failed write is told to `onProblem`, its paths stay dirty and are tried again.
 */
export class WriteBehind {
  readonly #ports: WriteBehindPorts;
  readonly #dirty = new Set<string>();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #failures = 0;
  #stopped = false;

  constructor(ports: WriteBehindPorts) {
    this.#ports = ports;
  }

  mark(path: string): void {
    this.#dirty.delete(path);
    this.#dirty.add(path);
    if (this.#failures === 0 && !this.#writing) this.#later(DEBOUNCE_MS);
  }

  /** Awaits until everything marked so far is durable. Fails `storage-failed` when the attempt fails; it is tried again later all the same. */
  async flush(): Promise<void> {
    while (this.#writing || this.#dirty.size > 0) {
      const failures = this.#failures;
      await (this.#writing ?? this.#write());
      if (this.#failures > failures)
        throw new CodedError('storage-failed', 'The last file changes are in memory but could not be stored yet; storing is tried again.');
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #later(delayMs: number): void {
    if (this.#stopped || this.#cancel) return;
    this.#cancel = this.#ports.schedule(() => {
      this.#cancel = undefined;
      if (!this.#writing) void this.#write();
    }, delayMs);
  }

  #write(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const paths = [...this.#dirty];
    this.#dirty.clear();
    const attempt = paths.length === 0 ? Promise.resolve() : this.#ports.write(paths.map((path) => this.#ports.read(path)));
    this.#writing = attempt.then(
      () => {
        this.#failures = 0;
        this.#writing = undefined;
        if (this.#dirty.size > 0) this.#later(DEBOUNCE_MS);
      },
      (error: unknown) => {
        for (const path of paths) this.#dirty.add(path);
        this.#writing = undefined;
        this.#later(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? 30_000);
        this.#failures++;
        this.#ports.onProblem(`File changes could not be stored (${messageOf(error)}). They are safe in memory and are tried again.`);
      },
    );
    return this.#writing;
  }
}
