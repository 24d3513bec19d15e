import { useNow } from '@/components/ui/use-now';
import type { CallView } from '@/lib/client/view-types';
import { durationWords, stateOf } from '@/lib/client/words';

export interface BarSpan {
  readonly callId: string;
  readonly label: string;
  /** Per cent of the axis. */
  readonly left: number;
  readonly width: number;
  readonly tone: string;
}

/** Places calls on one time axis that begins with the first of them; calls not started yet have no span. */
export function spansOf(calls: readonly CallView[], now: number): { readonly lengthMs: number; readonly spans: readonly BarSpan[] } {
  const timed = calls.flatMap((call) => {
    const from = call.startedAt ?? call.early?.startedAt;
    if (from === undefined) return [];
    const to = call.settledAt === undefined ? now : from + (call.durationMs ?? call.settledAt - from);
    return [{ call, from, to: Math.max(from, to) }];
  });
  const start = Math.min(...timed.map((item) => item.from));
  const end = Math.max(...timed.map((item) => item.to));
  if (timed.length === 0) return { lengthMs: 0, spans: [] };
  const length = Math.max(1, end - start);
  const spans = timed.map(({ call, from, to }) => ({
    callId: call.callId,
    label: `${call.tool} ${call.summary}: ${Math.round(from - start)} to ${Math.round(to - start)} ms`,
    left: ((from - start) / length) * 100,
    width: Math.max(1.5, ((to - from) / length) * 100),
    tone: toneOf(call),
  }));
  return { lengthMs: end - start, spans };
}

function toneOf(call: CallView): string {
  const state = stateOf(call);
  if (state === 'ok') return call.early?.used ? 'bg-note' : 'bg-good';
  if (state === 'running' || state === 'running-early') return 'bg-accent';
  if (state === 'failed' || state === 'timed-out' || state === 'denied') return 'bg-bad';
  return 'bg-ink-3';
}

/** The calls of a parallel batch as bars on one axis: overlap is seen at a glance. */
export function BatchBars({ calls, live }: { readonly calls: readonly CallView[]; readonly live: boolean }) {
  const now = useNow(live);
  const { spans, lengthMs } = spansOf(calls, now);
  return (
    <div className="px-2.5 pt-1 pb-1.5">
      <ul aria-label="Overlap in time" className="space-y-[3px] border-x border-line">
        {calls.map((call) => {
          const span = spans.find((item) => item.callId === call.callId);
          return (
            <li key={call.callId} className="relative h-[5px]" title={span?.label ?? `${call.tool}: not started`}>
              <span className="sr-only">{span?.label ?? `${call.tool}: not started`}</span>
              {span ? (
                <span
                  aria-hidden
                  className={`absolute inset-y-0 rounded-[2px] ${span.tone}`}
                  style={{ left: `min(${span.left}%, calc(100% - 3px))`, width: `${span.width}%`, maxWidth: `${100 - span.left}%`, minWidth: 3 }}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
      <div aria-hidden className="flex justify-between text-[11px] leading-4 text-ink-3">
        <span>0</span>
        <span>{durationWords(lengthMs)}</span>
      </div>
    </div>
  );
}
