import { expect, it } from 'vitest';
import type { BatchId } from '@/lib/contracts/ids';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { ApprovalDesk } from '@/lib/pipeline/4-execute/approval-desk';
import { runSerialSlot, type SlotPorts } from '@/lib/pipeline/4-execute/run-slot';
import { createStop } from '@/lib/shared/stop';

it('a call whose approval was lost does not run: nobody’s yes is no yes', async () => {
  const planned = { call: { callId: 'call-1' }, index: 0, tool: 'run_it', input: {}, verdict: { decision: 'ask', level: 'required', trace: [] } };
  const said: string[] = [];
  const ports: Partial<SlotPorts> = {
    emit: (event) => void said.push(event.type),
    desk: { outcome: () => undefined } as unknown as ApprovalDesk,
    stop: createStop(),
    refused: new Map(),
    commit: async () => undefined,
  };
  // The ports that are left out are those of a body: it may not come so far.
  expect(await runSerialSlot(planned as unknown as PlannedCall, 'batch-1' as BatchId, ports as SlotPorts)).toEqual({
    status: 'cancelled',
    error: 'cancelled',
    content: 'Cancelled (its approval was lost): it was not started',
    started: false,
  });
  expect(said).toEqual(['call-settled']);
});
