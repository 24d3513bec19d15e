import { MeaningIcon, marks } from '@/components/ui/meaning';
import type { ApprovalRequest } from '@/lib/contracts/approval';
import type { OutsideBytes } from '@/lib/contracts/policy';
import { visibleText } from '@/lib/shared/visible-text';

/** Why a call is asked for: the rule that decided, and the rule or approval that almost covered it. */
export function WhyItAsks({ trace }: Pick<ApprovalRequest, 'trace'>) {
  const deciding = trace.find((entry) => entry.decided);
  const nearest = trace.filter((entry) => entry.rule === 'nearest');
  return (
    <>
      {deciding === undefined ? null : (
        <p className="wrap-anywhere text-ink-2">
          Why it asks: {visibleText(deciding.evidence)}{' '}
          <span className="whitespace-nowrap text-ink-3">
            (rule <strong className="font-mono text-code font-semibold text-ink-1">{deciding.rule}</strong>)
          </span>
        </p>
      )}
      {nearest.map(({ evidence }) => (
        <p key={evidence} className="wrap-anywhere text-ink-2">
          Almost covered: {visibleText(evidence)}
        </p>
      ))}
    </>
  );
}

/** Bytes of the arguments that came from outside, each with its place and its source. */
export function OutsideList({ outside }: { readonly outside: readonly OutsideBytes[] }) {
  return (
    <ul className="space-y-0.5" aria-label="From outside">
      {outside.map(({ field, source, text }, index) => (
        <li key={index} className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-2">
          <span className="mt-0.5">
            <MeaningIcon meaning={marks.outside} />
          </span>
          <span className="wrap-anywhere">
            <span className="text-ask">from outside</span> {source}, in <code className="text-ink-2">{field}</code>:{' '}
            <code className="text-code whitespace-pre-wrap text-ink-1">{visibleText(text)}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
