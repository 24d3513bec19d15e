import type { OutputChunk, OutputFd } from '@/lib/runtime/embedded/protocol';

/** Chunks that are sent at once; more in the same stretch are joined. */
const AT_ONCE = 64;
const STRETCH_MS = 16;
const JOINED_BYTES = 64 * 1024;

/** Sends a program's output: the first chunks of each stretch at once, a flood joined, so that a loop that prints does not drown the engine. */
export class OutputPacer {
  readonly #send: (fd: OutputFd, data: OutputChunk) => void;
  readonly #later: (act: () => void) => void;
  #stretchStart = 0;
  #sent = 0;
  #fd: OutputFd = 1;
  #held: string[] = [];
  #heldBytes = 0;
  #planned = false;

  constructor(send: (fd: OutputFd, data: OutputChunk) => void, later: (act: () => void) => void) {
    this.#send = send;
    this.#later = later;
  }

  write(fd: OutputFd, data: OutputChunk): void {
    const now = performance.now();
    if (now - this.#stretchStart > STRETCH_MS) {
      this.flush();
      this.#stretchStart = now;
      this.#sent = 0;
    }
    if (typeof data !== 'string' || (this.#sent < AT_ONCE && this.#held.length === 0)) {
      this.flush();
      this.#sent++;
      this.#send(fd, data);
      return;
    }
    if (fd !== this.#fd) this.flush();
    this.#fd = fd;
    this.#held.push(data);
    this.#heldBytes += data.length;
    if (this.#heldBytes >= JOINED_BYTES) this.flush();
    else if (!this.#planned) {
      this.#planned = true;
      this.#later(() => {
        this.#planned = false;
        this.flush();
      });
    }
  }

  flush(): void {
    if (this.#held.length === 0) return;
    const text = this.#held.join('');
    this.#held = [];
    this.#heldBytes = 0;
    this.#send(this.#fd, text);
  }
}
