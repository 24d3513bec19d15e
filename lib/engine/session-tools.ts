import type { EngineEvent } from '@/lib/contracts/events';
import type { CallId } from '@/lib/contracts/ids';
import type { QuestionOutcome, QuestionRequest } from '@/lib/contracts/question';
import { createQuestionDesk, type QuestionDesk } from '@/lib/pipeline/4-execute/question-desk';
import type { Json } from '@/lib/shared/json';
import type { EnginePorts, OpenWorkspace } from './ports';
import type { Recorder } from './recorder';
import { createShellJobs, type ShellJobTable } from './shell-jobs';
import type { Undo } from './undo';

/** What tools keep between their calls, one a session: open questions, background commands, notes. */
export interface SessionTools {
  readonly questions: QuestionDesk;
  readonly jobs: ShellJobTable;
  readonly notes: Map<string, Json>;
}

/**
 * Makes what the tools of a session keep.
 *
 * In     `stored` events of the session: notes are read back; questions and background commands that a closed tab cut off are ended.
 */
export function createSessionTools(
  stored: readonly EngineEvent[],
  workspace: OpenWorkspace,
  recorder: Recorder,
  ports: Pick<EnginePorts, 'clock' | 'newId'>,
  undo: Undo,
): SessionTools {
  const notes = new Map<string, Json>();
  for (const event of stored) if (event.type === 'tool-note') notes.set(event.key, event.value);
  for (const { questionId, callId } of openForms(stored)) recorder.emit({ type: 'question-end', questionId, callId, outcome: { kind: 'cancelled' } });
  return {
    questions: createQuestionDesk({ emit: recorder.emit, newId: ports.newId, now: ports.clock.now, commit: recorder.commit }, answersIn(stored)),
    jobs: createShellJobs({ runtime: workspace.runtime, clock: ports.clock, emit: recorder.emit, commit: recorder.commit, openStep: undo.openJob }, stored),
    notes,
  };
}

/** What the person answered, by call; a form that was taken back has no answer. */
function answersIn(events: readonly EngineEvent[]): ReadonlyMap<CallId, QuestionOutcome> {
  const answers = new Map<CallId, QuestionOutcome>();
  for (const event of events) if (event.type === 'question-end' && event.outcome.kind !== 'cancelled') answers.set(event.callId, event.outcome);
  return answers;
}

function openForms(events: readonly EngineEvent[]): readonly QuestionRequest[] {
  const open = new Map<string, QuestionRequest>();
  for (const event of events) {
    if (event.type === 'question-start') open.set(event.request.questionId, event.request);
    else if (event.type === 'question-end') open.delete(event.questionId);
  }
  return [...open.values()];
}
