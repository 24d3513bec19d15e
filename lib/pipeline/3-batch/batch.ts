import type { NewId } from '@/lib/contracts/ids';
import type { Batch, PlannedCall } from '@/lib/contracts/plan';

/**
 * Groups planned calls for execution, keeping their order.
 *
 * Out    neighbouring parallel-safe calls form one parallel batch (also of one); every other call is a serial batch of
 *        its own. A stopped call keeps its place, so that its result comes where the model expects it.
 * Source governance 7.
 */
export function batchCalls(calls: readonly PlannedCall[], newId: NewId): readonly Batch[] {
  const batches: (Batch & { readonly calls: PlannedCall[] })[] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (call.parallelSafe && last?.kind === 'parallel') last.calls.push(call);
    else batches.push({ batchId: newId('batch'), kind: call.parallelSafe ? 'parallel' : 'serial', calls: [call] });
  }
  return batches;
}
