import { MeaningIcon, verdictMeanings } from '@/components/ui/meaning';
import type { PartVerdict } from '@/lib/contracts/policy';
import { visibleText } from '@/lib/shared/visible-text';

const SHOWN = 40;

interface Props {
  readonly parts: readonly PartVerdict[];
  /** One entry a part: what an approval of it alone would let through; null = it cannot be remembered. */
  readonly covers?: readonly (string | null)[] | undefined;
  /** Texts of the parts that a yes for longer is meant for. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (text: string, chosen: boolean) => void;
  /** Show also what is beyond the first of a long list. */
  readonly all?: boolean;
}

/** Everything that a command would run, each part with its verdict, the rule behind it, and what a yes to it alone would let through. */
export function CommandParts({ parts, covers, chosen, onChoose, all = false }: Props) {
  // One part is the command itself, which stands above with its reason below.
  if (parts.length < 2) return null;
  const shown = all ? parts : parts.slice(0, SHOWN);
  const rest = parts.length - shown.length;
  return (
    <div>
      <p className="pb-1 text-small text-ink-2">Its {parts.length} parts, each judged on its own</p>
      <ol className="space-y-1" aria-label="Parts of the command">
        {shown.map((part, index) => {
          const meaning = verdictMeanings[part.verdict];
          const cover = covers?.[index];
          return (
            <li key={index} className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-2">
              <span className="mt-0.5">
                <MeaningIcon meaning={meaning} />
              </span>
              <span className="wrap-anywhere">
                <code className="text-code whitespace-pre-wrap text-ink-1 underline decoration-line-strong underline-offset-4">{visibleText(part.text)}</code>{' '}
                <span className={meaning.tone}>{meaning.word}</span>
                <span className="block text-small text-ink-2">
                  {visibleText(part.evidence)} <span className="text-ink-3">({part.rule})</span>
                </span>
              </span>
              {onChoose === undefined || cover === undefined || cover === null ? null : (
                <label className="col-start-2 flex items-start gap-1.5 text-small text-ink-2">
                  <input
                    type="checkbox"
                    className="mt-0.5 accent-accent"
                    checked={chosen?.has(part.text) === true}
                    onChange={(event) => onChoose(part.text, event.target.checked)}
                  />
                  <span className="wrap-anywhere">For longer: {visibleText(cover)}</span>
                </label>
              )}
            </li>
          );
        })}
      </ol>
      {rest > 0 ? <p className="pt-1 text-small text-ink-2">And {rest} more.</p> : null}
    </div>
  );
}
