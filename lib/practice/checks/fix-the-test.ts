import { fixTheTestWorkspace as starter } from '@/lib/practice/workspaces/fix-the-test';
import { firstChanged, judge, keepsTestScript, no } from './judge';

/** `npm test` passes, with the tests as they were; more may stand below them. */
export const checkFixTheTest = judge(async (files, runCommand) => {
  const changed = await firstChanged(files, starter, ['test/duration.test.ts', 'test/timetable.test.ts']);
  if (changed !== undefined) return no(`${changed} was changed; the bug is to be fixed in the source.`);
  if (!(await keepsTestScript(files, starter))) return no('The test script of package.json was changed; the bug is to be fixed in the source.');
  const { exitCode } = await runCommand({ command: 'npm test' });
  return exitCode === 0 ? { passed: true, detail: 'npm test passes, and the tests are as they were.' } : no(`npm test ends with exit code ${exitCode}.`);
});
