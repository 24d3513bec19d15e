import type { DirectoryEntry } from '@/lib/contracts/runtime';
import { type Job, KILLED } from '@/lib/runtime/embedded/job';
import type { ProgramEnd } from '@/lib/runtime/embedded/program-job';
import { resolveAbsolute } from '@/lib/runtime/embedded/program-path';
import { quoteWord } from '@/lib/runtime/embedded/shell-words';
import { LineEditor } from './line-editor';

export interface TerminalSessionOptions {
  readonly size: { readonly cols: number; readonly rows: number };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly write: (text: string) => void;
  /** Runs one command line; `onEnd` tells folder and variables after it, unless it was killed. */
  readonly run: (line: string, state: ProgramEnd, size: { readonly cols: number; readonly rows: number }, onEnd: (end: ProgramEnd) => void) => Job;
  /** Entries of an absolute folder, for completion. */
  readonly complete: (folder: string) => readonly DirectoryEntry[];
}

/** Variables of the shell itself, which a next command line must not inherit. */
const OWN_VARIABLES = new Set(['SHELLOPTS', 'BASHOPTS', 'OPTIND', '_', 'IFS']);

/** An interactive shell: prompts, edits lines, runs one after another with the folder and variables of the one before. */
export class TerminalSession implements Job {
  readonly exit: Promise<number>;
  readonly #options: TerminalSessionOptions;
  readonly #editor: LineEditor;
  #state: ProgramEnd;
  #size: { readonly cols: number; readonly rows: number };
  #job: Job | undefined;
  #cooked = '';
  #unfinished = '';
  #lastCode = 0;
  #over = false;
  #waiting: string[] = [];
  #settle: (code: number) => void = () => undefined;

  constructor(options: TerminalSessionOptions) {
    this.#options = options;
    this.#state = { cwd: options.cwd, env: options.env };
    this.#size = options.size;
    this.#editor = new LineEditor(options.write, Math.max(options.size.cols, 2));
    this.exit = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#prompt();
  }

  input(text: string): void {
    if (!this.#over) this.#take([...text]);
  }

  endInput(): void {
    if (this.#job) this.#job.endInput();
    else this.#end(this.#lastCode);
  }

  kill(): void {
    this.#job?.kill();
    this.#end(KILLED);
  }

  resize(size: { readonly cols: number; readonly rows: number }): void {
    this.#size = size;
    this.#editor.cols = Math.max(size.cols, 2);
    this.#job?.resize(size);
  }

  #take(chars: readonly string[]): void {
    for (let i = 0; i < chars.length; i++) {
      const char = chars[i] ?? '';
      if (this.#over) return;
      if (this.#job) this.#toJob(this.#job, char);
      else if (this.#edit(char)) {
        // What was typed ahead of a command's end goes to the next prompt once it is known that the command did not read it.
        this.#waiting.push(...chars.slice(i + 1));
        return;
      }
    }
  }

  /** The terminal's own line discipline while a program runs. */
  #toJob(job: Job, char: string): void {
    const { write } = this.#options;
    if (char === '\x03') {
      write('^C\r\n');
      this.#cooked = '';
      job.kill();
    } else if (char === '\x04') {
      if (this.#cooked === '') job.endInput();
      else job.input(this.#cooked);
      this.#cooked = '';
    } else if (char === '\r' || char === '\n') {
      write('\r\n');
      job.input(`${this.#cooked}\n`);
      this.#cooked = '';
    } else if (char === '\x7f' || char === '\b') {
      if (this.#cooked === '') return;
      this.#cooked = [...this.#cooked].slice(0, -1).join('');
      write('\b \b');
    } else if (char >= ' ') {
      this.#cooked += char;
      write(char);
    }
  }

  /** True when a command was started. */
  #edit(char: string): boolean {
    const event = this.#editor.key(char);
    if (!event) return false;
    switch (event.type) {
      case 'complete':
        this.#complete(event.before);
        return false;
      case 'end':
        this.#options.write('exit\r\n');
        this.#end(this.#lastCode);
        return false;
      case 'interrupt':
        this.#unfinished = '';
        this.#lastCode = KILLED;
        this.#prompt();
        return false;
      case 'line':
        return this.#line(event.text);
    }
  }

  #line(text: string): boolean {
    this.#editor.remember(text);
    const whole = this.#unfinished + text;
    if (isUnfinished(whole)) {
      this.#unfinished = `${whole}\n`;
      this.#editor.begin('> ');
      return false;
    }
    this.#unfinished = '';
    const leave = /^\s*(?:exit|logout)(?:\s+(\d+))?\s*;?\s*$/.exec(whole);
    if (leave) {
      this.#end(leave[1] === undefined ? this.#lastCode : Number(leave[1]) & 255);
      return false;
    }
    if (whole.trim() === '') {
      this.#prompt();
      return false;
    }
    const script = this.#lastCode === 0 ? whole : `(exit ${this.#lastCode}); ${whole}`;
    const job = this.#options.run(script, this.#state, this.#size, ({ cwd, env }) => {
      this.#state = { cwd, env: Object.fromEntries(Object.entries(env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !OWN_VARIABLES.has(name))) };
    });
    this.#job = job;
    void job.exit.then((code) => {
      this.#job = undefined;
      this.#cooked = '';
      this.#lastCode = code;
      if (this.#over) return;
      this.#prompt();
      this.#take(this.#waiting.splice(0));
    });
    return true;
  }

  #complete(before: string): void {
    const word = /[^\s'"|;&<>()]*$/.exec(before)?.[0] ?? '';
    const slash = word.lastIndexOf('/') + 1;
    const start = word.slice(slash);
    const folder = resolveAbsolute(this.#state.cwd, word.slice(0, slash).replace(/^~(?=\/)/, this.#options.home));
    const found = this.#options.complete(folder).filter((entry) => entry.name.startsWith(start) && (start !== '' || !entry.name.startsWith('.')));
    const [only] = found;
    if (found.length === 1 && only) {
      const rest = only.name.slice(start.length);
      this.#editor.insert((rest === '' ? '' : quoteWord(rest)) + (only.kind === 'directory' ? '/' : ' '));
      return;
    }
    const shared = commonStart(found.map((entry) => entry.name)).slice(start.length);
    if (shared !== '') this.#editor.insert(shared);
    else if (found.length > 1) {
      this.#options.write(`\r\n${found.map((entry) => entry.name + (entry.kind === 'directory' ? '/' : '')).join('  ')}\r\n`);
      this.#editor.redraw();
    }
  }

  #prompt(): void {
    const { cwd } = this.#state;
    const { home } = this.#options;
    const shown = cwd === home ? '~' : cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
    this.#editor.begin(`\x1b[36m${shown}\x1b[0m $ `);
  }

  #end(code: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#settle(code);
  }
}

/** A quote that is still open, or a line that ends in a backslash or an operator that wants more. */
function isUnfinished(text: string): boolean {
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\' && quote !== "'") {
      if (i === text.length - 1) return true;
      i++;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && (i === 0 || /\s/.test(text[i - 1] ?? ''))) break;
  }
  return quote !== '' || /(?:\||&&)\s*$/.test(text);
}

function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
