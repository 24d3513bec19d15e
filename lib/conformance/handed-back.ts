import type { EngineEventBody } from '@/lib/contracts/events';
import type { NewId, SessionId, SpillRef } from '@/lib/contracts/ids';
import type { JobOutput } from '@/lib/contracts/job';
import type { SlotOutcome } from '@/lib/contracts/outcome';
import type { PlannedCall } from '@/lib/contracts/plan';
import type { SpillStore } from '@/lib/contracts/store';
import type { ToolContext } from '@/lib/contracts/tool-context';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { createLoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { planStep } from '@/lib/pipeline/2-plan/plan';
import { backfillStep } from '@/lib/pipeline/5-backfill/backfill';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import type { JsonObject } from '@/lib/shared/json';
import { createNewId, newTab } from '@/lib/shared/new-ids';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { createSpillIds } from '@/lib/storage/spill-ids';

export interface HandedBack {
  /** What stands in the history. */
  readonly content: string;
  readonly ok: boolean;
  readonly events: readonly EngineEventBody[];
}

export interface HandingBack {
  readonly tools: readonly ToolSpec[];
  readonly spills?: SpillStore;
  readonly newRef?: () => SpillRef;
  /** Ports that the tool of the call uses. */
  readonly context?: Partial<ToolContext>;
  readonly jobs?: { whole(taskId: string): JobOutput | undefined; stored(taskId: string, ref: SpillRef): void };
}

/** Plans one call, runs its body, and hands its result back as the last stage does: the way of every result into the history. */
export async function handBack(call: { readonly tool: string; readonly input: JsonObject }, ports: HandingBack): Promise<HandedBack> {
  const newId = createNewId(newTab()) as NewId;
  const dispatcher = createToolDispatcher(ports.tools);
  const assembler = createBlockAssembler({ newId, registered: new Set([call.tool]) });
  assembler.push({ type: 'call-start', key: '0', wireId: 'wire-0', name: call.tool });
  assembler.push({ type: 'call-args', key: '0', text: JSON.stringify(call.input) });
  assembler.push({ type: 'stop', reason: 'calls', raw: 'tool_use' });
  const loopGuard = createLoopGuard();
  const standing = { mode: 'auto', grants: new Set<string>(), denials: new Set<string>() } as const;
  const planned = planStep(assembler.end(true).step.calls, 'tool_use', { dispatcher, loopGuard, standing, prepared: new Map() });
  const one = planned[0] as PlannedCall;
  const result = await dispatcher.execute(one.tool, one.input, { signal: new AbortController().signal, files: {}, ...ports.context } as ToolContext);
  const { ok, error, ...rest } = result;
  const outcome: SlotOutcome = { ...rest, status: ok ? 'ok' : 'failed', started: true, ...(error === undefined ? {} : { error }) };
  const events: EngineEventBody[] = [];
  const { results } = await backfillStep(planned, [outcome], {
    dispatcher,
    loopGuard,
    spills: ports.spills ?? createMemoryStores().spills,
    newRef: ports.newRef ?? createSpillIds({ tab: newTab(), now: Date.now }),
    sessionId: newId<SessionId>('session'),
    now: () => 0,
    emit: (event) => void events.push(event),
    jobs: ports.jobs ?? { whole: () => undefined, stored: () => undefined },
    canRetrieve: dispatcher.has('retrieve_tool_result'),
  });
  return { content: results[0]?.content ?? '', ok: results[0]?.isError === false, events };
}
