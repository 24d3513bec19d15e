import type { TaskInfo } from '@/lib/contracts/commands';
import type { GitPort } from '@/lib/contracts/git';
import type { CommandRequest, CommandResult, ReadFiles } from '@/lib/contracts/tool-context';
import type { PracticeScript } from './script';
import type { StarterWorkspace } from './workspaces/workspace';

export interface TaskVerdict {
  readonly passed: boolean;
  /** One sentence for a person: what was found. */
  readonly detail: string;
}

/**
 * Says whether the workspace is in the state that the task asks for, whoever brought it there.
 *
 * In     `files`, `runCommand` and `git` of the task's workspace; it runs one command at most and changes nothing itself.
 * Fails  as the files and the command do; `judge` makes a verdict of that.
 */
export type TaskCheck = (
  files: ReadFiles,
  runCommand: (request: CommandRequest) => Promise<CommandResult>,
  git: Pick<GitPort, 'status' | 'log'>,
) => Promise<TaskVerdict>;

export interface PracticeTask extends TaskInfo {
  readonly workspace: StarterWorkspace;
  readonly script: PracticeScript;
  /** Never rejects: what cannot be read or run is a task that has not passed, with the reason. */
  readonly check: TaskCheck;
}
