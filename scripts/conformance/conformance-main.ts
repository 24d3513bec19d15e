import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort } from 'node:worker_threads';
import { createGuardedRun, serveCases } from '@/lib/conformance/guarded-run';
import { describeNews, runFiles } from '@/lib/conformance/run-files';
import { systemClock } from '@/lib/shared/system-clock';
import { answerHelp } from '@/scripts/support/command-line';
import { caseThread } from './case-thread';
import { caseFolders, defaultFiles, readGiven } from './find-files';

const usage = `usage: npm run conformance [-- FILE…]

  FILE  a file of cases; without one: all below test/cases, and those of ../shared/cases where that is there

exit status: 0 every case passes
             1 a case fails, or a file holds what is no case`;

async function main(named: readonly string[]): Promise<void> {
  const folders = caseFolders(process.cwd());
  // npm runs a script in the project's folder; the names are those of where it was called.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const files = named.length > 0 ? named : defaultFiles(folders);
  const guarded = createGuardedRun(() => caseThread(fileURLToPath(import.meta.url)), systemClock);
  const { passed, failed } = await runFiles(readGiven(files, folders, cwd), guarded.run, (news) => console.log(`${describeNews(news)}\n`));
  guarded.close();
  const absent = named.length === 0 && !existsSync(folders.shared) ? ' (../shared absent: its data not tested)' : '';
  console.log(`${passed} passed, ${failed} failed${absent}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

if (isMainThread) {
  answerHelp(process.argv.slice(2), usage);
  await main(process.argv.slice(2));
} else if (parentPort !== null) {
  const port = parentPort;
  serveCases({ postMessage: (message) => port.postMessage(message), onMessage: (listener) => port.on('message', listener) });
}
