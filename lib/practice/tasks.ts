import { checkAddAFeature } from './checks/add-a-feature';
import { checkFixTheTest } from './checks/fix-the-test';
import { checkWatchItMisbehave } from './checks/watch-it-misbehave';
import type { PracticeScript } from './script';
import { addAFeaturePrompt, addAFeatureScript } from './scripts/add-a-feature';
import { fixTheTestPrompt, fixTheTestScript } from './scripts/fix-the-test';
import { watchItMisbehavePrompt, watchItMisbehaveScript } from './scripts/watch-it-misbehave';
import type { PracticeTask } from './task';
import { addAFeatureWorkspace } from './workspaces/add-a-feature';
import { fixTheTestWorkspace } from './workspaces/fix-the-test';
import { watchItMisbehaveWorkspace } from './workspaces/watch-it-misbehave';

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
    check: checkFixTheTest,
  },
  {
    taskId: addAFeatureScript.taskId,
    title: addAFeatureScript.title,
    description:
      'The ferry line wants to know what each boat did. A plan, parallel reads, a question whose answer decides what is built, a new file, an edit, one patch over several files, the tests, and a commit whose message you see first.',
    prompt: addAFeaturePrompt,
    workspace: addAFeatureWorkspace,
    script: addAFeatureScript,
    check: checkAddAFeature,
  },
  {
    taskId: watchItMisbehaveScript.taskId,
    title: watchItMisbehaveScript.title,
    description:
      'The model does wrong on purpose: calls written as text, crooked and cut arguments, wrong names, circles, 200 KB of output, a blind write, a file that orders it to delete the sources. Every guard does its work, and it says which.',
    prompt: watchItMisbehavePrompt,
    workspace: watchItMisbehaveWorkspace,
    script: watchItMisbehaveScript,
    check: checkWatchItMisbehave,
  },
];

/** The task of this id; undefined when there is none. */
export function findTask(taskId: string): PracticeTask | undefined {
  return practiceTasks.find((task) => task.taskId === taskId);
}

/** The scripts of all tasks, as the practice endpoint wants them. */
export const practiceScripts: readonly PracticeScript[] = practiceTasks.map((task) => task.script);
