import type { ApprovalLevel } from '@/lib/contracts/approval';
import type { BatchId, NewId } from '@/lib/contracts/ids';
import type { Capability } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import { mayStartEarly } from '@/lib/pipeline/1-stream/start-early';
import { repairArguments } from '@/lib/pipeline/2-plan/repair-arguments';
import { batchCalls } from '@/lib/pipeline/3-batch/batch';
import { isParallelSafe } from '@/lib/pipeline/3-batch/parallel-safe';
import type { Json } from '@/lib/shared/json';
import { createRootValueScan } from '@/lib/shared/root-value';
import { flag, named, objects, type Runner, refuseUnknown, strings, text } from './runner';

/** The capabilities as cases write them. */
export const CAPABILITIES: Readonly<Record<string, Capability>> = {
  ReadOnly: 'read-only',
  WritesFiles: 'writes-files',
  ExecutesCode: 'executes-code',
  Network: 'network',
  Sandboxable: 'sandboxable',
  RequiresApproval: 'requires-approval',
};

/** A list of capabilities as cases write them. */
export function readCapabilities(value: Json | undefined): readonly Capability[] {
  return strings(value).map((name) => {
    const capability = CAPABILITIES[name];
    if (capability === undefined) throw new Error(`there is no capability ${name}`);
    return capability;
  });
}

/** Kind `batching`, `plan`: what runs together. */
export const runPlanBatches: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['kind', 'plans']);
  refuseUnknown('expected', expected, ['batches', 'executed', 'results']);
  const calls = objects(input.plans).map((plan, index) => {
    refuseUnknown('plan', plan, ['name', 'readOnly', 'supportsParallel', 'approvalRequired', 'interactive', 'blocked']);
    const parallelSafe = isParallelSafe(
      { readOnly: flag(plan.readOnly), supportsParallel: flag(plan.supportsParallel), interactive: flag(plan.interactive) },
      flag(plan.approvalRequired) ? 'required' : 'auto',
    );
    const stopped =
      typeof plan.blocked === 'string' ? { stage: 'loop-guard', outcome: { status: 'blocked', content: plan.blocked, started: false } } : undefined;
    return { index, tool: text(plan.name), parallelSafe, ...(stopped === undefined ? {} : { stopped }) } as unknown as PlannedCall;
  });
  let serial = 0;
  const batches = batchCalls(calls, ((kind: string) => `${kind}-${serial++}` as BatchId) as NewId);
  const slots = batches.flatMap((batch) => batch.calls);
  return named(expected, {
    batches: batches.map((batch): Json => [batch.kind, batch.calls.map((call) => call.index)]),
    executed: slots.filter((call) => call.stopped === undefined).map((call) => call.index),
    results: slots.length,
  });
};

/** Kind `batching`, `speculate_start`: may a call start although its response goes on. */
export const runEarlyStart: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, [
    'kind',
    'capabilities',
    'supportsParallel',
    'interactive',
    'approvalForInput',
    'validates',
    'argRung',
    'blockEnded',
    'argText',
  ]);
  refuseUnknown('expected', expected, ['eligible']);
  const capabilities = readCapabilities(input.capabilities);
  let strict = (input.argRung ?? 'strict') === 'strict';
  let blockEnded = flag(input.blockEnded, true);
  if (input.argText !== undefined && input.argText !== null) {
    const argText = text(input.argText);
    const scan = createRootValueScan();
    scan.push(argText);
    blockEnded = scan.state === 'complete';
    strict &&= repairArguments(argText, 'strict_only').ok;
  }
  const eligible = mayStartEarly({
    capabilities,
    supportsParallel: flag(input.supportsParallel),
    interactive: flag(input.interactive),
    approval: text(input.approvalForInput ?? 'auto') as ApprovalLevel,
    validates: flag(input.validates, true),
    strict,
    blockEnded,
  });
  return named(expected, { eligible });
};
