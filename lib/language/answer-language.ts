import { messageOf } from '@/lib/shared/coded-error';
import { jsonProblems } from './json-problems';
import { isJsonFile, isKnownFile, sourceEnding } from './known-files';
import { createProject } from './project';
import type { LanguageRequest, LanguageWorkerScope } from './protocol';

/** Makes a worker answer what is wrong with files, one message each, in order. */
export function answerLanguage(scope: LanguageWorkerScope, libraries: Readonly<Record<string, string>>): void {
  const project = createProject(libraries);
  const report = ({ files, paths, packagesUnknown }: LanguageRequest) => {
    for (const { path, text } of files) project.put(path, text);
    const asked = paths ?? project.paths().filter((path) => isKnownFile(path) && !path.split('/').includes('node_modules'));
    const checked = [...asked].sort().filter((path) => isKnownFile(path) && project.text(path) !== undefined);
    const found = checked.flatMap((path) =>
      isJsonFile(path) ? jsonProblems(path, project.text(path) ?? '') : sourceEnding.test(path) ? project.problems([path], packagesUnknown) : [],
    );
    return { checked, found };
  };
  scope.onMessage((request) => {
    try {
      scope.post({ id: request.id, ok: true, report: report(request) });
    } catch (error) {
      scope.post({ id: request.id, ok: false, message: messageOf(error) });
    }
  });
}
