import type { TraceEntry } from '@/lib/contracts/policy';
import type { Replayed } from './replay-log';

/** One line a decision, and the deciding rule below it. `against`: another policy decided, so what differs is a difference and no fault. */
export function describeDecision(call: Replayed, against: boolean): string {
  if (call.moment === 'log') return `${String(call.seq).padStart(5)}  the log cannot be true here: ${call.words}  NOT REPRODUCED`;
  const what = `${String(call.seq).padStart(5)}  ${call.tool} ${call.summary}`.trimEnd();
  if (call.moment === 'stopped') return `${what}\n       stopped before the policy: ${deciding(call.trace)}`;
  if (call.moment === 'loop-guard')
    return `${what}\n       ${call.same ? `stopped: ${deciding(call.trace)}` : `the log says ${call.logged}, the loop guard says ${call.now}  NOT REPRODUCED`}`;
  const { logged, now, same, moment } = call;
  const when = moment === 'plan' ? '' : moment === 'edited' ? ' (edited by the person)' : ' (decided again while its prompt was open)';
  const result = now.decision === logged ? now.decision : `${logged} → ${now.decision}`;
  const mark = same ? '' : against ? '  differs' : '  NOT REPRODUCED';
  return `${what}${when}\n       ${result}: ${deciding(now.trace)}${mark}`;
}

function deciding(trace: readonly TraceEntry[]): string {
  const entry = trace.find(({ decided }) => decided);
  return entry === undefined ? 'no rule is on record' : `${entry.rule}: ${entry.evidence.split('\n')[0]}`;
}
