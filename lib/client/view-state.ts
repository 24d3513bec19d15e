import type { ApprovalRequest, EditedCall } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, SessionId, StepId, TurnId } from '@/lib/contracts/ids';
import type { PlannedCallView } from '@/lib/contracts/plan';
import { isJsonObject } from '@/lib/shared/json';
import { changedCalls, foldUndo, type UndoEvent } from './undo-view';
import type { AgentEdit, BatchView, BlockView, CallView, NoticeItem, SessionItem, SessionView, StepView, TurnItem, TurnView } from './view-types';

/** Live output kept per call, in UTF-16 units; the whole of it is in the result or its spill. */
export const KEPT_OUTPUT = 200_000;

/** A session of which nothing is known yet. */
export function emptySession(sessionId: SessionId): SessionView {
  return { sessionId, title: '', mode: 'ask', policy: {}, lastSeq: -1, items: [], approvals: [], questions: [], tokens: { input: 0, output: 0 }, edits: [] };
}

/**
 * Folds events into a view, in order.
 *
 * In     events of any session; those of another session, and those seen already, change nothing.
 * Out    the same value for the same events however they were grouped.
 */
export function foldEvents(view: SessionView, events: readonly EngineEvent[]): SessionView {
  let next = view;
  for (const event of events) next = applyEvent(next, event);
  return next;
}

/** One event applied; the view itself is never changed. */
export function applyEvent(view: SessionView, event: EngineEvent): SessionView {
  if (event.sessionId !== view.sessionId || event.seq <= view.lastSeq) return view;
  return { ...change(view, event), lastSeq: event.seq };
}

function change(view: SessionView, event: EngineEvent): SessionView {
  switch (event.type) {
    case 'session-start':
      return { ...view, title: event.title, mode: event.mode, ...(event.taskId === undefined ? {} : { taskId: event.taskId }) };
    case 'mode-change':
      return { ...view, mode: event.mode };
    case 'policy-change':
      return { ...view, policy: event.status };
    case 'prompt-timeout-change': {
      const { promptTimeoutMs: _, ...rest } = view;
      return event.timeoutMs === null ? rest : { ...rest, promptTimeoutMs: event.timeoutMs };
    }
    case 'turn-start':
      return {
        ...view,
        items: [...view.items, { kind: 'turn', turn: { turnId: event.turnId, text: event.text, model: event.model, startedAt: event.at, items: [] } }],
      };
    case 'turn-end':
      return {
        ...inTurn(view, event.turnId, (turn) =>
          endTurn(turn, { kind: event.end, at: event.at, ...(event.reason ? { reason: event.reason } : {}), ...(event.error ? { error: event.error } : {}) }),
        ),
        approvals: view.approvals.filter((request) => request.turnId !== event.turnId),
        questions: view.questions.filter((request) => request.turnId !== event.turnId),
      };
    case 'step-start':
      return inTurn(view, event.turnId, (turn) => ({
        ...turn,
        items: [...turn.items, { kind: 'step', step: { stepId: event.stepId, index: event.index, blocks: [], calls: [], batches: [] } }],
      }));
    case 'step-end':
      return {
        ...inStep(view, event.stepId, (step) => ({ ...(event.stop === 'aborted' || event.stop === 'error' ? dropUnjudged(step) : step), stop: event.stop })),
        tokens: { input: view.tokens.input + (event.usage.inputTokens ?? 0), output: view.tokens.output + (event.usage.outputTokens ?? 0) },
      };
    case 'model-retry':
      return addBlock(view, event.stepId, { kind: 'retry', attempt: event.attempt, waitMs: event.waitMs, error: event.error });
    case 'text-start':
      return addBlock(view, event.stepId, { kind: 'text', block: event.block, text: '', open: true, forgeries: [] });
    case 'text-delta':
      return inText(view, event.stepId, event.block, (block) => ({ ...block, text: block.text + event.text }));
    case 'text-end':
      return inText(view, event.stepId, event.block, (block) => ({ ...block, open: false }));
    case 'forgery-strip':
      return inText(view, event.stepId, event.block, (block) => ({ ...block, forgeries: [...block.forgeries, { offset: event.offset, text: event.text }] }));
    case 'reasoning-delta':
      return inStep(view, event.stepId, (step) => {
        const last = step.blocks.at(-1);
        if (last?.kind !== 'reasoning') return { ...step, blocks: [...step.blocks, { kind: 'reasoning', text: event.text }] };
        return { ...step, blocks: [...step.blocks.slice(0, -1), { ...last, text: last.text + event.text }] };
      });
    case 'call-stream-start':
      return inStep(view, event.stepId, (step) => ({ ...step, calls: [...step.calls, newCall(event.callId, event.name)] }));
    case 'call-stream-end':
      return inStep(view, event.stepId, (step) => {
        const known = step.calls.some((call) => call.callId === event.callId);
        const calls = known ? step.calls : [...step.calls, newCall(event.callId, event.name)];
        const written = (call: CallView): CallView => ({
          ...call,
          phase: 'written',
          tool: event.name,
          requestedName: event.name,
          // What is known of the arguments stays, also where the wire says nothing for a moment.
          argumentsText: event.argumentsText === '' ? call.argumentsText : event.argumentsText,
          warnings: event.warnings,
        });
        return { ...step, calls: calls.map((call) => (call.callId === event.callId ? written(call) : call)) };
      });
    case 'early-start':
      return inCall(view, event.callId, (call) => ({ ...call, tool: event.tool, early: { startedAt: event.at, used: false } }));
    case 'early-abort':
      return inCall(view, event.callId, (call) => (call.early ? { ...call, early: { ...call.early, aborted: event.reason } } : call));
    case 'plan-end':
      return planned(view, event);
    case 'approval-start':
      return {
        ...inCall(view, event.request.callId, (call) => ({ ...call, phase: 'asking', approval: { request: event.request } })),
        approvals: [...view.approvals.filter((request) => request.approvalId !== event.request.approvalId), event.request],
      };
    case 'approval-revise': {
      const { approvalId, callId, trace, parts } = event;
      const revised = (request: ApprovalRequest): ApprovalRequest =>
        request.approvalId === approvalId ? { ...request, trace, ...(parts === undefined ? {} : { parts }) } : request;
      return {
        ...inCall(view, callId, (call) => (call.approval ? { ...call, approval: { ...call.approval, request: revised(call.approval.request) } } : call)),
        approvals: view.approvals.map(revised),
      };
    }
    case 'approval-end':
      return {
        ...inCall(view, event.callId, (call) =>
          call.approval
            ? {
                ...call,
                phase: call.phase === 'asking' ? 'waiting' : call.phase,
                approval: { ...call.approval, outcome: event.outcome, endedAt: event.at },
                ...(event.outcome.kind === 'answered' && event.outcome.edited ? editedCall(call, event.outcome.edited) : {}),
              }
            : call,
        ),
        approvals: view.approvals.filter((request) => request.approvalId !== event.approvalId),
      };
    case 'question-start':
      return { ...inCall(view, event.request.callId, (call) => ({ ...call, phase: 'asking' })), questions: [...view.questions, event.request] };
    case 'question-end':
      return {
        ...inCall(view, event.callId, (call) => (call.phase === 'asking' ? { ...call, phase: 'running' } : call)),
        questions: view.questions.filter((request) => request.questionId !== event.questionId),
      };
    case 'job-start':
      return inCall(view, event.callId, (call) => ({ ...call, job: { taskId: event.taskId, status: 'running' } }));
    case 'job-end':
      return inCall(view, event.callId, (call) => ({
        ...call,
        job: { taskId: event.taskId, status: event.status, ...(event.exitCode === undefined ? {} : { exitCode: event.exitCode }) },
      }));
    case 'batch-start':
      return inBatch(view, event.stepId, event.batchId, (batch) => ({ ...batch, startedAt: event.at }));
    case 'batch-end':
      return inBatch(view, event.stepId, event.batchId, (batch) => ({ ...batch, endedAt: event.at }));
    case 'call-start':
      return inCall(view, event.callId, (call) => ({
        ...call,
        phase: call.phase === 'settled' ? 'settled' : 'running',
        startedAt: event.early && call.early ? call.early.startedAt : event.at,
        ...(event.early && call.early ? { early: { ...call.early, used: true } } : {}),
      }));
    case 'call-output':
      return inCall(view, event.callId, (call) => ({
        ...call,
        output: (call.output + event.text).slice(-KEPT_OUTPUT),
        outputLength: call.outputLength + event.text.length,
      }));
    case 'call-settled':
      return {
        ...inCall(view, event.callId, (call) => ({ ...call, phase: 'settled', outcome: event.outcome, settledAt: event.at, durationMs: event.durationMs })),
        edits: [...view.edits, ...(event.outcome.changes ?? []).map((file): AgentEdit => ({ callId: event.callId, ...file }))],
      };
    case 'call-late-result':
      return inCall(view, event.callId, (call) => ({ ...call, late: true }));
    case 'result-cut':
      return inCall(view, event.callId, (call) => ({
        ...call,
        cut: {
          totalBytes: event.totalBytes,
          keptBytes: event.keptBytes,
          ...(event.ref ? { ref: event.ref } : {}),
          ...(event.problem ? { problem: event.problem } : {}),
        },
      }));
    case 'result-summary':
      return inCall(view, event.callId, (call) => ({ ...call, cut: { totalBytes: event.totalBytes, keptBytes: 0, ref: event.ref } }));
    case 'result-push':
      return inCall(view, event.callId, (call) => ({ ...call, pushed: { content: event.content, isError: event.isError } }));
    case 'plan-show':
      return inOpenTurn(view, (turn) => showPlan(turn, { kind: 'plan', steps: event.steps, ...(event.explanation ? { explanation: event.explanation } : {}) }));
    case 'notice':
      return addNotice(view, { kind: 'notice', seq: event.seq, level: event.level, text: event.text });
    case 'notify':
      return addNotice(view, { kind: 'notice', seq: event.seq, level: 'info', text: event.body, notification: event.title });
    case 'diagnostics':
      return inCall(view, event.callId, (call) => ({ ...call, diagnostics: { checked: event.checked, found: event.found, count: event.count } }));
    case 'snapshot':
    case 'snapshot-drop':
    case 'undo':
    case 'redo':
      return undoneIn(view, event);
    // The turn that was cut off goes on: what becomes of it is said by the events that follow.
    case 'session-resume':
    case 'grants-change':
    case 'grant-revoke':
    case 'definition-change':
    case 'definition-accept':
    // Told in the log; the card of the outer call shows its own result.
    case 'inner-call':
    case 'call-end':
    case 'tool-note':
    case 'data-kept':
    case 'message-push':
    case 'file-observe':
      return view;
  }
}

function undoneIn(view: SessionView, event: UndoEvent): SessionView {
  return changedCalls(event).reduce((next, callId) => inCall(next, callId, (call) => foldUndo(call, event)), view);
}

/** The turn that is running; undefined when the agent rests. */
export function openTurn(view: SessionView): TurnView | undefined {
  for (let i = view.items.length - 1; i >= 0; i--) {
    const item = view.items[i];
    if (item?.kind === 'turn') return item.turn.end ? undefined : item.turn;
  }
  return undefined;
}

function addNotice(view: SessionView, notice: NoticeItem): SessionView {
  if (openTurn(view)) return inOpenTurn(view, (turn) => ({ ...turn, items: [...turn.items, notice] }));
  return { ...view, items: [...view.items, notice] };
}

function newCall(callId: CallId, name: string): CallView {
  return {
    callId,
    phase: 'writing',
    tool: name,
    requestedName: name,
    argumentsText: '',
    summary: '',
    repairs: [],
    trace: [],
    warnings: [],
    output: '',
    outputLength: 0,
  };
}

function endTurn(turn: TurnView, end: NonNullable<TurnView['end']>): TurnView {
  const items = turn.items.map((item): TurnItem => (item.kind === 'step' ? { kind: 'step', step: dropUnjudged(item.step) } : item));
  return { ...turn, items, end };
}

// A call that was still being written, or never judged, has no slot: nothing will become of it.
function dropUnjudged(step: StepView): StepView {
  if (step.calls.every((call) => call.outcome)) return step;
  return { ...step, calls: step.calls.map((call) => (call.outcome ? call : { ...call, phase: 'dropped' })) };
}

function planned(view: SessionView, event: Extract<EngineEvent, { type: 'plan-end' }>): SessionView {
  const before = batchesBefore(view, event.stepId);
  const batches: readonly BatchView[] = event.batches.map((batch, index) => ({ ...batch, number: before + index + 1 }));
  return inStep(view, event.stepId, (step) => {
    const known = new Map(step.calls.map((call) => [call.callId, call]));
    const calls = event.calls.map((plan) => planCall(known.get(plan.callId) ?? newCall(plan.callId, plan.requestedName), plan));
    return { ...step, calls, batches };
  });
}

function editedCall(call: CallView, { input, summary = call.summary }: EditedCall): Pick<CallView, 'input' | 'summary'> {
  return { input, summary };
}

function planCall(call: CallView, plan: PlannedCallView): CallView {
  return {
    ...call,
    phase: call.phase === 'settled' || call.phase === 'running' || call.phase === 'asking' ? call.phase : 'waiting',
    tool: plan.tool,
    requestedName: plan.requestedName,
    summary: plan.summary,
    ...knownInput(call, plan),
    repairs: plan.repairs,
    trace: plan.trace,
  };
}

/** Arguments that were refused come as nothing: what the model wrote stays to be seen. */
function knownInput(call: CallView, { input }: PlannedCallView): Pick<CallView, 'input'> {
  const known = isJsonObject(input) && (Object.keys(input).length > 0 || call.argumentsText === '' || call.argumentsText.trim() === '{}') ? input : call.input;
  return known === undefined ? {} : { input: known };
}

function batchesBefore(view: SessionView, stepId: StepId): number {
  for (let i = view.items.length - 1; i >= 0; i--) {
    const item = view.items[i];
    if (item?.kind !== 'turn') continue;
    const steps = stepsOf(item.turn);
    const at = steps.findIndex((step) => step.stepId === stepId);
    if (at >= 0) return steps.slice(0, at).reduce((sum, step) => sum + step.batches.length, 0);
  }
  return 0;
}

/** The steps of a turn, in order. */
export function stepsOf(turn: TurnView): readonly StepView[] {
  return turn.items.flatMap((item) => (item.kind === 'step' ? [item.step] : []));
}

function showPlan(turn: TurnView, plan: Extract<TurnItem, { kind: 'plan' }>): TurnView {
  const at = turn.items.findIndex((item) => item.kind === 'plan');
  return { ...turn, items: at < 0 ? [...turn.items, plan] : turn.items.with(at, plan) };
}

function inTurnWhere(view: SessionView, matches: (turn: TurnView) => boolean, update: (turn: TurnView) => TurnView): SessionView {
  for (let i = view.items.length - 1; i >= 0; i--) {
    const item = view.items[i];
    if (item?.kind !== 'turn' || !matches(item.turn)) continue;
    const changed: SessionItem = { kind: 'turn', turn: update(item.turn) };
    return { ...view, items: view.items.with(i, changed) };
  }
  return view;
}

function inTurn(view: SessionView, turnId: TurnId, update: (turn: TurnView) => TurnView): SessionView {
  return inTurnWhere(view, (turn) => turn.turnId === turnId, update);
}

function inOpenTurn(view: SessionView, update: (turn: TurnView) => TurnView): SessionView {
  return inTurnWhere(view, (turn) => !turn.end, update);
}

// Steps and calls are looked for from the end: what happens nearly always happens in the newest one.
function inStepWhere(view: SessionView, matches: (step: StepView) => boolean, update: (step: StepView) => StepView): SessionView {
  const holds = (item: TurnItem): boolean => item.kind === 'step' && matches(item.step);
  return inTurnWhere(
    view,
    (turn) => turn.items.some(holds),
    (turn) => {
      const at = turn.items.findLastIndex(holds);
      const item = turn.items[at];
      return item?.kind === 'step' ? { ...turn, items: turn.items.with(at, { kind: 'step', step: update(item.step) }) } : turn;
    },
  );
}

function inStep(view: SessionView, stepId: StepId, update: (step: StepView) => StepView): SessionView {
  return inStepWhere(view, (step) => step.stepId === stepId, update);
}

function inCall(view: SessionView, callId: CallId, update: (call: CallView) => CallView): SessionView {
  return inStepWhere(
    view,
    (step) => step.calls.some((call) => call.callId === callId),
    (step) => ({ ...step, calls: step.calls.map((call) => (call.callId === callId ? update(call) : call)) }),
  );
}

function inBatch(view: SessionView, stepId: StepId, batchId: string, update: (batch: BatchView) => BatchView): SessionView {
  return inStep(view, stepId, (step) => ({ ...step, batches: step.batches.map((batch) => (batch.batchId === batchId ? update(batch) : batch)) }));
}

function addBlock(view: SessionView, stepId: StepId, block: BlockView): SessionView {
  return inStep(view, stepId, (step) => ({ ...step, blocks: [...step.blocks, block] }));
}

type TextBlock = Extract<BlockView, { kind: 'text' }>;

function inText(view: SessionView, stepId: StepId, block: number, update: (text: TextBlock) => TextBlock): SessionView {
  return inStep(view, stepId, (step) => ({ ...step, blocks: step.blocks.map((item) => (item.kind === 'text' && item.block === block ? update(item) : item)) }));
}
