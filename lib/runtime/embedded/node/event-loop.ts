/** The clock functions of the worker itself, taken before programs can replace them. */
const startTimer = globalThis.setTimeout.bind(globalThis) as (act: () => void, ms?: number) => unknown;
const stopTimer = globalThis.clearTimeout.bind(globalThis) as (timer: unknown) => void;

/** Keeps count of what a program still waits for; a program with nothing left to wait for has ended. */
export class EventLoop {
  /** Told once when nothing is left. */
  onIdle: () => void = () => undefined;
  /** Told of an error that a callback threw. */
  onError: (error: unknown) => void = () => undefined;
  #held = 0;
  #checking = false;
  readonly #timers = new Map<number, Timeout>();
  #lastTimer = 0;

  /** Keeps the program alive until the answer is called. */
  hold(): () => void {
    this.#held++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#held--;
      this.check();
    };
  }

  /** Looks, once microtasks are through, whether anything is left. */
  check(): void {
    if (this.#checking || this.#held > 0) return;
    this.#checking = true;
    startTimer(() => {
      this.#checking = false;
      if (this.#held === 0) this.onIdle();
    });
  }

  /** Runs a callback of the program; what it throws is an uncaught error. */
  run(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.onError(error);
    }
  }

  /** Keeps the program alive while `promise` is open. */
  track<T>(promise: Promise<T>): Promise<T> {
    const release = this.hold();
    promise.then(release, release);
    return promise;
  }

  timer(act: (...args: unknown[]) => void, ms: number, repeat: boolean, args: readonly unknown[]): Timeout {
    if (typeof act !== 'function')
      throw Object.assign(new TypeError(`The "callback" argument must be of type function. Received ${act === null ? 'null' : typeof act}`), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    const id = ++this.#lastTimer;
    const timeout = new Timeout(
      this,
      id,
      () => act(...args),
      ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1,
      repeat,
      () => this.#timers.delete(id),
    );
    this.#timers.set(id, timeout);
    return timeout;
  }

  clear(timer: unknown): void {
    if (timer instanceof Timeout) timer.close();
    else if (timer !== undefined && timer !== null) this.#timers.get(Number(timer))?.close();
  }
}

/** What `setTimeout` answers in Node. */
export class Timeout {
  readonly #loop: EventLoop;
  readonly #id: number;
  readonly #act: () => void;
  readonly #ms: number;
  readonly #repeat: boolean;
  readonly #forget: () => void;
  #timer: unknown;
  #release: (() => void) | undefined;
  #referenced = true;
  #active = false;

  constructor(loop: EventLoop, id: number, act: () => void, ms: number, repeat: boolean, forget: () => void) {
    this.#loop = loop;
    this.#id = id;
    this.#act = act;
    this.#ms = ms;
    this.#repeat = repeat;
    this.#forget = forget;
    this.#start();
  }

  #start(): void {
    this.#active = true;
    if (this.#referenced) this.#release ??= this.#loop.hold();
    this.#timer = startTimer(() => {
      if (this.#repeat) {
        this.#loop.run(this.#act);
        if (this.#active) this.#start();
        return;
      }
      this.#active = false;
      this.#loop.run(this.#act);
      if (!this.#active) this.close();
    }, this.#ms);
  }

  close(): this {
    this.#active = false;
    stopTimer(this.#timer);
    this.#forget();
    this.#release?.();
    this.#release = undefined;
    return this;
  }

  refresh(): this {
    stopTimer(this.#timer);
    this.#start();
    return this;
  }

  ref(): this {
    this.#referenced = true;
    if (this.#active) this.#release ??= this.#loop.hold();
    return this;
  }

  unref(): this {
    this.#referenced = false;
    this.#release?.();
    this.#release = undefined;
    return this;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }
}
