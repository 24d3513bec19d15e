import { MeaningIcon, verdictMeanings } from '@/components/ui/meaning';
import type { PolicyDifference } from '@/lib/contracts/policy';
import { visibleText } from '@/lib/shared/visible-text';

const shownLines = 40;

/** What a change of the policy would do: calls of this session that would be decided otherwise, then its lines. */
export function PolicyDifferenceList({ difference }: { readonly difference: PolicyDifference }) {
  const { problem, compared, changed, lines } = difference;
  const count = compared === 1 ? 'the 1 call' : `the ${compared} calls`;
  return (
    <div className="space-y-2">
      {problem === undefined ? null : (
        <p className="rounded-md border-l-2 border-bad bg-bad-soft px-3 py-1.5 wrap-anywhere">
          The new text does not load, so every call would be asked for. Line {problem.line}, column {problem.column}: {problem.message}
        </p>
      )}
      <p className="text-ink-2">
        {changed.length === 0
          ? `Of ${count} of this session, none would be decided otherwise.`
          : `Of ${count} of this session, these would be decided otherwise:`}
      </p>
      {changed.length === 0 ? null : (
        <ul className="space-y-1" aria-label="Calls that would be decided otherwise">
          {changed.map(({ callId, tool, summary, before, after, evidence }) => (
            <li key={callId} className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-2">
              <span className="mt-0.5">
                <MeaningIcon meaning={verdictMeanings[after]} />
              </span>
              <span className="wrap-anywhere">
                <code>{visibleText(summary === '' ? tool : summary)}</code>{' '}
                <span className={verdictMeanings[after].tone}>
                  {after}, was {before}
                </span>
                <span className="block text-ink-2">{evidence}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {lines.length === 0 ? null : (
        <ul
          className="max-h-40 overflow-y-auto rounded-md border border-line bg-surface-1 px-2 py-1 font-mono text-code"
          aria-label="Lines of the policy that change"
        >
          {lines.slice(0, shownLines).map((line) => (
            <li key={line} className="wrap-anywhere">
              {visibleText(line)}
            </li>
          ))}
          {lines.length > shownLines ? <li>and {lines.length - shownLines} more</li> : null}
        </ul>
      )}
    </div>
  );
}
