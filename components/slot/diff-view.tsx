import { useMemo } from 'react';
import { type DiffLine, diffHunks } from '@/lib/client/line-diff';
import { counted } from '@/lib/client/words';
import type { FileChange } from '@/lib/contracts/outcome';
import { namedCharacters, visibleText } from '@/lib/shared/visible-text';

const signs = { same: ' ', added: '+', removed: '−' } as const;
const tints = { same: '', added: 'bg-good-soft', removed: 'bg-bad-soft' } as const;
const signTones = { same: 'text-ink-3', added: 'text-good', removed: 'text-bad' } as const;

/** One file before and after, as a unified diff with signs, numbers and tints. */
export function DiffView({ change }: { readonly change: FileChange }) {
  const { before, after, path } = change;
  const hunks = useMemo(() => (before === undefined || after === undefined ? [] : diffHunks(before ?? '', after ?? '')), [before, after]);
  if (before === undefined || after === undefined) return <p className="text-ink-2">Binary or large: the difference is not shown.</p>;
  if (hunks.length === 0) return <p className="text-ink-2">{before === after ? 'No difference.' : 'Only the end of the file differs.'}</p>;
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={`Changes in ${visibleText(path)}`}
      className="max-h-80 overflow-auto rounded-sm border border-line bg-surface-0 font-mono text-code"
    >
      <div className="w-max min-w-full">
        {hunks.map((hunk) => (
          <div key={`${hunk.lines[0]?.beforeLine ?? ''}:${hunk.lines[0]?.afterLine ?? ''}`}>
            {hunk.skipped > 0 ? (
              <div className="border-y border-line bg-surface-1 px-2.5 text-small text-ink-3 first:border-t-0">{counted(hunk.skipped, 'unchanged line')}</div>
            ) : null}
            {hunk.lines.map((line) => (
              <Line key={`${line.kind}:${line.beforeLine ?? ''}:${line.afterLine ?? ''}`} line={line} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Line({ line }: { readonly line: DiffLine }) {
  return (
    <div className={`flex ${tints[line.kind]}`}>
      <span aria-hidden className="w-9 shrink-0 pr-2 text-right text-ink-3 select-none">
        {line.afterLine ?? line.beforeLine}
      </span>
      <span className={`w-4 shrink-0 font-semibold ${signTones[line.kind]}`}>
        <span aria-hidden>{signs[line.kind]}</span>
        {line.kind === 'same' ? null : <span className="sr-only">{line.kind}: </span>}
      </span>
      <span className="pr-3 whitespace-pre">{line.text === '' ? ' ' : namedCharacters(line.text)}</span>
    </div>
  );
}
