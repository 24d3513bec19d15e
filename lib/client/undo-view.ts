import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId, TurnId } from '@/lib/contracts/ids';
import type { DifferingPath, UndoId, UndoLimit, WhenDiffering } from '@/lib/contracts/undo';
import type { CallView, TurnView, UndoView } from './view-types';

export type UndoEvent = Extract<EngineEvent, { type: 'snapshot' | 'snapshot-drop' | 'undo' | 'redo' }>;

/** What a person asks for: one call, a turn, or an undo taken back. */
export type UndoRequest =
  | { readonly type: 'undo-call'; readonly callId: CallId; readonly differing: WhenDiffering }
  | { readonly type: 'undo-turn'; readonly turnId: TurnId; readonly differing: WhenDiffering }
  | { readonly type: 'redo'; readonly undoId: UndoId; readonly differing: WhenDiffering };

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

/** Why a path was not touched, in words. */
export function differenceWords({ why, by }: DifferingPath): string {
  if (why === 'in-the-way') return 'something else stands in its place now';
  return by === undefined ? 'changed since by you, or by a program of yours' : 'changed since by a later call';
}

/** The one undo that holds for every call of a turn that changed files; undefined = there is none. */
export function undoOfTurn(turn: TurnView): UndoId | undefined {
  const undone = undoCalls(turn).map(({ undo }) => undo?.undone?.undoId);
  const [first] = undone;
  return undone.every((undoId) => undoId === first) ? first : undefined;
}
