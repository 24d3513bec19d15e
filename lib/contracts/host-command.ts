/** A command of the shell that runs beside the files instead of in a worker. Paths are absolute, as programs see them. */
export interface HostCommandRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where programs see the workspace. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Aborts when the program that runs it is ended. */
  readonly signal: AbortSignal;
}

export interface HostCommandAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Never rejects: what goes wrong is an exit code and words on `stderr`. */
export type HostCommand = (request: HostCommandRequest) => Promise<HostCommandAnswer>;
