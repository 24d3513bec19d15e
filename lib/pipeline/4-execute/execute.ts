import type { StepId } from '@/lib/contracts/ids';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { Batch } from '@/lib/contracts/plan';
import { messageOf } from '@/lib/shared/coded-error';
import { createCallLimit } from './limit';
import { cancelledOutcome } from './run-body';
import { runParallelSlot, runSerialSlot, type SlotPorts } from './run-slot';

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
  for (const batch of batches) {
    ports.emit({ type: 'batch-start', stepId, batchId: batch.batchId });
    if (batch.kind === 'parallel') await runParallel(batch, slots, ports);
    else for (const call of batch.calls) slots[call.index] = await runSerialSlot(call, batch.batchId, ports);
    ports.emit({ type: 'batch-end', stepId, batchId: batch.batchId });
    onDrained(batch, slots);
  }
  return slots.map((outcome) => outcome ?? cancelledOutcome('it was never reached'));
}

async function runParallel(batch: Batch, slots: (SlotOutcome | undefined)[], ports: SlotPorts): Promise<void> {
  let release: () => void;
  try {
    release = ports.gate.tryRead() ?? (await ports.gate.read(ports.stop.signal));
  } catch (reason) {
    for (const call of batch.calls) {
      const outcome = cancelledOutcome(messageOf(reason));
      ports.emit({ type: 'call-settled', callId: call.call.callId, outcome, durationMs: 0 });
      slots[call.index] = outcome;
    }
    return;
  }
  const limit = createCallLimit();
  try {
    await Promise.all(
      batch.calls.map((call) =>
        limit.run(undefined, async () => {
          slots[call.index] = await runParallelSlot(call, batch.batchId, ports);
        }),
      ),
    );
  } finally {
    release();
  }
  for (const call of [...batch.calls].reverse()) ports.emit({ type: 'call-end', callId: call.call.callId, batchId: batch.batchId });
}
