import type { HostCommand, HostCommandAnswer } from '@/lib/contracts/host-command';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';
import { type Job, type JobRequest, KILLED, NOT_FOUND, type StartJob } from './job';
import type { MemoryFiles, Writer } from './memory-files';
import { WORKSPACE_ROOT } from './program-path';
import type { Call, CallAnswer, CollectedRun, FromProgram, OutputChunk, OutputFd, ToProgram } from './protocol';
import type { AnswerWriter } from './shared-answers';
import { runFileCall } from './sync-files';
import type { LeasedWorker } from './worker-pool';

export interface ProgramHost {
  readonly files: MemoryFiles;
  /** Commands that run here instead of in a worker. */
  readonly commands: ReadonlyMap<string, HostCommand>;
  readonly start: StartJob;
  /** A job that outlives its parent (`command &`) is kept track of here, so that the end of the runtime ends it. */
  readonly adopt: (job: Job) => void;
}

/** What a program left behind when it ended by itself. */
export interface ProgramEnd {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProgramWorker {
  readonly worker: LeasedWorker;
  readonly first: ToProgram;
  readonly answers?: AnswerWriter;
  /** Called with the worker when the program ended by itself and nothing of it is left. */
  readonly onIdle?: (worker: LeasedWorker) => void;
  readonly onEnd?: (end: ProgramEnd) => void;
}

/** A program in a worker, on the engine's side: its calls on files, its children, its output, its end. */
export class ProgramJob implements Job {
  readonly exit: Promise<number>;
  readonly #host: ProgramHost;
  readonly #request: JobRequest;
  readonly #program: ProgramWorker;
  /** The marker of this program's own changes, see `MemoryFiles.actingAs`. */
  readonly self: Writer;
  readonly #children = new Map<number, Job>();
  readonly #detached = new Set<Job>();
  readonly #terminals = new Set<Job>();
  readonly #heldInput: string[] = [];
  #inputWanted = false;
  #whenInputEnds: (() => void) | undefined;
  #settle: (code: number) => void = () => undefined;
  #over = false;
  readonly #stopped = new AbortController();
  #inputEnded = false;

  constructor(host: ProgramHost, request: JobRequest, program: ProgramWorker) {
    this.#host = host;
    this.#request = request;
    this.#program = program;
    this.self = { actor: request.actor };
    this.exit = new Promise((resolve) => {
      this.#settle = resolve;
    });
    program.worker.listen(
      (message) => this.#receive(message),
      (message) => this.#fail(message),
    );
    program.worker.post(program.first);
  }

  input(text: string): void {
    if (this.#inputWanted) this.#post({ type: 'input', text });
    else this.#heldInput.push(text);
  }

  endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    this.#whenInputEnds?.();
    if (this.#inputWanted) this.#post({ type: 'end-input' });
  }

  kill(): void {
    if (this.#over) return;
    for (const job of this.#detached) job.kill();
    this.#end(KILLED, false);
  }

  resize(size: { readonly cols: number; readonly rows: number }): void {
    for (const job of this.#terminals) job.resize(size);
  }

  #post(message: ToProgram): void {
    if (!this.#over) this.#program.worker.post(message);
  }

  #receive(message: FromProgram): void {
    if (this.#over) return;
    switch (message.type) {
      case 'ready':
        return;
      case 'output':
        return this.#request.onOutput(message.fd, message.data);
      case 'call':
        return this.#answer(message.call, (answer) => this.#post({ type: 'answer', id: message.id, answer }));
      case 'sync-call':
        return this.#answer(message.call, (answer) => {
          if (!this.#over) this.#program.answers?.answer(answer);
        });
      case 'sync-next':
        return this.#program.answers?.next();
      case 'want-input':
        this.#inputWanted = true;
        this.#request.onInputWanted?.();
        for (const text of this.#heldInput.splice(0)) this.#post({ type: 'input', text });
        if (this.#inputEnded) this.#post({ type: 'end-input' });
        return;
      case 'write':
        try {
          this.#host.files.actingAs(this.self, () => runFileCall(this.#host.files, message.call));
        } catch (error) {
          this.#request.onOutput(2, `${message.call.op}: ${messageOf(error)}\n`);
        }
        return;
      case 'start':
        return this.#startChild(message);
      case 'child-input':
        return this.#children.get(message.child)?.input(message.text);
      case 'child-end-input':
        return this.#children.get(message.child)?.endInput();
      case 'child-kill':
        return this.#children.get(message.child)?.kill();
      case 'exit':
        if (message.cwd !== undefined && message.env !== undefined) this.#program.onEnd?.({ cwd: message.cwd, env: message.env });
        return this.#end(message.code, true);
    }
  }

  #answer(call: Call, tell: (answer: CallAnswer) => void): void {
    if (call.kind === 'input') {
      const answer = (): void => tell({ ok: true, value: this.#heldInput.splice(0).join('') });
      this.#whenInputEnds = answer;
      this.#request.onInputWanted?.();
      if (this.#inputEnded) answer();
      return;
    }
    if (call.kind === 'command') {
      void this.#runHere(call).then((value) => tell({ ok: true, value }));
      return;
    }
    if (call.kind === 'run') {
      this.#runToEnd(call).then(
        (value) => tell({ ok: true, value }),
        (error: unknown) => tell({ ok: false, code: codeOf(error) ?? 'failed', message: messageOf(error) }),
      );
      return;
    }
    try {
      tell({ ok: true, value: this.#host.files.actingAs(this.self, () => runFileCall(this.#host.files, call.call)) });
    } catch (error) {
      tell({ ok: false, code: codeOf(error) ?? 'failed', message: messageOf(error) });
    }
  }

  async #runHere({ name, args, cwd, env, stdin }: Extract<Call, { kind: 'command' }>): Promise<HostCommandAnswer> {
    const command = this.#host.commands.get(name);
    if (command === undefined) return { stdout: '', stderr: `${name}: command not found\n`, exitCode: NOT_FOUND };
    return command({ args, cwd, root: WORKSPACE_ROOT, env, stdin, signal: this.#stopped.signal });
  }

  async #runToEnd(call: Extract<Call, { kind: 'run' }>): Promise<CollectedRun & { readonly timedOut: boolean }> {
    const out: Record<OutputFd, Uint8Array[]> = { 1: [], 2: [] };
    const job = this.#host.start({ ...call.request, actor: this.#request.actor, onOutput: (fd, data) => out[fd].push(bytesOf(data)) });
    const id = -1 - this.#children.size;
    this.#children.set(id, job);
    let timedOut = false;
    const timer =
      call.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            job.kill();
          }, call.timeoutMs);
    if (call.input !== '') job.input(call.input);
    job.endInput();
    const code = await job.exit;
    clearTimeout(timer);
    this.#children.delete(id);
    return { code, stdout: joinBytes(out[1]), stderr: joinBytes(out[2]), timedOut };
  }

  #startChild(message: Extract<FromProgram, { type: 'start' }>): void {
    const { child, live, detached } = message;
    let open = true;
    const onOutput = (fd: OutputFd, data: OutputChunk): void => {
      if (!open && !detached) return;
      if (!live.output) this.#post({ type: 'child-output', child, fd, data });
      else if (!this.#over) this.#request.onOutput(fd, data);
    };
    const terminal = live.input && live.output ? this.#request.terminal : undefined;
    const onInputWanted = (): void => this.#post({ type: 'child-wants-input', child });
    let job: Job;
    try {
      job = this.#host.start({ ...message.request, actor: this.#request.actor, onOutput, onInputWanted, ...(terminal && { terminal }) });
    } catch (error) {
      onOutput(2, `${message.request.command}: ${messageOf(error)}\n`);
      return this.#post({ type: 'child-exit', child, code: 126 });
    }
    if (detached) {
      this.#detached.add(job);
      this.#host.adopt(job);
      job.endInput();
    }
    this.#children.set(child, job);
    if (terminal) this.#terminals.add(job);
    void job.exit.then((code) => {
      open = false;
      this.#children.delete(child);
      this.#detached.delete(job);
      this.#terminals.delete(job);
      this.#post({ type: 'child-exit', child, code });
    });
  }

  #fail(message: string): void {
    if (this.#over) return;
    this.#request.onOutput(2, `The program's worker failed: ${message}\n`);
    this.#end(1, false);
  }

  #end(code: number, byItself: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopped.abort(new CodedError('cancelled', 'the program was ended'));
    const attached = [...this.#children.values()].filter((job) => !this.#detached.has(job));
    for (const job of attached) job.kill();
    if (byItself && attached.length === 0 && this.#program.onIdle) this.#program.onIdle(this.#program.worker);
    else this.#program.worker.end();
    this.#settle(code);
  }
}

function bytesOf(data: OutputChunk): Uint8Array {
  return typeof data === 'string' ? encodeUtf8(data) : data;
}

/** One array out of many. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
