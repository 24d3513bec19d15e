import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import type { DifferingPath, UndoLimit } from '@/lib/contracts/undo';
import type { CallView, TurnView, UndoView } from './view-types';
import { counted } from './words';

export type UndoEvent = Extract<EngineEvent, { type: 'snapshot' | 'snapshot-drop' | 'undo' | 'redo' }>;

/** The calls that an event of undo is about. */
export function changedCalls(event: UndoEvent): readonly CallId[] {
  return event.type === 'snapshot' ? [event.callId] : event.callIds;
}

/** A call after an event of undo that is about it. */
export function foldUndo(call: CallView, event: UndoEvent): CallView {
  if (event.type === 'snapshot') {
    const { paths, count, limits, problem, recovered } = event;
    const undo: UndoView = {
      state: problem === undefined ? 'done' : 'lost',
      paths,
      count,
      limits,
      ...(problem && { problem }),
      ...(recovered && { recovered }),
    };
    return { ...call, undo };
  }
  if (call.undo === undefined) return call;
  const { undone: _, ...rest } = call.undo;
  if (event.type === 'undo') return { ...call, undo: { ...rest, state: 'undone', undone: { undoId: event.undoId, by: event.by, left: event.left } } };
  return { ...call, undo: { ...rest, state: event.type === 'redo' ? 'done' : 'lost' } };
}

/** The calls of a turn that changed files. */
export function undoCalls(turn: TurnView): readonly CallView[] {
  return turn.items.flatMap((item) => (item.kind === 'step' ? item.step.calls.filter((call) => call.undo !== undefined && call.undo.count > 0) : []));
}

/** What undo will not bring back of a call, in words; '' = nothing is missing. */
export function limitWords(limits: readonly UndoLimit[]): string {
  const words: Readonly<Record<UndoLimit, string>> = {
    commands: 'This runtime cannot tell what the command changed, so that cannot be undone.',
    packages: 'Undo leaves node_modules as it is: install again if you need to.',
    outside: 'What it did outside this workspace cannot be undone.',
  };
  return limits.map((limit) => words[limit]).join(' ');
}

/** What stands in the way of an undo, in words. */
export function differingWords(differs: readonly DifferingPath[]): string {
  const one = differs.length === 1;
  const person = differs.some(({ by }) => by === undefined);
  const call = differs.some(({ by }) => by !== undefined);
  const who = person && call ? 'by you or a later call' : call ? 'by a later call' : 'by you or a program of yours';
  return `Nothing was undone: ${counted(differs.length, 'file')} ${one ? 'was' : 'were'} changed since, ${who}.`;
}
