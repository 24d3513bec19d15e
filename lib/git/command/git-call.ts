import type { HostCommandAnswer } from '@/lib/contracts/host-command';
import type { RuntimeFileSystem } from '@/lib/contracts/runtime';
import type { CommitAuthor } from '@/lib/git/first-commit';

/** One `git …` as it was typed, and what it acts on. */
export interface GitCall {
  readonly fs: RuntimeFileSystem;
  /** Without `git`, its global options and the name of the sub-command. */
  readonly args: readonly string[];
  /** Absolute folder it was typed in, and the absolute root of the workspace. */
  readonly cwd: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** `-c name=value` options. */
  readonly config: ReadonlyMap<string, string>;
  readonly now: () => number;
  readonly author: CommitAuthor;
  readonly signal: AbortSignal;
}

export type GitCommand = (call: GitCall) => Promise<HostCommandAnswer>;

/** Ends a git command at once, with what it says and its exit code. */
export class GitEnd extends Error {
  readonly answer: HostCommandAnswer;
  constructor(stderr: string, exitCode: number, stdout = '') {
    super(stderr);
    this.answer = { stdout, stderr: stderr === '' || stderr.endsWith('\n') ? stderr : `${stderr}\n`, exitCode };
  }
}

/** `fatal: …`, exit code 128. */
export function fatal(message: string): GitEnd {
  return new GitEnd(`fatal: ${message}`, 128);
}

export function said(stdout: string, stderr = '', exitCode = 0): HostCommandAnswer {
  return { stdout, stderr, exitCode };
}
