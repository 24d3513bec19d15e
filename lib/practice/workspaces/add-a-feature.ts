import { readSource } from '@/lib/practice/scripts/duration-bug';
import { fixTheTestWorkspace as ferryLog } from './fix-the-test';
import { type StarterCommit, type StarterWorkspace, starterText, type TextFile } from './workspace';

const durationPath = 'src/duration.ts';

/** The ferry line's log after its bug was mended: green, and ready for something new. */
function mended(): readonly TextFile[] {
  const source = starterText(ferryLog, durationPath);
  const bug = readSource(source);
  if (bug.kind !== 'broken') throw new Error('the ferry log has lost the bug that this workspace mends');
  return ferryLog.files.map((file) => (file.path === durationPath ? { path: durationPath, text: source.replace(bug.search, bug.replace) } : file));
}

const history: readonly StarterCommit[] = [
  ...ferryLog.history.map((commit) => ({ message: commit.message, files: commit.files ?? ferryLog.files })),
  { message: 'Round before the hours are split off' },
];

/** A ferry line's log whose tests pass: a place for a new feature. */
export const addAFeatureWorkspace: StarterWorkspace = { name: ferryLog.name, files: mended(), history };
