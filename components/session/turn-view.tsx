import { Check, Circle, CircleDot, CircleSlash, Hand, Info, LoaderCircle, OctagonX, Pause, TriangleAlert, X } from 'lucide-react';
import { memo } from 'react';
import { UndoTurn } from '@/components/slot/undo-row';
import { useNow } from '@/components/ui/use-now';
import { stepsOf } from '@/lib/client/view-state';
import type { NoticeItem, TurnView as Turn, TurnItem } from '@/lib/client/view-types';
import { durationWords, endWords, stateOf } from '@/lib/client/words';
import { StepView } from './step-view';

/** One turn: what the person asked, what the agent did, how it ended. */
export const TurnView = memo(function TurnView({ turn }: { readonly turn: Turn }) {
  return (
    <li className="space-y-3 px-3 py-3">
      <div className="rounded-md border border-line bg-surface-2 px-3 py-2">
        <span className="sr-only">You: </span>
        <p className="whitespace-pre-wrap wrap-anywhere">{turn.text}</p>
      </div>
      {turn.items.map((item) => (
        <Item key={keyOf(item)} item={item} />
      ))}
      {turn.end ? <TurnEndLine turn={turn} end={turn.end} /> : <Working turn={turn} />}
      {turn.end ? <UndoTurn turn={turn} /> : null}
    </li>
  );
});

function keyOf(item: TurnItem): string {
  if (item.kind === 'step') return item.step.stepId;
  return item.kind === 'notice' ? `notice:${item.seq}` : 'plan';
}

function Item({ item }: { readonly item: TurnItem }) {
  if (item.kind === 'step') return <StepView step={item.step} />;
  if (item.kind === 'notice') return <Notice notice={item} />;
  const shapes = {
    pending: { icon: Circle, word: 'to do', tone: 'text-ink-3' },
    'in-progress': { icon: CircleDot, word: 'doing', tone: 'text-accent' },
    done: { icon: Check, word: 'done', tone: 'text-good' },
  } as const;
  return (
    <section aria-label="The model’s plan" className="rounded-md border border-line bg-surface-0 px-3 py-2">
      <h3 className="text-small font-semibold text-ink-2">Plan</h3>
      {item.explanation ? <p className="text-ink-2">{item.explanation}</p> : null}
      <ol className="mt-1 space-y-0.5">
        {item.steps.map((step) => {
          const shape = shapes[step.status];
          return (
            <li key={step.step} className="flex items-start gap-2">
              <shape.icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${shape.tone}`} />
              <span className={step.status === 'done' ? 'text-ink-2' : ''}>{step.step}</span>
              <span className={`ml-auto shrink-0 text-small ${shape.tone}`}>{shape.word}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** A notice of the engine, where the work was. */
export function Notice({ notice }: { readonly notice: NoticeItem }) {
  const shape = { info: { icon: Info, tone: 'text-note' }, warning: { icon: TriangleAlert, tone: 'text-ask' }, error: { icon: X, tone: 'text-bad' } }[
    notice.level
  ];
  return (
    <p className="flex items-start gap-2 text-ink-2">
      <shape.icon aria-hidden size={16} className={`mt-0.5 shrink-0 ${shape.tone}`} />
      <span className="wrap-anywhere">
        <span className="sr-only">{notice.level}: </span>
        {notice.notification === undefined ? null : <strong className="font-medium text-ink-1">{notice.notification}. </strong>}
        {notice.text}
      </span>
    </p>
  );
}

const endShapes = {
  yielded: { icon: Check, tone: 'text-good' },
  stopped: { icon: CircleSlash, tone: 'text-ink-3' },
  failed: { icon: X, tone: 'text-bad' },
  halted: { icon: OctagonX, tone: 'text-bad' },
  paused: { icon: Pause, tone: 'text-ask' },
} as const;

function TurnEndLine({ turn, end }: { readonly turn: Turn; readonly end: NonNullable<Turn['end']> }) {
  const shape = endShapes[end.kind];
  const why = end.error?.message ?? end.reason;
  const failed = end.kind === 'failed' || end.kind === 'halted';
  return (
    <div className={failed ? 'rounded-md border border-bad bg-bad-soft px-3 py-2' : ''}>
      <p className="flex items-start gap-2 text-small text-ink-2">
        <shape.icon aria-hidden size={14} className={`mt-px shrink-0 ${shape.tone}`} />
        <span className="wrap-anywhere">
          <span className="font-medium text-ink-1">{endWords[end.kind]}</span> after {durationWords(end.at - turn.startedAt)}
          {why ? `: ${why}` : ''}
        </span>
      </p>
    </div>
  );
}

function Working({ turn }: { readonly turn: Turn }) {
  const now = useNow(true);
  const words = doingWords(turn);
  return (
    <p className="flex items-center gap-2 text-small text-ink-2">
      {words === waitingWords ? (
        <Hand aria-hidden size={14} className="shrink-0 text-ask" />
      ) : (
        <LoaderCircle aria-hidden size={14} className="shrink-0 animate-spin text-accent" />
      )}
      {words} <span className="text-ink-3">{durationWords(Math.max(0, now - turn.startedAt))}</span>
    </p>
  );
}

const waitingWords = 'Waiting for you…';

/** What a running turn does at this moment, in words. */
export function doingWords(turn: Turn): string {
  const step = stepsOf(turn).at(-1);
  if (!step) return 'Getting ready…';
  const states = step.calls.map(stateOf);
  if (states.includes('asking')) return waitingWords;
  const running = step.calls.find((call) => stateOf(call) === 'running');
  if (running) return `Running ${running.tool}…`;
  if (states.includes('writing')) return 'The model is writing a call…';
  const last = step.blocks.at(-1);
  if (last?.kind === 'reasoning' && !step.stop) return 'The model is thinking…';
  if (last?.kind === 'text' && last.open) return 'The model is writing…';
  if (step.stop) return 'Handing the results back…';
  return 'Waiting for the model…';
}
