type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

interface MockCall {
  readonly arguments: readonly unknown[];
  readonly result: unknown;
  readonly error: unknown;
  readonly this: unknown;
  readonly stack: Error;
}

class MockContext {
  readonly calls: MockCall[] = [];
  implementation: AnyFunction;
  readonly #original: AnyFunction;
  readonly #once = new Map<number, AnyFunction>();
  readonly #restore: () => void;

  constructor(original: AnyFunction, implementation: AnyFunction, restore: () => void) {
    this.#original = original;
    this.implementation = implementation;
    this.#restore = restore;
  }

  callCount(): number {
    return this.calls.length;
  }
  mockImplementation(implementation: AnyFunction): void {
    this.implementation = implementation;
  }
  mockImplementationOnce(implementation: AnyFunction, onCall = this.calls.length): void {
    this.#once.set(onCall, implementation);
  }
  resetCalls(): void {
    this.calls.length = 0;
  }
  restore(): void {
    this.implementation = this.#original;
    this.#restore();
  }

  run(self: unknown, args: readonly unknown[]): unknown {
    const at = this.calls.length;
    const act = this.#once.get(at) ?? this.implementation;
    this.#once.delete(at);
    const record = (result: unknown, error: unknown): void => void this.calls.push({ arguments: args, result, error, this: self, stack: new Error('call') });
    try {
      const result = act.apply(self, [...args]);
      record(result, undefined);
      return result;
    } catch (error) {
      record(undefined, error);
      throw error;
    }
  }
}

/** `mock` of `node:test`: functions and methods; its timers are not available here. */
export class Mock {
  readonly #contexts: MockContext[] = [];

  fn(original: AnyFunction = () => undefined, implementation?: AnyFunction): AnyFunction & { mock: MockContext } {
    return this.#wrap(original, typeof implementation === 'function' ? implementation : original, () => undefined);
  }

  method(owner: object, name: PropertyKey, implementation?: AnyFunction): AnyFunction & { mock: MockContext } {
    const members = owner as Record<PropertyKey, unknown>;
    const original = members[name];
    if (typeof original !== 'function')
      throw Object.assign(new TypeError(`The argument 'methodName' must be a method. Received ${String(original)}`), { code: 'ERR_INVALID_ARG_VALUE' });
    const own = Object.getOwnPropertyDescriptor(owner, name);
    const wrapped = this.#wrap(original as AnyFunction, typeof implementation === 'function' ? implementation : (original as AnyFunction), () => {
      if (own) Object.defineProperty(owner, name, own);
      else delete members[name];
    });
    Object.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: own?.enumerable ?? true });
    return wrapped;
  }

  reset(): void {
    this.restoreAll();
    this.#contexts.length = 0;
  }

  restoreAll(): void {
    for (const context of [...this.#contexts].reverse()) context.restore();
  }

  #wrap(original: AnyFunction, implementation: AnyFunction, restore: () => void): AnyFunction & { mock: MockContext } {
    const context = new MockContext(original, implementation, restore);
    this.#contexts.push(context);
    return Object.assign(
      function (this: unknown, ...args: unknown[]) {
        return context.run(this, args);
      },
      { mock: context },
    );
  }
}
