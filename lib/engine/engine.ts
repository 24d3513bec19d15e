import type { CommandAnswer, CommandResults, EngineApi, EngineCommand, SessionSnapshot } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId, WorkspaceId } from '@/lib/contracts/ids';
import type { SessionRole } from '@/lib/contracts/session-link';
import type { SessionRecord } from '@/lib/contracts/store';
import { createGate } from '@/lib/pipeline/4-execute/gate';
import { assertNever } from '@/lib/shared/assert-never';
import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';
import type { EnginePorts, OpenWorkspace } from './ports';
import { createSeats } from './seats';
import { openSession, type Session, type SharedInWorkspace, untitled } from './session';
import { createWorkspaceGrants } from './workspace-grants';
import { createWorkspacePolicy } from './workspace-policy';

/** The engine with what only its composition root may reach: the open workspaces behind the page's files and terminal. */
export interface Engine extends EngineApi {
  /** Rejects `not-found`. */
  workspaceOf(sessionId: SessionId): Promise<OpenWorkspace>;
  /** Settles when no turn is running in the session. */
  idle(sessionId: SessionId): Promise<void>;
}

/**
 * The engine: sessions, and the commands that a page or a script sends.
 *
 * Out    an engine whose `command` never rejects; every event of every open session reaches the subscribers in order.
 */
export function createEngine(ports: EnginePorts): Engine {
  const listeners = new Set<(events: readonly EngineEvent[]) => void>();
  const sessions = new Map<SessionId, Promise<Session>>();
  const turns = new Map<SessionId, Promise<void>>();
  const shared = new Map<WorkspaceId, SharedInWorkspace>();
  let waiting: EngineEvent[] = [];

  const publish = (event: EngineEvent) => {
    if (waiting.length === 0) queueMicrotask(deliver);
    waiting.push(event);
  };
  const deliver = () => {
    const events = waiting;
    waiting = [];
    seats.publish(events);
    show(events);
  };
  const show = (events: readonly EngineEvent[]) => {
    for (const listener of listeners) listener(events);
  };
  const roleListeners = new Set<(sessionId: SessionId, role: SessionRole) => void>();
  const seats = createSeats({
    link: ports.link,
    store: ports.stores.sessions,
    show,
    onRole(sessionId, role) {
      for (const listener of roleListeners) listener(sessionId, role);
    },
    async handOver(sessionId) {
      const open = await sessions.get(sessionId)?.catch(() => undefined);
      await open?.handOver();
      await turns.get(sessionId);
      // Not sooner: what was on its way here would open the session a second time.
      sessions.delete(sessionId);
      if (open !== undefined) await ports.workspaces.close(open.record().workspaceId);
    },
    takeUp(sessionId) {
      session(sessionId).catch(() => undefined);
    },
    settle: async (sessionId) => (await sessions.get(sessionId)?.catch(() => undefined))?.settle(),
    runHere: (command) => answer(command),
  });
  const sharedIn = (workspaceId: WorkspaceId): SharedInWorkspace => {
    const known = shared.get(workspaceId) ?? {
      gate: createGate(),
      grants: createWorkspaceGrants(workspaceId, ports.stores.workspaces),
      policy: createWorkspacePolicy(workspaceId, ports.stores.workspaces),
    };
    shared.set(workspaceId, known);
    return known;
  };
  const load = async (record: SessionRecord): Promise<Session> => {
    const { events, damaged } = await ports.stores.sessions.events(record.sessionId);
    const workspace = await ports.workspaces.open(record.workspaceId);
    damagedCounts.set(record.sessionId, damaged);
    const common = sharedIn(record.workspaceId);
    await common.grants.reload();
    await common.policy.open(workspace.runtime.fs);
    const opened = await openSession(record, events, workspace, common, publish, ports);
    if (opened.resumed !== undefined)
      turns.set(
        record.sessionId,
        opened.resumed.catch(() => undefined),
      );
    return opened;
  };
  const damagedCounts = new Map<SessionId, number>();
  const session = (sessionId: SessionId): Promise<Session> => {
    const open = sessions.get(sessionId);
    if (open !== undefined) return open;
    const opening = (async () => {
      const record = await ports.stores.sessions.get(sessionId);
      if (record === undefined) throw new CodedError('not-found', 'This session is not stored here any more. Open another one, or start a new one.');
      return load(record);
    })();
    sessions.set(sessionId, opening);
    opening.catch(() => sessions.delete(sessionId));
    return opening;
  };
  const followed = async (sessionId: SessionId): Promise<SessionSnapshot> => {
    const record = await ports.stores.sessions.get(sessionId);
    if (record === undefined) throw new CodedError('not-found', 'This session is not stored here any more. Open another one, or start a new one.');
    const events = await seats.followed(sessionId);
    return { record, events, damagedEvents: 0, running: isRunning(events), role: 'follower' };
  };
  const opened = async (sessionId: SessionId): Promise<SessionSnapshot> =>
    (await seats.role(sessionId)) === 'writer' ? snapshot(await session(sessionId)) : followed(sessionId);
  const snapshot = (of: Session): SessionSnapshot => ({
    record: of.record(),
    events: [...of.events],
    damagedEvents: damagedCounts.get(of.record().sessionId) ?? 0,
    running: of.running() !== undefined,
    role: 'writer',
  });
  const create = async (taskId: string | undefined): Promise<Session> => {
    const task = taskId === undefined ? undefined : ports.tasks.find((known) => known.taskId === taskId);
    if (taskId !== undefined && task === undefined)
      throw new CodedError('not-found', `There is no task named ${taskId}. The tasks are: ${ports.tasks.map((known) => known.taskId).join(', ')}.`);
    const { workspaceId } = await ports.workspaces.create(taskId);
    const now = ports.clock.now();
    const record: SessionRecord = {
      sessionId: ports.newId<SessionId>('session'),
      workspaceId,
      title: task?.title ?? untitled,
      createdAt: now,
      updatedAt: now,
      mode: 'ask',
      ...(taskId === undefined ? {} : { taskId }),
    };
    await ports.stores.sessions.put(record);
    await seats.role(record.sessionId);
    return session(record.sessionId);
  };
  const remove = async (sessionId: SessionId) => {
    const record = await ports.stores.sessions.get(sessionId);
    const open = await sessions.get(sessionId)?.catch(() => undefined);
    open?.stop();
    await open?.tools.jobs.endAll();
    await turns.get(sessionId);
    // Nothing of it may be written, or told, once it is removed.
    await open?.handOver();
    sessions.delete(sessionId);
    turns.delete(sessionId);
    damagedCounts.delete(sessionId);
    await ports.stores.sessions.remove(sessionId);
    seats.leave(sessionId);
    if (record === undefined) return;
    await ports.workspaces.remove(record.workspaceId);
    await ports.stores.snapshots.remove(record.workspaceId);
  };
  const startTurn = async (sessionId: SessionId, text: string) => {
    const turn = (await session(sessionId)).send(text);
    turns.set(
      sessionId,
      turn.catch(() => undefined),
    );
  };

  const run = async (command: EngineCommand): Promise<CommandResults[EngineCommand['type']]> => {
    switch (command.type) {
      case 'session-create':
        return snapshot(await create(command.taskId));
      case 'session-open':
        return opened(command.sessionId);
      case 'session-take-over':
        await seats.takeOver(command.sessionId);
        return opened(command.sessionId);
      case 'session-list':
        return {
          sessions: await ports.stores.sessions.list(),
          tasks: ports.tasks,
          model: ports.models.current(),
          ...(ports.forgetful === undefined ? {} : { forgetful: ports.forgetful }),
        };
      case 'session-remove':
        await remove(command.sessionId);
        return {};
      case 'turn-send':
        await startTurn(command.sessionId, command.text);
        return {};
      case 'turn-stop':
        (await session(command.sessionId)).stop();
        return {};
      case 'approval-answer':
        return (await session(command.sessionId)).desk.answer(command.answer);
      case 'approval-answer-all': {
        const open = await session(command.sessionId);
        const turnId = open.running();
        return { counted: turnId === undefined ? 0 : await open.desk.answerAll(turnId, command.choice) };
      }
      case 'prompt-timeout-set':
        await (await session(command.sessionId)).setPromptTimeout(command.timeoutMs);
        return {};
      case 'grant-list':
        return (await session(command.sessionId)).grants();
      case 'grant-revoke':
        return { revoked: await (await session(command.sessionId)).revokeGrant(command.key) };
      case 'definition-accept':
        return { accepted: await (await session(command.sessionId)).acceptDefinition(command.tool) };
      case 'question-answer':
        return { counted: (await session(command.sessionId)).tools.questions.answer(command.answer) };
      case 'undo-call':
        return (await session(command.sessionId)).undo.undoCall(command.callId, command.differing);
      case 'undo-turn':
        return (await session(command.sessionId)).undo.undoTurn(command.turnId, command.differing);
      case 'redo':
        return (await session(command.sessionId)).undo.redo(command.undoId, command.differing);
      case 'mode-set':
        await (await session(command.sessionId)).setMode(command.mode);
        return {};
      case 'policy-write':
        await (await session(command.sessionId)).policy.write(command.text);
        return {};
      case 'policy-accept':
        return { counted: await (await session(command.sessionId)).policy.accept(command.fingerprint) };
      case 'policy-compare':
        return { difference: (await (await session(command.sessionId)).policy.compareWaiting()) ?? null };
      case 'policy-rule-add':
        return { rule: await (await session(command.sessionId)).policy.addRule(command.callId) };
      case 'model-connect':
        return { model: ports.models.connect(command) };
      case 'model-test':
        return { reply: await ports.models.test(command) };
      case 'model-choose':
        return { model: ports.models.choose(command.choice) };
      case 'practice-pace':
        ports.pacePractice?.(command.pace);
        return {};
      case 'spill-list':
        return { spills: await ports.stores.spills.list() };
      case 'spill-read':
        return { spill: (await ports.stores.spills.read(command.ref)) ?? null };
      default:
        return assertNever(command);
    }
  };

  const answer = async (command: EngineCommand): Promise<CommandAnswer> => {
    try {
      return { ok: true, value: await run(command) };
    } catch (error) {
      return refusal(error);
    }
  };

  return {
    async command<Command extends EngineCommand>(command: Command): Promise<CommandAnswer<Command['type']>> {
      try {
        const elsewhere = await seats.elsewhere(command);
        return (elsewhere ?? (await answer(command))) as CommandAnswer<Command['type']>;
      } catch (error) {
        return refusal(error);
      }
    },
    subscribeRoles(listener) {
      roleListeners.add(listener);
      return () => roleListeners.delete(listener);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async workspaceOf(sessionId) {
      if ((await seats.role(sessionId)) === 'follower')
        throw new CodedError('follower', 'Another tab has this session open: its files and terminal are there. Take the session over to use them here.');
      return (await session(sessionId)).workspace;
    },
    async idle(sessionId) {
      await turns.get(sessionId);
      deliver();
    },
  };
}

function refusal(error: unknown): { readonly ok: false; readonly code: string; readonly message: string } {
  return { ok: false, code: codeOf(error) ?? 'failed', message: messageOf(error) };
}

function isRunning(events: readonly EngineEvent[]): boolean {
  const last = events.findLast((event) => event.type === 'turn-start' || event.type === 'turn-end');
  return last?.type === 'turn-start';
}
