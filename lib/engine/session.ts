import type { Mode, RememberedGrant } from '@/lib/contracts/approval';
import type { EngineEvent } from '@/lib/contracts/events';
import type { AgentId, TurnId } from '@/lib/contracts/ids';
import type { StreamModel } from '@/lib/contracts/model';
import type { SessionRecord } from '@/lib/contracts/store';
import { createLoopGuard } from '@/lib/pipeline/2-plan/loop-guard';
import { createOutsideTracker } from '@/lib/pipeline/2-plan/outside-bytes';
import type { ApprovalDesk } from '@/lib/pipeline/4-execute/approval-desk';
import type { Gate } from '@/lib/pipeline/4-execute/gate';
import { createObservedFiles } from '@/lib/pipeline/4-execute/observed-files';
import { recallOutside } from '@/lib/pipeline/5-backfill/outside-source';
import { CodedError, messageOf } from '@/lib/shared/coded-error';
import { createApprovals } from './approvals';
import { type BrokenTurn, findBrokenTurn, needsNobody } from './broken-turn';
import type { EnginePorts, OpenWorkspace } from './ports';
import { createRecorder } from './recorder';
import { createRunningTurn, type RunningTurn, runOneTurn } from './running-turn';
import { createSessionPolicy, type SessionPolicy } from './session-policy';
import { createSessionTools, type SessionTools } from './session-tools';
import type { LiveStanding } from './standing';
import { createSessionDiagnostics } from './step-diagnostics';
import { createTranscript } from './transcript';
import type { TurnResult } from './turn';
import { createUndo, type Undo } from './undo';
import type { WorkspaceGrants } from './workspace-grants';
import type { WorkspacePolicy } from './workspace-policy';

/** One conversation that is open in this engine. */
export interface Session {
  readonly record: () => SessionRecord;
  readonly workspace: OpenWorkspace;
  readonly events: readonly EngineEvent[];
  readonly desk: ApprovalDesk;
  /** What decides its calls beside the calls themselves. */
  readonly standing: LiveStanding;
  readonly tools: SessionTools;
  readonly policy: SessionPolicy;
  readonly undo: Undo;
  readonly running: () => TurnId | undefined;
  /** A turn that a closed tab cut off and that goes on, since a prompt of it is open again. */
  readonly resumed: Promise<void> | undefined;
  /**
   * Lets another agent work in the running turn, beside those that are in it: its own history, the same desk, standing, lock and stop.
   * Settles when its model yields; the turn ends after all of them. Throws CodedError `no-turn` when none is running.
   */
  runAgent(agent: AgentId, stream: StreamModel): Promise<TurnResult>;
  grants(): { readonly session: readonly RememberedGrant[]; readonly workspace: readonly RememberedGrant[] };
  /** Takes back a remembered approval; false = there is none. */
  revokeGrant(key: string): Promise<boolean>;
  /** Approvals of this tool hold for what its server sends now; false = that has not changed. */
  acceptDefinition(tool: string): Promise<boolean>;
  /** null = prompts wait for ever. */
  setPromptTimeout(timeoutMs: number | null): Promise<void>;
  /** Starts a turn; settles when it has ended. Throws at once, CodedError `turn-running` or `empty-message`, when it cannot start. */
  send(text: string): Promise<void>;
  stop(): void;
  setMode(mode: Mode): Promise<void>;
  /** Settles when everything said so far is stored, or could not be. */
  settle(): Promise<void>;
  /** Ends what runs, stores what was said, and says no more: another tab goes on from the log. */
  handOver(): Promise<void>;
}

/** What every session and agent of one workspace shares in an engine. */
export interface SharedInWorkspace {
  readonly gate: Gate;
  readonly grants: WorkspaceGrants;
  readonly policy: WorkspacePolicy;
}

/** Opens a session over its stored events; a turn that a closed tab cut off is closed first. */
export async function openSession(
  record: SessionRecord,
  stored: readonly EngineEvent[],
  workspace: OpenWorkspace,
  shared: SharedInWorkspace,
  publish: (event: EngineEvent) => void,
  ports: EnginePorts,
): Promise<Session> {
  const { gate, grants } = shared;
  const events: EngineEvent[] = [...stored];
  const recorder = createRecorder({
    sessionId: record.sessionId,
    nextSeq: (stored.at(-1)?.seq ?? -1) + 1,
    store: ports.stores.sessions,
    now: ports.clock.now,
    publish(event) {
      events.push(event);
      publish(event);
      policy.see(event);
    },
    flushFiles: () => workspace.runtime.flush(),
  });
  const transcript = createTranscript(stored, recorder.emit);
  const approvals = createApprovals({
    record,
    stored,
    events,
    grants,
    recorder,
    ports,
    stopTurn: () => stop(),
    timeoutMs: () => state.record.promptTimeoutMs,
    policyDifference: (changes) => policy.difference(changes),
  });
  const { standing, desk } = approvals;
  const outside = createOutsideTracker();
  recallOutside(outside, stored);
  const policy = createSessionPolicy({ events, shared: shared.policy, approvals, recorder, dispatcher: ports.dispatcher, outside });
  const state = { record, running: undefined as RunningTurn | undefined };
  const observed = createObservedFiles(workspace.files, observedBefore(stored), (path, print) => recorder.emit({ type: 'file-observe', path, print }));
  const undo = createUndo({
    sessionId: record.sessionId,
    workspaceId: record.workspaceId,
    events,
    workspace,
    gate,
    recorder,
    snapshots: ports.stores.snapshots,
    dispatcher: ports.dispatcher,
    now: ports.clock.now,
    newId: ports.newId,
  });
  const diagnostics = createSessionDiagnostics({ language: workspace.language, dispatcher: ports.dispatcher, clock: ports.clock, emit: recorder.emit });
  const tools = createSessionTools(stored, workspace, recorder, ports, undo);
  const loopGuard = createLoopGuard();

  if (stored.length === 0)
    recorder.emit(
      record.taskId === undefined
        ? { type: 'session-start', title: record.title, mode: record.mode }
        : { type: 'session-start', title: record.title, mode: record.mode, taskId: record.taskId },
    );
  else await undo.recover();
  approvals.begin();
  policy.begin();
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
  const run = async (running: RunningTurn, begin: { text: string } | { broken: BrokenTurn }) => {
    state.running = running;
    try {
      await runOneTurn(begin, running, {
        stored,
        events,
        recorder,
        transcript,
        approvals,
        policy,
        observed,
        tools,
        loopGuard,
        outside,
        undo,
        diagnostics,
        workspace,
        gate,
        record: state.record,
        ports,
      });
    } finally {
      state.running = undefined;
    }
    await update('text' in begin && state.record.title === untitled ? { title: titleFrom(begin.text) } : {});
  };
  const send = (text: string): Promise<void> => {
    if (handedOver) throw new CodedError('follower', 'Another tab took this session over. Nothing was sent; send it again, and it is handed to that tab.');
    if (text.trim() === '') throw new CodedError('empty-message', 'The message is empty. Nothing was sent.');
    if (state.running !== undefined) throw new CodedError('turn-running', 'A turn is running. Stop it first, or wait for its end.');
    return run(createRunningTurn(ports.newId<TurnId>('turn')), { text });
  };
  const broken = findBrokenTurn(
    stored,
    (agent) => (agent === undefined ? transcript : createTranscript(stored, recorder.emit, agent)).unanswered(),
    ports.dispatcher,
  );
  const resumed = broken === undefined ? undefined : run(createRunningTurn(broken.turnId), { broken });
  // What nobody has to be asked for is closed before the session is shown.
  if (broken === undefined || needsNobody(broken)) await resumed;
  return {
    record: () => state.record,
    workspace,
    events,
    desk,
    standing,
    tools,
    policy,
    undo,
    running: () => state.running?.turnId,
    resumed,
    send,
    runAgent(agent, stream) {
      if (state.running === undefined) throw new CodedError('no-turn', 'No turn is running, so no agent can work in it.');
      return state.running.join(agent, stream);
    },
    stop,
    grants: () => ({ session: standing.sessionGrants(), workspace: grants.all() }),
    revokeGrant: (key) => approvals.revoke(key),
    acceptDefinition: (tool) => approvals.acceptDefinition(tool),
    async setPromptTimeout(timeoutMs) {
      const { promptTimeoutMs: before, ...rest } = state.record;
      if ((before ?? null) === timeoutMs) return;
      state.record = timeoutMs === null ? rest : { ...rest, promptTimeoutMs: timeoutMs };
      recorder.emit({ type: 'prompt-timeout-change', timeoutMs });
      await update({});
      await recorder.commit();
    },
    settle: () => recorder.commit(),
    async handOver() {
      handedOver = true;
      approvals.close();
      policy.close();
      undo.close();
      await recorder.close();
      stop();
    },
    async setMode(mode) {
      if (handedOver) throw new CodedError('follower', 'Another tab took this session over. The mode is as it was; set it again, and that tab does it.');
      let isNew = false;
      await desk.redecide(() => {
        isNew = standing.mode !== mode;
        if (!isNew) return;
        standing.mode = mode;
        recorder.emit({ type: 'mode-change', mode });
      });
      if (!isNew) return;
      await update({ mode: standing.mode });
      await recorder.commit();
    },
  };
}

/** Title of a session that nobody has named yet. */
export const untitled = 'New session';

function observedBefore(events: readonly EngineEvent[]): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'file-observe') continue;
    if (event.print === null) seen.delete(event.path);
    else seen.set(event.path, event.print);
  }
  return seen;
}

function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
