import type { OutputChunk, OutputFd, StartRequest } from './protocol';

export interface JobRequest extends StartRequest {
  readonly onOutput: (fd: OutputFd, data: OutputChunk) => void;
  /** Told when the program first asks for its input. */
  readonly onInputWanted?: () => void;
  readonly terminal?: { readonly cols: number; readonly rows: number };
  /** Whose changes its changes are, and those of what it starts. */
  readonly actor?: string | undefined;
}

/** A running program on the engine's side. */
export interface Job {
  /** Settles once all output was told. Never rejects. */
  readonly exit: Promise<number>;
  input(text: string): void;
  endInput(): void;
  /** Ends it and what it started; `exit` settles with 130. */
  kill(): void;
  resize(size: { readonly cols: number; readonly rows: number }): void;
}

export type StartJob = (request: JobRequest) => Job;

/** Source: 128 + SIGINT, as shells report it. */
export const KILLED = 130;

/** Source: POSIX, a command that was not found. */
export const NOT_FOUND = 127;
