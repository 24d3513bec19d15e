import type { RuntimeFile } from '@/lib/contracts/runtime';
import type { FileCall } from './sync-files';

/** Output of a program: text, or raw bytes of UTF-8 text that may end inside a character. */
export type OutputChunk = string | Uint8Array;
export type OutputFd = 1 | 2;

/** A program to start, as a worker asks for it. Paths are absolute. */
export interface StartRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface CollectedRun {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** What a program worker asks of the engine's side and gets an answer to. */
export type Call =
  | { readonly kind: 'file'; readonly call: FileCall }
  /** A command that runs beside the files; answers a HostCommandAnswer. */
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly stdin: string;
    }
  /** All of the program's input, once it has ended. */
  | { readonly kind: 'input' }
  /** Runs a program to its end. */
  | { readonly kind: 'run'; readonly request: StartRequest; readonly input: string; readonly timeoutMs?: number };

export type CallAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: string; readonly message: string };

/** Worker → engine. */
export type FromProgram =
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly id: number; readonly call: Call }
  /** The worker waits on shared memory for the answer. */
  | { readonly type: 'sync-call'; readonly call: Call }
  /** The worker has copied the part of an answer that is in shared memory, and waits for the next. */
  | { readonly type: 'sync-next' }
  /** A change in the worker's own snapshot, to be repeated on the engine's files. */
  | { readonly type: 'write'; readonly call: FileCall }
  /** From now on input is sent as it comes; before, it waits on the engine's side. */
  | { readonly type: 'want-input' }
  | { readonly type: 'output'; readonly fd: OutputFd; readonly data: OutputChunk }
  /** Starts a child. `live`: its output goes straight to this program's output, and this program's input to it. */
  | {
      readonly type: 'start';
      readonly child: number;
      readonly request: StartRequest;
      readonly live: { readonly output: boolean; readonly input: boolean };
      readonly detached: boolean;
    }
  | { readonly type: 'child-input'; readonly child: number; readonly text: string }
  | { readonly type: 'child-end-input'; readonly child: number }
  | { readonly type: 'child-kill'; readonly child: number }
  | { readonly type: 'exit'; readonly code: number; readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

/** Engine → worker. */
export type ToProgram =
  | {
      readonly type: 'shell';
      readonly script: string;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly positional: readonly string[];
      /** Names of the commands that run on the engine's side. */
      readonly hostCommands: readonly string[];
    }
  | {
      readonly type: 'node';
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly pid: number;
      readonly files: FilesAccess;
      readonly terminal: boolean;
    }
  | { readonly type: 'answer'; readonly id: number; readonly answer: CallAnswer }
  | { readonly type: 'input'; readonly text: string }
  | { readonly type: 'end-input' }
  | { readonly type: 'child-output'; readonly child: number; readonly fd: OutputFd; readonly data: OutputChunk }
  /** A child asks for its input for the first time. */
  | { readonly type: 'child-wants-input'; readonly child: number }
  | { readonly type: 'child-exit'; readonly child: number; readonly code: number }
  /** Changes that others made, for a worker with a snapshot. `bytes: null` removes, `directory` makes a folder. */
  | { readonly type: 'changes'; readonly changes: readonly SnapshotChange[] };

export type SnapshotChange = { readonly path: string; readonly bytes: Uint8Array | null } | { readonly path: string; readonly directory: true };

/** How a program's worker reaches files. */
export type FilesAccess =
  | { readonly kind: 'shared'; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'snapshot'; readonly files: readonly RuntimeFile[]; readonly directories: readonly string[] };

/** The worker's end of the port, whatever world it lives in. */
export interface WorkerScope {
  post(message: FromProgram): void;
  onMessage(listener: (message: ToProgram) => void): void;
  /** Runs a script whose value is its last expression; `name` is the file name in stack traces. */
  evaluate(code: string, name: string): unknown;
  /** Told of errors and rejections that nobody caught. */
  onUncaught(listener: (error: unknown, kind: 'error' | 'rejection') => void): void;
}
