import EventEmitter from 'events';

interface InputStream {
  on(event: string, listener: (...args: never[]) => void): unknown;
  removeListener(event: string, listener: (...args: never[]) => void): unknown;
  resume?(): unknown;
  pause?(): unknown;
  setEncoding?(encoding: string): unknown;
}
interface InterfaceOptions {
  readonly input: InputStream;
  readonly output?: { write(text: string): unknown };
  readonly prompt?: string;
}

/** A reader of lines; the terminal itself edits and echoes them. */
class Interface extends EventEmitter {
  line = '';
  closed = false;
  readonly #options: InterfaceOptions;
  #prompt: string;
  #rest = '';
  #answer: ((line: string) => void) | undefined;
  readonly #onData = (chunk: unknown): void => this.#take(String(chunk));
  readonly #onEnd = (): void => {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    this.close();
  };

  constructor(options: InterfaceOptions) {
    super();
    this.#options = options;
    this.#prompt = options.prompt ?? '> ';
    options.input.setEncoding?.('utf8');
    options.input.on('data', this.#onData as never);
    options.input.on('end', this.#onEnd as never);
  }

  setPrompt(prompt: string): void {
    this.#prompt = prompt;
  }
  getPrompt(): string {
    return this.#prompt;
  }
  prompt(): void {
    this.#options.output?.write(this.#prompt);
  }
  write(text: string): void {
    this.#take(text);
  }
  pause(): this {
    this.#options.input.pause?.();
    return this;
  }
  resume(): this {
    this.#options.input.resume?.();
    return this;
  }
  question(query: string, options: unknown, done?: (answer: string) => void): void {
    this.#options.output?.write(query);
    this.#answer = typeof options === 'function' ? (options as (answer: string) => void) : done;
  }
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#options.input.removeListener('data', this.#onData as never);
    this.#options.input.pause?.();
    this.emit('close');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines: string[] = [];
    let wake: () => void = () => undefined;
    this.on('line', (line: string) => {
      lines.push(line);
      wake();
    });
    this.on('close', () => wake());
    for (;;) {
      const line = lines.shift();
      if (line !== undefined) yield line;
      else if (this.closed) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer) answer(line);
    else this.emit('line', line);
  }
}

/** `node:readline`, and `node:readline/promises` under `promises`. */
export const readlineModule = {
  Interface,
  createInterface: (options: InterfaceOptions | InputStream, output?: InterfaceOptions['output']) =>
    new Interface('input' in options ? options : { input: options, ...(output && { output }) }),
  clearLine: () => true,
  cursorTo: () => true,
  moveCursor: () => true,
  promises: {
    createInterface(options: InterfaceOptions) {
      const reader = new Interface(options);
      const ask = reader.question.bind(reader);
      return Object.assign(reader, { question: (query: string) => new Promise<string>((resolve) => ask(query, resolve)) });
    },
  },
};
