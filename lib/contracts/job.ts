import type { SpillRef } from './ids';
import type { CommandRequest } from './tool-context';

/** failed: ended with another exit code than 0. killed: cancelled, or its session closed. */
export type JobStatus = 'running' | 'completed' | 'failed' | 'killed' | 'timed-out';

/** One look at a background command: what is new since the look before. */
export interface JobLook {
  readonly taskId: string;
  readonly command: string;
  readonly status: JobStatus;
  /** Once it has ended. */
  readonly exitCode?: number;
  /** Output since the last look. */
  readonly output: string;
  /** Bytes of new output that were let go before anyone looked. */
  readonly lostBytes: number;
  /** Bytes it has written altogether. */
  readonly producedBytes: number;
  /** Milliseconds from its start to now, or to its end. */
  readonly runningMs: number;
  /** It was forgotten to make room: only its last bytes are known. */
  readonly stale: boolean;
  /** Its whole output is stored under this id. */
  readonly ref?: SpillRef;
}

/** Commands that run on while the conversation goes on, of one session. An unknown id rejects `not-available`. */
export interface ShellJobs {
  /** Needs `executes-code`. With `timeoutMs` it is stopped after so long. */
  start(request: CommandRequest & { readonly timeoutMs?: number }): Promise<{ readonly taskId: string }>;
  /** Waits up to `waitMs` for the end of the job, or for `output` if that is what is waited for; then answers what is new. */
  look(taskId: string, wait: { readonly waitMs: number; readonly until: 'end' | 'output' }): Promise<JobLook>;
  /** Needs `executes-code`. Writes to its standard input. Rejects `execution-failed` when it has ended or its input is closed. */
  input(taskId: string, text: string, closes: boolean): Promise<void>;
  /** Needs `executes-code` or `requires-approval`. Ends it and what it started; answers the last look. */
  cancel(taskId: string): Promise<JobLook>;
  /** Ids of the jobs that are running, oldest first. */
  running(): readonly string[];
}

/** Everything a job wrote. A runtime that merges the two streams gives all of it in `stdout`. */
export interface JobOutput {
  readonly stdout: string;
  readonly stderr: string;
}
