import type { GivenFile } from '@/lib/conformance/gather-cases';
import { runCase } from '@/lib/conformance/run-case';
import { describeNews, runFiles } from '@/lib/conformance/run-files';

/** Runs case files by the runner of the command, here in the page. */
export async function runInPage(files: readonly { readonly name: string; readonly text: string }[]) {
  const told: string[] = [];
  const given = files.map(({ name, text }): GivenFile => ({ name, own: true, content: { text } }));
  const count = await runFiles(
    given,
    ({ kind, one, cases }) =>
      runCase(
        kind,
        one,
        cases.filter((other) => other !== one),
      ),
    (news) => told.push(describeNews(news)),
  );
  return { count, told };
}
