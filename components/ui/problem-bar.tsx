import { TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button';

/** An error where the work was: what happened, what is safe, what to do. */
export function ProblemBar({
  children,
  onDismiss,
  level = 'error',
}: {
  readonly children: ReactNode;
  readonly onDismiss?: () => void;
  readonly level?: 'error' | 'warning';
}) {
  const tone = level === 'error' ? 'border-bad bg-bad-soft' : 'border-ask bg-ask-soft';
  return (
    <div role="alert" className={`flex items-start gap-2 border-l-2 px-3 py-1.5 text-ink-1 ${tone}`}>
      <TriangleAlert aria-hidden size={16} className={`mt-0.5 shrink-0 ${level === 'error' ? 'text-bad' : 'text-ask'}`} />
      <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
      {onDismiss ? (
        <IconButton name="Dismiss" className="-my-1" onClick={onDismiss}>
          <X aria-hidden size={16} />
        </IconButton>
      ) : null}
    </div>
  );
}
