'use client';
import { Redo2, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button';
import { MeaningIcon, marks } from '@/components/ui/meaning';
import { differenceWords, limitWords, undoCalls, undoOfTurn } from '@/lib/client/undo-view';
import { usePage } from '@/lib/client/use-engine';
import type { CallView, TurnView } from '@/lib/client/view-types';
import { counted } from '@/lib/client/words';
import { useUndo } from './use-undo';

/** Below a call that changed files: the way back or forth, and what undo will not bring back. */
export function UndoRow({ call }: { readonly call: CallView }) {
  const area = useRef<HTMLDivElement>(null);
  const undoing = useUndo(area);
  const { undo } = call;
  const runs = call.job?.status === 'running';
  if (undo === undefined && !runs) return null;
  const name = `${call.tool} ${call.summary}`.trim();
  const limits = undo === undefined ? '' : limitWords(undo.limits);
  return (
    <div ref={area} className="pb-1 pl-7.5 text-small text-ink-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        {undo?.state === 'done' && undo.count > 0 ? (
          <Button
            look="quiet"
            aria-label={`Undo ${name}`}
            disabled={undoing.busy}
            onClick={() => void undoing.run({ type: 'undo-call', callId: call.callId, differing: 'refuse' })}
          >
            <Undo2 aria-hidden size={14} /> Undo
          </Button>
        ) : null}
        {undo?.undone ? (
          <>
            <span className="inline-flex items-center gap-1">
              <MeaningIcon meaning={marks.undone} size={12} /> undone by {undo.undone.by === 'person' ? 'you' : 'the model'}
            </span>
            <Redo name={name} undoId={undo.undone.undoId} undoing={undoing} />
          </>
        ) : null}
        {undo?.state === 'lost' ? <span>{undo.problem ?? 'It cannot be undone any more: newer steps took its room.'}</span> : null}
        {undo?.recovered ? <span>Its tab was closed, or another one took over, while it ran; undo brings back what it had changed by then.</span> : null}
        {runs ? <span>What it changes can be undone once it has ended.</span> : null}
        {limits === '' ? null : <span>{limits}</span>}
      </div>
      {undo?.undone && undo.undone.left.length > 0 ? (
        <p className="wrap-anywhere">Left as they were, since they had changed: {undo.undone.left.join(', ')}</p>
      ) : null}
      <Outcome undoing={undoing} />
    </div>
  );
}

/** Below a turn that has ended: all that its calls changed, back or forth at once. */
export function UndoTurn({ turn }: { readonly turn: TurnView }) {
  const area = useRef<HTMLDivElement>(null);
  const undoing = useUndo(area);
  const calls = undoCalls(turn);
  const ready = calls.filter(({ undo }) => undo?.state === 'done');
  const lost = calls.filter(({ undo }) => undo?.state === 'lost').length;
  const undoId = undoOfTurn(turn);
  if (ready.length === 0 && undoId === undefined) return null;
  return (
    <div ref={area} className="text-small text-ink-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        {ready.length > 0 ? (
          <>
            <Button look="quiet" disabled={undoing.busy} onClick={() => void undoing.run({ type: 'undo-turn', turnId: turn.turnId, differing: 'refuse' })}>
              <Undo2 aria-hidden size={14} /> Undo this turn
            </Button>
            <span>
              {counted(ready.length, 'call')} changed files{lost > 0 ? `; ${lost} more cannot be undone` : ''}
            </span>
          </>
        ) : null}
        {ready.length === 0 && undoId !== undefined ? (
          <>
            <span className="inline-flex items-center gap-1">
              <MeaningIcon meaning={marks.undone} size={12} /> this turn is undone
            </span>
            <Redo name="this turn" undoId={undoId} undoing={undoing} />
          </>
        ) : null}
      </div>
      <Outcome undoing={undoing} />
    </div>
  );
}

type Undoing = ReturnType<typeof useUndo>;

function Redo({ name, undoId, undoing }: { readonly name: string; readonly undoId: NonNullable<ReturnType<typeof undoOfTurn>>; readonly undoing: Undoing }) {
  return (
    <Button look="quiet" aria-label={`Redo ${name}`} disabled={undoing.busy} onClick={() => void undoing.run({ type: 'redo', undoId, differing: 'refuse' })}>
      <Redo2 aria-hidden size={14} /> Redo
    </Button>
  );
}

const shownPaths = 10;

/** What came of it: it waits, it could not be done, or files stand in the way and the person chooses. */
function Outcome({ undoing: { busy, problem, refused, run, forget } }: { readonly undoing: Undoing }) {
  const running = usePage((page) => page.running);
  return (
    <div role="status">
      {busy ? <p>{running ? 'Waiting for the call that runs to end…' : 'Comparing the files…'}</p> : null}
      {problem === '' ? null : <p className="border-l-2 border-bad pl-2">{problem}</p>}
      {refused === undefined ? null : (
        <section aria-label="Files that changed since" className="mt-1 space-y-1 rounded-md border border-line-strong bg-surface-0 px-3 py-2">
          <p className="font-medium text-ink-1">Nothing was changed, so that no later work is lost:</p>
          <ul>
            {refused.answer.differs.slice(0, shownPaths).map((one) => (
              <li key={one.path} className="wrap-anywhere">
                <code>{one.path}</code>: {differenceWords(one)}
              </li>
            ))}
          </ul>
          {refused.answer.differs.length > shownPaths ? <p>… and {refused.answer.differs.length - shownPaths} more</p> : null}
          <div className="flex flex-wrap gap-2 pt-1">
            {refused.answer.differs.some(({ merges }) => merges) ? (
              <Button onClick={() => void run({ ...refused.request, differing: 'merge' })}>Keep the later changes, take out these</Button>
            ) : null}
            {refused.answer.others > 0 ? (
              <Button onClick={() => void run({ ...refused.request, differing: 'leave' })}>
                Go on with the other {counted(refused.answer.others, 'path')}
              </Button>
            ) : null}
            <Button look="quiet" onClick={forget}>
              Leave all as it is
            </Button>
          </div>
        </section>
      )}
    </div>
  );
}
