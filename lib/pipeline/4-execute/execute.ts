import type { StepId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { Batch, PlannedCall } from '@/lib/contracts/plan';
import { messageOf } from '@/lib/shared/coded-error';
import { cancelledOutcome } from './run-body';
import { runParallelSlot, runSerialSlot, type SlotPorts, settleEarlyRun, type TakenRun, takeEarlyRun } from './run-slot';

/**
 * Stage 4: runs the batches of a step, one after the other, each call into its own slot.
 *
 * In     `count` slots in all; every planned call stands in exactly one batch. `onDrained` takes the results of a batch, before the next one begins.
 * Out    one outcome a slot, in call order, whatever failed, was denied or stopped.
 * Order  a parallel batch starts in order and drains before its end events, which come in reverse; a serial batch is a barrier.
 */
export async function executeStep(
  batches: readonly Batch[],
  count: number,
  stepId: StepId,
  ports: SlotPorts,
  onDrained: (batch: Batch, slots: readonly (SlotOutcome | undefined)[]) => void = () => {},
): Promise<readonly SlotOutcome[]> {
  const slots: (SlotOutcome | undefined)[] = new Array(count).fill(undefined);
  for (const [place, batch] of batches.entries()) {
    if (batch.kind === 'serial' && batch.calls.some((call) => call.stopped === undefined)) dropEarlyRuns(stepId, ports);
    ports.emit({ type: 'batch-start', stepId, batchId: batch.batchId });
    if (batch.kind === 'parallel') await runParallel(batch, slots, place > 0, ports);
    else for (const call of batch.calls) slots[call.index] = await runSerialSlot(call, batch.batchId, ports);
    ports.emit({ type: 'batch-end', stepId, batchId: batch.batchId });
    onDrained(batch, slots);
  }
  return slots.map((outcome) => outcome ?? cancelledOutcome('it was never reached'));
}

/** What was begun early behind a call that may change something saw the workspace as it was before: it runs again in its place. */
function dropEarlyRuns(stepId: StepId, { early, emit }: SlotPorts): void {
  for (const callId of early.abortRest('a call before it may change what it reads'))
    emit({ type: 'early-abort', stepId, callId, reason: 'A call before it may change what it reads, so it runs in its place.' });
}

async function runParallel(batch: Batch, slots: (SlotOutcome | undefined)[], stoodBehind: boolean, ports: SlotPorts): Promise<void> {
  let release: () => void;
  let waited = stoodBehind;
  try {
    const free = ports.gate.tryRead();
    waited ||= free === undefined;
    release = free ?? (await ports.gate.read(ports.stop.signal));
  } catch (reason) {
    for (const call of batch.calls) {
      const outcome = cancelledOutcome(messageOf(reason));
      ports.emit({ type: 'call-settled', callId: call.call.callId, outcome, durationMs: 0 });
      slots[call.index] = outcome;
    }
    return;
  }
  const { early } = ports;
  const begun: PlannedCall[] = [];
  const taken: TakenRun[] = [];
  const open: Promise<unknown>[] = [];
  const fill = async (call: PlannedCall, outcome: Promise<SlotOutcome>) => {
    slots[call.index] = await outcome;
  };
  try {
    for (const call of batch.calls) {
      const wasEarly = call.stopped === undefined && early.has(call.call.callId);
      const found = wasEarly ? takeEarlyRun(call, batch.batchId, waited, ports) : undefined;
      if (found !== undefined && 'filled' in found) {
        slots[call.index] = found.filled;
        continue;
      }
      if (found !== undefined) {
        taken.push(found);
        begun.push(call);
        continue;
      }
      const run = () =>
        fill(
          call,
          runParallelSlot(call, batch.batchId, waited, ports, () => begun.push(call)),
        );
      // What began early has its place already; what never runs needs none.
      open.push(call.stopped !== undefined || wasEarly ? run() : early.limit.run(ports.dispatcher.hostFor(call.tool, call.input), run));
    }
    // Every start is told before the first end; what has ended already is not waited for.
    for (const begunEarly of taken) {
      const outcome = settleEarlyRun(begunEarly, ports);
      if (outcome instanceof Promise) open.push(fill(begunEarly.call, outcome));
      else slots[begunEarly.call.index] = outcome;
    }
    await Promise.all(open);
  } finally {
    release();
  }
  for (const call of begun.reverse()) ports.emit({ type: 'call-end', callId: call.call.callId, batchId: batch.batchId });
}
