import type { ReadFiles } from '@/lib/contracts/tool-context';
import { addAFeatureWorkspace as starter } from '@/lib/practice/workspaces/add-a-feature';
import { firstChanged, judge, keepsTestScript, no, scriptsOf } from './judge';

const boatsPath = 'src/boats.ts';
const boats = ['Nightjar', 'Old Marjory', 'Petrel'] as const;
const isCrossing = (line: string): boolean => /^\d{4}-\d{2}-\d{2} /.test(line);

/** `boatTotals` is there and tested, every test passes, each boat's crossings are printed, and all of it is committed. */
export const checkAddAFeature = judge(async (files, runCommand, git) => {
  const changed = await firstChanged(files, starter, ['test/duration.test.ts', 'test/timetable.test.ts']);
  if (changed !== undefined) return no(`${changed} was changed; the tests that were there are to stay.`);
  if (!(await keepsTestScript(files, starter))) return no('The test script of package.json was changed.');
  if ((await files.stat(boatsPath)) === undefined || !/\bboatTotals\b/.test(await files.readText(boatsPath)))
    return no(`There is no boatTotals in ${boatsPath}.`);
  if (!(await isTested(files))) return no('No test speaks of boatTotals.');
  const ownCommand = scriptsOf(await files.readText('package.json'))['boats'] === undefined ? '' : ' && npm run boats';
  const { exitCode, output } = await runCommand({ command: `npm test && npm run report${ownCommand}` });
  if (exitCode !== 0) return no(`npm test and what is printed after it end with exit code ${exitCode}.`);
  const missing = boats.find((boat) => !isSummedUp(output.split('\n'), boat));
  if (missing !== undefined) return no(`Nothing that is printed says how many crossings ${missing} made.`);
  const [newest] = await git.log({ limit: 1, path: boatsPath });
  if (newest === undefined) return no(`${boatsPath} is not committed.`);
  const { paths } = await git.status();
  if (paths.length > 0) return no(`${paths.map(({ path }) => path).join(', ')}: not committed.`);
  return { passed: true, detail: `The boats are added up, printed, tested and committed: ${newest.message.split('\n', 1)[0]}.` };
});

async function isTested(files: ReadFiles): Promise<boolean> {
  for (const path of await files.listFiles({ path: 'test' })) if (/\bboatTotals\b/.test(await files.readText(path))) return true;
  return false;
}

/** The report itself names a boat in each line of its crossings: their number has to stand beside the name in another one. */
function isSummedUp(lines: readonly string[], boat: string): boolean {
  const crossings = lines.filter((line) => isCrossing(line) && line.includes(boat)).length;
  return lines.some((line) => !isCrossing(line) && line.includes(boat) && new RegExp(`\\b${crossings}\\b`).test(line));
}
