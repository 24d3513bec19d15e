import { MeaningIcon, verdictMeanings } from '@/components/ui/meaning';
import type { PartVerdict } from '@/lib/contracts/policy';
import { visibleText } from '@/lib/shared/visible-text';

const SHOWN = 40;

/** Everything that a command would run, each part with its verdict and the rule behind it. A command of one part says it above. */
export function CommandParts({ parts }: { readonly parts: readonly PartVerdict[] }) {
  if (parts.length < 2) return null;
  const rest = parts.length - SHOWN;
  return (
    <div>
      <p className="pb-1 text-small text-ink-2">Its {parts.length} parts, each judged on its own</p>
      <ol className="space-y-1" aria-label="Parts of the command">
        {parts.slice(0, SHOWN).map((part, index) => {
          const meaning = verdictMeanings[part.verdict];
          return (
            <li key={index} className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-2">
              <span className="mt-0.5">
                <MeaningIcon meaning={meaning} />
              </span>
              <span className="wrap-anywhere">
                <code className="text-code whitespace-pre-wrap text-ink-1">{visibleText(part.text)}</code> <span className={meaning.tone}>{meaning.word}</span>
                <span className="block text-small text-ink-2">
                  {part.evidence} <span className="text-ink-3">({part.rule})</span>
                </span>
              </span>
            </li>
          );
        })}
      </ol>
      {rest > 0 ? <p className="pt-1 text-small text-ink-2">And {rest} more.</p> : null}
    </div>
  );
}
