import type { HostCommand } from '@/lib/contracts/host-command';
import type { SpawnWorker } from '@/lib/contracts/runtime';
import { CodedError } from '@/lib/shared/coded-error';
import type { Job, JobRequest, StartJob } from './job';
import type { MemoryFiles } from './memory-files';
import { type ProgramEnd, type ProgramHost, ProgramJob } from './program-job';
import { WORKSPACE_ROOT } from './program-path';
import { AnswerWriter, createAnswerMemory } from './shared-answers';
import { shellCommandLine } from './shell-words';
import { changeAt, takeSnapshot } from './snapshot-feed';
import { TerminalSession } from './terminal/terminal-session';
import { WorkerPool } from './worker-pool';

const SHELLS = new Set(['sh', 'bash', '/bin/sh', '/bin/bash', '/usr/bin/bash']);

/** Decides what runs a program, and keeps every running one so that all can be ended. */
export class Programs {
  readonly #files: MemoryFiles;
  readonly #sharedMemory: boolean;
  readonly #shells: WorkerPool;
  readonly #nodes: WorkerPool;
  readonly #running = new Set<Job>();
  readonly #host: ProgramHost;
  #lastPid = 100;
  #closed = false;

  constructor(files: MemoryFiles, spawnWorker: SpawnWorker, sharedMemory: boolean, commands: ReadonlyMap<string, HostCommand> = new Map()) {
    this.#files = files;
    this.#sharedMemory = sharedMemory;
    this.#shells = new WorkerPool(spawnWorker, 'shell');
    this.#nodes = new WorkerPool(spawnWorker, 'node');
    this.#host = { files, commands, start: (request) => this.#startAny(request), adopt: (job) => this.#keep(job) };
  }

  warm(): void {
    if (this.#closed) return;
    this.#shells.warm();
    this.#nodes.warm();
  }

  /** Fails `not-available` when the runtime was shut down or no worker can be had. */
  readonly start: StartJob = (request) => {
    if (this.#closed) throw new CodedError('not-available', 'The runtime was shut down.');
    return this.#keep(this.#startAny({ ...request, env: { ...defaultEnv(), ...request.env, PWD: request.cwd } }));
  };

  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running];
    for (const job of running) job.kill();
    await Promise.all(running.map((job) => job.exit));
    this.#shells.close();
    this.#nodes.close();
  }

  #keep<T extends Job>(job: T): T {
    this.#running.add(job);
    void job.exit.then(() => this.#running.delete(job));
    return job;
  }

  #startAny(request: JobRequest): Job {
    if (request.command === 'node') return this.#startNode(request);
    if (!SHELLS.has(request.command)) return this.#startShell(request, shellCommandLine([request.command, ...request.args]), []);
    const [first, script, , ...positional] = request.args;
    if (first === '-c' && script !== undefined) return this.#startShell(request, script, positional);
    const interactive = request.args.length === 0 || (request.args.length === 1 && first === '-i');
    if (interactive && request.terminal) return this.#startTerminal(request, request.terminal);
    return this.#startShell(request, shellCommandLine(['bash', ...request.args]), []);
  }

  #startShell(request: JobRequest, script: string, positional: readonly string[], onEnd?: (end: ProgramEnd) => void): Job {
    return new ProgramJob(this.#host, request, {
      worker: this.#shells.lease(),
      first: { type: 'shell', script, cwd: request.cwd, env: request.env, positional, hostCommands: [...this.#host.commands.keys()] },
      onIdle: (worker) => this.#shells.giveBack(worker),
      ...(onEnd && { onEnd }),
    });
  }

  #startTerminal(request: JobRequest, size: { readonly cols: number; readonly rows: number }): Job {
    return new TerminalSession({
      size,
      cwd: request.cwd,
      env: request.env,
      home: WORKSPACE_ROOT,
      write: (text) => request.onOutput(1, text),
      run: (line, state, terminal, onEnd) => this.#startShell({ ...request, ...state, terminal, onOutput: request.onOutput }, line, [], onEnd),
      complete: (folder) => (this.#files.stat(folder)?.kind === 'directory' ? this.#files.readdir(folder) : []),
    });
  }

  #startNode(request: JobRequest): Job {
    const memory = this.#sharedMemory ? createAnswerMemory() : undefined;
    const worker = this.#nodes.lease();
    const job = new ProgramJob(this.#host, request, {
      worker,
      ...(memory && { answers: new AnswerWriter(memory) }),
      first: {
        type: 'node',
        args: request.args,
        cwd: request.cwd,
        env: request.env,
        pid: ++this.#lastPid,
        files: memory ? { kind: 'shared', memory } : takeSnapshot(this.#files),
        terminal: request.terminal !== undefined,
      },
    });
    if (!memory) {
      const stop = this.#files.onChange((change, by) => {
        if (by !== job.self) worker.post({ type: 'changes', changes: [changeAt(this.#files, change.path)] });
      });
      void job.exit.then(stop);
    }
    return job;
  }
}

function defaultEnv(): Readonly<Record<string, string>> {
  return {
    HOME: WORKSPACE_ROOT,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    SHELL: '/bin/sh',
    USER: 'user',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    TMPDIR: '/tmp',
  };
}
