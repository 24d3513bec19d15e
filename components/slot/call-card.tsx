'use client';
import { ChevronRight } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { type Meaning, MeaningIcon, marks, stateMeanings } from '@/components/ui/meaning';
import type { CallView } from '@/lib/client/view-types';
import { byteWords, counted, durationWords, jobEndWords, stateOf, stateWords } from '@/lib/client/words';
import { visibleText } from '@/lib/shared/visible-text';
import { CallDetails } from './call-details';
import { UndoRow } from './undo-row';

/** One call as a row: shape, name, one line of its arguments, state in words, time; opens to everything known of it. */
export const CallCard = memo(function CallCard({ call }: { readonly call: CallView }) {
  const [open, setOpen] = useState(false);
  const details = useId();
  const state = stateOf(call);
  const meaning = stateMeanings[state];
  const summary = visibleText(call.summary || call.argumentsText.slice(0, 200));
  return (
    <div className="@container min-w-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        onClick={() => setOpen(!open)}
        className="flex min-h-7 w-full min-w-0 items-center gap-2 rounded-sm px-1.5 text-left hover:bg-surface-2"
      >
        <MeaningIcon meaning={meaning} spins={state === 'running'} />
        <span className="shrink-0 font-mono text-code font-medium">{call.tool}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-code text-ink-2" title={summary}>
          {summary}
        </span>
        {call.early?.used ? (
          <span className="hidden shrink-0 items-center gap-1 text-small text-ink-2 @sm:flex">
            <MeaningIcon meaning={marks.early} size={12} /> ran early
          </span>
        ) : null}
        <span className={`shrink-0 text-small ${meaning.tone}`}>{stateWords[state]}</span>
        {call.durationMs === undefined || !call.outcome?.started ? null : (
          <span className="shrink-0 text-small text-ink-3">{durationWords(call.durationMs)}</span>
        )}
        <ChevronRight aria-hidden size={14} className={`shrink-0 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} />
      </button>
      <Marks call={call} />
      <UndoRow call={call} />
      {open ? (
        <div id={details} className="mt-1 mb-2 ml-2 border-l border-line pl-4">
          <CallDetails call={call} />
        </div>
      ) : null}
    </div>
  );
});

function Marks({ call }: { readonly call: CallView }) {
  const outside = call.outcome?.metadata?.origin;
  const early = call.early?.used === true;
  const problems = call.diagnostics?.count ?? 0;
  const answer = call.approval?.outcome;
  const isEdited = answer?.kind === 'answered' && answer.edited !== undefined;
  const shown =
    call.job !== undefined ||
    call.early?.aborted !== undefined ||
    call.repairs.length > 0 ||
    call.cut ||
    outside !== undefined ||
    call.late ||
    isEdited ||
    problems > 0;
  if (!shown && !early) return null;
  return (
    <div className={`flex flex-wrap gap-x-3 gap-y-0.5 pb-1 pl-7.5 text-small text-ink-2 ${shown ? '' : '@sm:hidden'}`}>
      {/* Where the row has no room for it. */}
      {early ? (
        <span className="@sm:hidden">
          <Mark meaning={marks.early}>ran early</Mark>
        </span>
      ) : null}
      {call.job === undefined ? null : <span>{call.job.status === 'running' ? `${call.job.taskId} runs in the background` : jobEndWords(call.job)}</span>}
      {isEdited ? <span>you edited its arguments</span> : null}
      {call.early?.aborted === undefined ? null : <Mark meaning={marks.early}>early start given up: {call.early.aborted}</Mark>}
      {call.repairs.length > 0 ? <Mark meaning={marks.repaired}>repaired: {call.repairs.map((repair) => repair.note).join('; ')}</Mark> : null}
      {call.cut ? <Mark meaning={marks.cut}>cut to {byteWords(call.cut.keptBytes)}</Mark> : null}
      {call.cut?.ref ? <Mark meaning={marks.kept}>all {byteWords(call.cut.totalBytes)} kept aside</Mark> : null}
      {call.cut?.problem ? <Mark meaning={marks.cut}>the rest cannot be fetched: {call.cut.problem}</Mark> : null}
      {typeof outside === 'string' ? <Mark meaning={marks.outside}>from outside: {outside}</Mark> : null}
      {problems > 0 ? <Mark meaning={marks.problems}>{counted(problems, 'problem')} in edited files</Mark> : null}
      {call.late ? <span>its result came after it was given up, and was dropped</span> : null}
    </div>
  );
}

function Mark({ meaning, children }: { readonly meaning: Meaning; readonly children: React.ReactNode }) {
  return (
    <span className="inline-flex items-start gap-1">
      <span className="mt-0.5">
        <MeaningIcon meaning={meaning} size={12} />
      </span>
      <span className="wrap-anywhere">{children}</span>
    </span>
  );
}
