import { MeaningIcon, verdictMeanings } from '@/components/ui/meaning';
import type { TraceEntry } from '@/lib/contracts/policy';
import { visibleText } from '@/lib/shared/visible-text';

/** The rules in the order they looked; the deciding one is bold. */
export function TraceList({ trace }: { readonly trace: readonly TraceEntry[] }) {
  return (
    <ol className="space-y-1" aria-label="Rules that looked at this call">
      {trace.map((entry, index) => {
        const meaning = verdictMeanings[entry.verdict];
        return (
          <li key={`${index}:${entry.rule}`} className={`grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-2 ${entry.decided ? 'font-semibold' : ''}`}>
            <span className="mt-0.5">
              <MeaningIcon meaning={meaning} />
            </span>
            <span className="wrap-anywhere">
              <span className="font-mono text-code">{entry.rule}</span> <span className={meaning.tone}>{meaning.word}</span>
              {entry.decided ? <span className="ml-1.5 rounded-sm border border-line-strong px-1 text-small font-normal text-ink-2">decided</span> : null}
              <span className="block font-normal text-ink-2">{visibleText(entry.evidence)}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
