import type { CallId, NewId, SessionId, SpillRef } from '@/lib/contracts/ids';
import type { ToolContext } from '@/lib/contracts/tool-context';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { createLoopGuard, type LoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { planStep } from '@/lib/pipeline/2-plan/plan';
import { createEarlyRuns } from '@/lib/pipeline/4-execute/early-runs';
import { createGate } from '@/lib/pipeline/4-execute/gate';
import { backfillStep } from '@/lib/pipeline/5-backfill/backfill';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import type { JsonObject } from '@/lib/shared/json';
import { createNewId } from '@/lib/shared/new-ids';
import { createMemoryStores } from '@/lib/storage/memory-stores';

export interface RefusedCall {
  readonly content: string;
  readonly success: boolean;
  readonly metadata: JsonObject;
  readonly countsAsAttempt: boolean;
  readonly countsAsFailure: boolean;
  readonly earlyTaskAborted: boolean;
}

/** Takes one call that the output limit cut off through assembler, plan and backfill, with an early start of it under way. */
export async function planRefusedCall(call: { readonly name: string; readonly argumentsText: string; readonly stopReason: string }): Promise<RefusedCall> {
  const newId = createNewId('case') as NewId;
  const dispatcher = createToolDispatcher([
    defineTool({
      name: call.name,
      description: 'A tool of a case.',
      input: z.looseObject({}),
      capabilities: ['read-only'],
      supportsParallel: true,
      execute: () => new Promise(() => {}),
    }),
  ]);
  const assembler = createBlockAssembler({ newId, registered: new Set([call.name]) });
  assembler.push({ type: 'call-start', key: '0', wireId: 'wire-0', name: call.name });
  assembler.push({ type: 'call-args', key: '0', text: call.argumentsText });
  assembler.push({ type: 'stop', reason: 'length', raw: call.stopReason });
  const { calls } = assembler.end(true).step;

  const counts = { attempts: 0, outcomes: 0 };
  const loopGuard = countingGuard(createLoopGuard(), counts);
  const aborted: CallId[] = [];
  const early = createEarlyRuns({
    dispatcher,
    clock: { now: () => 0, sleep: () => new Promise(() => {}), after: () => () => {} },
    makeContext: () => ({ files: {} }) as ToolContext,
    onLateResult: () => {},
    gate: createGate(),
    observed: { note: async () => {}, refusal: async () => undefined },
  });
  for (const { callId } of calls) early.start(callId, call.name, {});

  const planned = planStep(calls, call.stopReason, {
    dispatcher,
    loopGuard,
    standing: { mode: 'ask', grants: new Set(), denials: new Set() },
    prepared: new Map(),
  });
  aborted.push(...early.abortRest('the call is not executed'));
  const outcomes = planned.map((one) => one.stopped?.outcome ?? { status: 'ok' as const, content: 'it would have run', started: true });
  const { results } = await backfillStep(planned, outcomes, {
    dispatcher,
    loopGuard,
    spills: createMemoryStores().spills,
    newRef: () => newId<SpillRef>('spill'),
    sessionId: newId<SessionId>('session'),
    now: () => 0,
    emit: () => {},
    jobs: { whole: () => undefined, stored: () => undefined },
    canRetrieve: false,
  });
  const callId = calls[0]?.callId;
  return {
    content: results[0]?.content ?? '',
    success: results[0]?.isError === false,
    metadata: { ...outcomes[0]?.metadata },
    countsAsAttempt: counts.attempts > 0,
    countsAsFailure: counts.outcomes > 0,
    earlyTaskAborted: callId !== undefined && aborted.includes(callId),
  };
}

function countingGuard(guard: LoopGuard, counts: { attempts: number; outcomes: number }): LoopGuard {
  return {
    attempt(call) {
      counts.attempts++;
      return guard.attempt(call);
    },
    outcome(outcome) {
      counts.outcomes++;
      return guard.outcome(outcome);
    },
    newTurn: () => guard.newTurn(),
  };
}
