import type { ReadFiles } from '@/lib/contracts/tool-context';
import type { TaskCheck, TaskVerdict } from '@/lib/practice/task';
import { type StarterWorkspace, starterText } from '@/lib/practice/workspaces/workspace';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';

/** A check whose own failures are a verdict too. */
export function judge(check: TaskCheck): TaskCheck {
  return async (...workspace) => {
    try {
      return await check(...workspace);
    } catch (error) {
      return no(codeOf(error) === 'not-found' ? 'A file of the task is missing.' : `The check could not run: ${messageOf(error)}`);
    }
  };
}

export function no(detail: string): TaskVerdict {
  return { passed: false, detail };
}

/** The first of these files in which the starter's text no longer stands, whole and at its place or below; undefined = none. */
export async function firstChanged(files: ReadFiles, workspace: StarterWorkspace, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (!(await files.readText(path)).includes(starterText(workspace, path).trimEnd())) return path;
  return undefined;
}

/** The tests are still run by what the starter runs them with. */
export async function keepsTestScript(files: ReadFiles, workspace: StarterWorkspace): Promise<boolean> {
  return scriptsOf(await files.readText('package.json'))['test'] === scriptsOf(starterText(workspace, 'package.json'))['test'];
}

export function scriptsOf(packageJson: string): JsonObject {
  const parsed: unknown = JSON.parse(packageJson);
  const scripts = isJsonObject(parsed) ? parsed['scripts'] : undefined;
  return isJsonObject(scripts) ? scripts : {};
}
