import { CodedError } from '@/lib/shared/coded-error';
import type { Call, OutputChunk, OutputFd, StartRequest, ToProgram, WorkerScope } from './protocol';
import type { FileCall } from './sync-files';

export interface ChildHandle {
  readonly exit: Promise<number>;
  input(text: string): void;
  endInput(): void;
  kill(): void;
}

export interface StartOptions {
  readonly live: { readonly output: boolean; readonly input: boolean };
  readonly detached?: boolean;
  readonly onOutput?: (fd: OutputFd, data: OutputChunk) => void;
  /** The child asks for its input for the first time. */
  readonly onInputWanted?: () => void;
}

/** A program worker's line to the engine's side: calls with answers, children, standard input. */
export class ProgramLink {
  readonly input = new InputQueue();
  readonly #scope: WorkerScope;
  readonly #waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void }>();
  readonly #children = new Map<number, { readonly options: StartOptions; readonly settle: (code: number) => void }>();
  #lastId = 0;

  constructor(scope: WorkerScope) {
    this.#scope = scope;
  }

  output(fd: OutputFd, data: OutputChunk): void {
    if (data.length > 0) this.#scope.post({ type: 'output', fd, data });
  }

  call(call: Call): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#scope.post({ type: 'call', id, call });
    });
  }

  file(call: FileCall): Promise<unknown> {
    return this.call({ kind: 'file', call });
  }

  start(request: StartRequest, options: StartOptions): ChildHandle {
    const child = ++this.#lastId;
    const exit = new Promise<number>((resolve) => {
      this.#children.set(child, { options, settle: resolve });
    });
    this.#scope.post({ type: 'start', child, request, live: options.live, detached: options.detached ?? false });
    return {
      exit,
      input: (text) => this.#scope.post({ type: 'child-input', child, text }),
      endInput: () => this.#scope.post({ type: 'child-end-input', child }),
      kill: () => this.#scope.post({ type: 'child-kill', child }),
    };
  }

  /** Takes what is meant for the link; false = it is something else. */
  receive(message: ToProgram): boolean {
    switch (message.type) {
      case 'answer': {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        if (message.answer.ok) waiting?.resolve(message.answer.value);
        else waiting?.reject(new CodedError(message.answer.code, message.answer.message));
        return true;
      }
      case 'input':
        this.input.push(message.text);
        return true;
      case 'end-input':
        this.input.end();
        return true;
      case 'child-output':
        this.#children.get(message.child)?.options.onOutput?.(message.fd, message.data);
        return true;
      case 'child-wants-input':
        this.#children.get(message.child)?.options.onInputWanted?.();
        return true;
      case 'child-exit':
        this.#children.get(message.child)?.settle(message.code);
        this.#children.delete(message.child);
        return true;
      default:
        return false;
    }
  }
}

/** Standard input as it arrives: taken by line, or whole at its end. */
export class InputQueue {
  #text = '';
  #ended = false;
  #wake: (() => void) | undefined;
  #onData: ((text: string | undefined) => void) | undefined;

  push(text: string): void {
    if (this.#onData) return this.#onData(text);
    this.#text += text;
    this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onData?.(undefined);
    this.#wake?.();
  }

  reset(): void {
    this.#text = '';
    this.#ended = false;
    this.#onData = undefined;
  }

  /** From now on everything goes to `listener`, until `unlisten`; undefined is the end. */
  listen(listener: (text: string | undefined) => void): void {
    this.#onData = listener;
    const text = this.#text;
    this.#text = '';
    if (text !== '') listener(text);
    if (this.#ended) listener(undefined);
  }

  unlisten(): void {
    this.#onData = undefined;
  }

  /** The next line with its newline; what is left at the end; '' when there is nothing more. */
  async line(): Promise<string> {
    for (;;) {
      const at = this.#text.indexOf('\n');
      if (at >= 0 || this.#ended) return this.#take(at >= 0 ? at + 1 : this.#text.length);
      await this.#more();
    }
  }

  /** Everything up to the end of input. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#more();
    return this.#take(this.#text.length);
  }

  #take(length: number): string {
    const taken = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return taken;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
