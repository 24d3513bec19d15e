import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, StepId, TurnId } from '@/lib/contracts/ids';
import type { UndoId, UndoStep } from '@/lib/contracts/undo';

/** What the log tells of undo; read as the events grow. */
export interface UndoLog {
  /** Calls that changed files, oldest first. */
  steps(): readonly UndoStep[];
  step(callId: string): UndoStep | undefined;
  /** Calls that are undone by this; undefined = there is no such undo, or it was taken back. */
  undone(undoId: UndoId): readonly CallId[] | undefined;
  /** Every turn, oldest first. */
  turns(): readonly TurnId[];
  call(callId: string): { readonly turnId: TurnId; readonly tool: string; readonly summary: string } | undefined;
}

/** Reads the log of a session, event by event. */
export function createUndoLog(events: readonly EngineEvent[]): UndoLog {
  const steps = new Map<string, UndoStep>();
  const undos = new Map<UndoId, readonly CallId[]>();
  const turns: TurnId[] = [];
  const turnOfStep = new Map<StepId, TurnId>();
  const calls = new Map<string, { readonly turnId: TurnId; readonly tool: string; readonly summary: string }>();
  const change = (callId: CallId, state: UndoStep['state'], undoId?: UndoId) => {
    const known = steps.get(callId);
    if (known === undefined) return;
    const { undoId: _, ...rest } = known;
    steps.set(callId, { ...rest, state, ...(undoId === undefined ? {} : { undoId }) });
  };
  const read = (event: EngineEvent) => {
    if (event.type === 'turn-start') turns.push(event.turnId);
    else if (event.type === 'step-start') turnOfStep.set(event.stepId, event.turnId);
    else if (event.type === 'plan-end') {
      const turnId = turnOfStep.get(event.stepId);
      if (turnId !== undefined) for (const { callId, tool, summary } of event.calls) calls.set(callId, { turnId, tool, summary });
    } else if (event.type === 'snapshot') {
      if (event.count === 0) return;
      const { callId, turnId, at, paths, count, limits } = event;
      steps.set(callId, { callId, turnId, at, paths, count, limits, state: event.problem === undefined ? 'done' : 'lost' });
    } else if (event.type === 'snapshot-drop') for (const callId of event.callIds) change(callId, 'lost');
    else if (event.type === 'undo') {
      undos.set(event.undoId, event.callIds);
      for (const callId of event.callIds) change(callId, 'undone', event.undoId);
    } else if (event.type === 'redo') {
      undos.delete(event.undoId);
      for (const callId of event.callIds) change(callId, 'done');
    }
  };
  let next = 0;
  const upToDate = <Value>(answer: () => Value): Value => {
    for (; next < events.length; next++) read(events[next] as EngineEvent);
    return answer();
  };
  return {
    steps: () => upToDate(() => [...steps.values()]),
    step: (callId) => upToDate(() => steps.get(callId)),
    undone: (undoId) => upToDate(() => undos.get(undoId)),
    turns: () => upToDate(() => turns),
    call: (callId) => upToDate(() => calls.get(callId)),
  };
}
