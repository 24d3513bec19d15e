import type { Mode } from '@/lib/contracts/approval';
import type { EngineEvent, EngineEventBody } from '@/lib/contracts/events';
import type { TurnId } from '@/lib/contracts/ids';
import type { SessionRecord } from '@/lib/contracts/store';
import { createLoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { type ApprovalDesk, createApprovalDesk } from '@/lib/pipeline/4-execute/approval-desk';
import type { Gate } from '@/lib/pipeline/4-execute/gate';
import { createObservedFiles } from '@/lib/pipeline/4-execute/observed-files';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import { createStop, type Stop } from '@/lib/shared/stop';
import { type BrokenTurn, closedTurn, findBrokenTurn } from './broken-turn';
import { finishBroken } from './finish-broken';
import type { EnginePorts, OpenWorkspace } from './ports';
import { createRecorder, type Recorder } from './recorder';
import { createSessionTools, type SessionTools } from './session-tools';
import { createStanding, type LiveStanding, rememberAnswer } from './standing';
import { createToolHost } from './tool-host';
import { createTranscript, type Transcript } from './transcript';
import { runTurn, type TurnResult } from './turn';
import type { TurnPorts } from './turn-ports';

/** One conversation that is open in this engine. */
export interface Session {
  readonly record: () => SessionRecord;
  readonly workspace: OpenWorkspace;
  readonly events: readonly EngineEvent[];
  readonly desk: ApprovalDesk;
  readonly tools: SessionTools;
  readonly running: () => TurnId | undefined;
  /** A turn that a closed tab cut off and that goes on, since a prompt of it is open again. */
  readonly resumed: Promise<void> | undefined;
  /** Starts a turn; settles when it has ended. Throws at once, CodedError `turn-running` or `empty-message`, when it cannot start. */
  send(text: string): Promise<void>;
  stop(): void;
  setMode(mode: Mode): Promise<void>;
  /** Ends what runs, stores what was said, and says no more: another tab goes on from the log. */
  handOver(): Promise<void>;
}

/** Opens a session over its stored events; a turn that a closed tab cut off is closed first. */
export async function openSession(
  record: SessionRecord,
  stored: readonly EngineEvent[],
  workspace: OpenWorkspace,
  gate: Gate,
  publish: (event: EngineEvent) => void,
  ports: EnginePorts,
): Promise<Session> {
  const events: EngineEvent[] = [...stored];
  const recorder = createRecorder({
    sessionId: record.sessionId,
    nextSeq: (stored.at(-1)?.seq ?? -1) + 1,
    store: ports.stores.sessions,
    now: ports.clock.now,
    publish(event) {
      events.push(event);
      publish(event);
    },
    flushFiles: () => workspace.runtime.flush(),
  });
  const transcript = createTranscript(stored, recorder.emit);
  const standing = createStanding(record.mode, stored);
  const state = { record, running: undefined as { turnId: TurnId; stop: Stop } | undefined };
  const desk = createApprovalDesk({
    emit: recorder.emit,
    remember: (request, answer) => rememberAnswer(standing, request, answer.choice),
    stopTurn: () => stop(),
  });
  const observed = createObservedFiles(workspace.files, observedBefore(stored), (path, print) => recorder.emit({ type: 'file-observe', path, print }));
  const tools = createSessionTools(stored, workspace, recorder, ports);
  const loopGuard = createLoopGuard();

  if (stored.length === 0)
    recorder.emit(
      record.taskId === undefined
        ? { type: 'session-start', title: record.title, mode: record.mode }
        : { type: 'session-start', title: record.title, mode: record.mode, taskId: record.taskId },
    );
  await recorder.commit();

  let handedOver = false;
  const update = async (changes: Partial<SessionRecord>) => {
    if (handedOver) return;
    state.record = { ...state.record, ...changes, updatedAt: ports.clock.now() };
    try {
      await ports.stores.sessions.put(state.record);
    } catch (error) {
      recorder.emit({
        type: 'notice',
        level: 'warning',
        code: 'session-not-stored',
        text: `The session's title and mode could not be stored (${messageOf(error)}). It goes on here.`,
      });
    }
  };
  const stop = () => {
    const running = state.running;
    if (running === undefined) return;
    running.stop.pull(new CodedError('cancelled', 'the turn was stopped'));
    desk.cancelTurn(running.turnId);
  };
  const run = async (running: { turnId: TurnId; stop: Stop }, begin: { text: string } | { broken: BrokenTurn }) => {
    state.running = running;
    try {
      await runOneTurn(begin, running, { recorder, transcript, standing, desk, observed, tools, loopGuard, workspace, gate, record: state.record, ports });
    } finally {
      state.running = undefined;
    }
    await update('text' in begin && state.record.title === untitled ? { title: titleFrom(begin.text) } : {});
  };
  const send = (text: string): Promise<void> => {
    if (text.trim() === '') throw new CodedError('empty-message', 'The message is empty. Nothing was sent.');
    if (state.running !== undefined) throw new CodedError('turn-running', 'A turn is running. Stop it first, or wait for its end.');
    return run({ turnId: ports.newId<TurnId>('turn'), stop: createStop() }, { text });
  };
  const broken = findBrokenTurn(stored, transcript.unanswered(), ports.dispatcher);
  const resumed = broken === undefined ? undefined : run({ turnId: broken.turnId, stop: createStop() }, { broken });
  // What nobody has to be asked for is closed before the session is shown.
  if (broken?.step === undefined || broken.step.thenEnd !== undefined) await resumed;
  return {
    record: () => state.record,
    workspace,
    events,
    desk,
    tools,
    running: () => state.running?.turnId,
    resumed,
    send,
    stop,
    async handOver() {
      handedOver = true;
      await recorder.close();
      stop();
    },
    async setMode(mode) {
      if (standing.mode === mode) return;
      standing.mode = mode;
      recorder.emit({ type: 'mode-change', mode });
      desk.redecide();
      await update({ mode });
      await recorder.commit();
    },
  };
}

/** Title of a session that nobody has named yet. */
export const untitled = 'New session';

interface TurnParts {
  readonly recorder: Recorder;
  readonly transcript: Transcript;
  readonly standing: LiveStanding;
  readonly desk: ApprovalDesk;
  readonly observed: ReturnType<typeof createObservedFiles>;
  readonly tools: SessionTools;
  readonly loopGuard: ReturnType<typeof createLoopGuard>;
  readonly workspace: OpenWorkspace;
  readonly gate: Gate;
  readonly record: SessionRecord;
  readonly ports: EnginePorts;
}

async function runOneTurn(
  begin: { readonly text: string } | { readonly broken: BrokenTurn },
  running: { readonly turnId: TurnId; readonly stop: Stop },
  parts: TurnParts,
): Promise<void> {
  const { recorder, transcript, ports, record } = parts;
  const { turnId, stop } = running;
  const { emit } = recorder;
  const model = ports.models.open(record.taskId);
  let forgeryNoticed = false;
  if ('broken' in begin) reopenTurn(begin.broken, emit);
  else {
    emit({ type: 'turn-start', turnId, text: begin.text, model: model.name });
    transcript.push({ role: 'user', text: begin.text });
  }
  await recorder.commit();
  parts.loopGuard.newTurn();
  let result: TurnResult;
  try {
    const turnPorts: TurnPorts = {
      turnId,
      modelName: model.name,
      dispatcher: ports.dispatcher,
      standing: parts.standing,
      loopGuard: parts.loopGuard,
      transcript,
      desk: parts.desk,
      observed: parts.observed,
      gate: parts.gate,
      clock: ports.clock,
      newId: ports.newId,
      stop,
      emit,
      commit: recorder.commit,
      makeContext: createToolHost({
        workspace: parts.workspace,
        spills: ports.stores.spills,
        tools: parts.tools,
        turnId,
        emit,
        now: ports.clock.now,
        newId: ports.newId,
      }),
      onLateResult: (callId, ok) => emit({ type: 'call-late-result', callId, ok }),
      spills: ports.stores.spills,
      newRef: ports.newSpillRef,
      sessionId: record.sessionId,
      now: ports.clock.now,
      jobs: parts.tools.jobs,
      canRetrieve: ports.dispatcher.has('retrieve_tool_result'),
      noticeForgery() {
        if (forgeryNoticed) return;
        forgeryNoticed = true;
        emit({
          type: 'notice',
          level: 'warning',
          code: 'forgery-stripped',
          text: 'The model wrote a tool call as text. It was taken out of the text and nothing was executed: only calls through the structured channel count.',
        });
      },
    };
    const left = 'broken' in begin ? stepLeft(begin.broken, model.name) : undefined;
    result = 'broken' in begin && left === undefined ? closedTurn : await runTurn(model.stream, turnPorts, left);
  } catch (error) {
    result = { end: 'failed', reason: `The engine met an error of its own (${messageOf(error)}). What was done is kept; send a message to go on.` };
  }
  finishBroken(recorder, transcript, result.reason ?? 'the turn ended');
  parts.desk.cancelTurn(turnId);
  emit({ type: 'turn-end', turnId, ...result });
  await recorder.commit();
}

function observedBefore(events: readonly EngineEvent[]): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'file-observe') continue;
    if (event.print === null) seen.delete(event.path);
    else seen.set(event.path, event.print);
  }
  return seen;
}

/** Says what a closed tab left open: the step that was streaming, and prompts, which are asked anew. */
function reopenTurn(broken: BrokenTurn, emit: (event: EngineEventBody) => void): void {
  emit({ type: 'session-resume' });
  if (broken.openStep !== undefined) emit({ type: 'step-end', turnId: broken.turnId, stepId: broken.openStep, stop: 'aborted', usage: {} });
  for (const prompt of broken.prompts) emit({ type: 'approval-end', approvalId: prompt.approvalId, callId: prompt.callId, outcome: { kind: 'cancelled' } });
}

/** The step to finish; its turn ends after it where its model is not the one that is connected now. */
function stepLeft(broken: BrokenTurn, modelName: string): BrokenTurn['step'] {
  if (broken.step === undefined || broken.model === modelName || broken.step.thenEnd !== undefined) return broken.step;
  return {
    ...broken.step,
    thenEnd: {
      end: 'stopped',
      reason: `This turn went to ${broken.model}, which is not connected now. Connect it again, or go on with another model by sending a message.`,
    },
  };
}

function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
