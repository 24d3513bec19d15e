import { memo } from 'react';
import { useNow } from '@/components/ui/use-now';
import type { BatchView as Batch, CallView } from '@/lib/client/view-types';
import { counted, durationWords } from '@/lib/client/words';
import { BatchBars } from './batch-bars';
import { CallCard } from './call-card';

/** The calls of one batch: a bracket, a header and bars for a concurrent one, a plain row for a serial call. */
export const BatchGroup = memo(function BatchGroup({ batch, calls }: { readonly batch: Batch; readonly calls: readonly CallView[] }) {
  if (batch.kind === 'serial' || calls.length < 2) {
    return (
      <div className="pl-2.5">
        {calls.map((call) => (
          <CallCard key={call.callId} call={call} />
        ))}
      </div>
    );
  }
  const live = batch.startedAt !== undefined && batch.endedAt === undefined && calls.some((call) => !call.outcome);
  return (
    <section aria-label={`Batch ${batch.number}, concurrent, ${counted(calls.length, 'read')}`} className="flex min-w-0">
      <div aria-hidden className="batch-bracket my-1.5 w-1.5 shrink-0" />
      <div className="min-w-0 flex-1 pl-1">
        <BatchHeader batch={batch} calls={calls} live={live} />
        <BatchBars calls={calls} live={live} />
        {calls.map((call) => (
          <CallCard key={call.callId} call={call} />
        ))}
      </div>
    </section>
  );
});

function BatchHeader({ batch, calls, live }: { readonly batch: Batch; readonly calls: readonly CallView[]; readonly live: boolean }) {
  const now = useNow(live);
  const took =
    batch.startedAt === undefined ? undefined : (batch.endedAt ?? now) - Math.min(batch.startedAt, ...calls.flatMap((call) => call.early?.startedAt ?? []));
  return (
    <h3 className="flex min-h-6 items-center gap-1.5 px-1.5 text-small text-ink-2">
      <span className="font-semibold text-ink-1">Batch {batch.number}</span>
      <span aria-hidden>·</span> concurrent <span aria-hidden>·</span> {counted(calls.length, 'read')}
      {took === undefined ? null : (
        <>
          <span aria-hidden>·</span> {durationWords(Math.max(0, took))}
        </>
      )}
    </h3>
  );
}
