import type { TaskInfo } from '@/lib/contracts/commands';
import type { CommandRequest, CommandResult, ReadFiles } from '@/lib/contracts/tool-context';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { isJsonObject, type Json } from '@/lib/shared/json';
import type { PracticeScript } from './script';
import { fixTheTestPrompt, fixTheTestScript } from './scripts/fix-the-test';
import { fixTheTestWorkspace } from './workspaces/fix-the-test';
import { type StarterWorkspace, starterText } from './workspaces/workspace';

export interface TaskVerdict {
  readonly passed: boolean;
  /** One sentence for a person: what was found. */
  readonly detail: string;
}

export interface PracticeTask extends TaskInfo {
  readonly workspace: StarterWorkspace;
  readonly script: PracticeScript;
  /**
   * Says whether the workspace is in the state that the task asks for, whoever brought it there.
   *
   * In     `files` and `runCommand` of the task's workspace; it runs one command and changes nothing itself.
   * Fails  never: what cannot be read or run is a task that has not passed, with the reason.
   */
  check(files: ReadFiles, runCommand: (request: CommandRequest) => Promise<CommandResult>): Promise<TaskVerdict>;
}

const testPaths = ['test/duration.test.ts', 'test/timetable.test.ts'] as const;

/** Every practice task, in the order they are offered. */
export const practiceTasks: readonly PracticeTask[] = [
  {
    taskId: fixTheTestScript.taskId,
    title: fixTheTestScript.title,
    description:
      'A small ferry line keeps its log in TypeScript, and one test fails. Reads in parallel, an edit as a diff, a command that asks, a long result that is cut and fetched back.',
    prompt: fixTheTestPrompt,
    workspace: fixTheTestWorkspace,
    script: fixTheTestScript,
    async check(files, runCommand) {
      try {
        for (const path of testPaths) {
          const kept = await files.readText(path);
          if (!kept.includes(starterText(fixTheTestWorkspace, path).trimEnd()))
            return { passed: false, detail: `${path} was changed; the bug is to be fixed in the source.` };
        }
        if (testScriptOf(await files.readText('package.json')) !== testScriptOf(starterText(fixTheTestWorkspace, 'package.json')))
          return { passed: false, detail: 'The test script of package.json was changed; the bug is to be fixed in the source.' };
        const { exitCode } = await runCommand({ command: 'npm test' });
        return exitCode === 0
          ? { passed: true, detail: 'npm test passes, and the tests are as they were.' }
          : { passed: false, detail: `npm test ends with exit code ${exitCode}.` };
      } catch (error) {
        return { passed: false, detail: codeOf(error) === 'not-found' ? 'A file of the task is missing.' : `The check could not run: ${messageOf(error)}` };
      }
    },
  },
];

function testScriptOf(packageJson: string): Json | undefined {
  const parsed: unknown = JSON.parse(packageJson);
  const scripts = isJsonObject(parsed) ? parsed['scripts'] : undefined;
  return isJsonObject(scripts) ? scripts['test'] : undefined;
}

/** The task of this id; undefined when there is none. */
export function findTask(taskId: string): PracticeTask | undefined {
  return practiceTasks.find((task) => task.taskId === taskId);
}

/** The scripts of all tasks, as the practice endpoint wants them. */
export const practiceScripts: readonly PracticeScript[] = practiceTasks.map((task) => task.script);
