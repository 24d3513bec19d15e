import type { CommandAnswer, CommandResults, EngineCommand, EngineHost, SessionSnapshot, TaskInfo } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SessionRecord } from '@/lib/contracts/store';
import { CodedError } from '@/lib/shared/coded-error';
import { id } from './event-list';

export function sessionRecord(sessionId: string, over: Partial<SessionRecord> = {}): SessionRecord {
  return {
    sessionId: id(sessionId),
    workspaceId: id(`workspace-of-${sessionId}`),
    title: `Title of ${sessionId}`,
    createdAt: 1,
    updatedAt: 1,
    mode: 'ask',
    ...over,
  };
}

export function snapshot(sessionId: string, events: readonly EngineEvent[] = [], over: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return { record: sessionRecord(sessionId), events, damagedEvents: 0, running: false, role: 'writer', ...over };
}

type Answers = {
  readonly [Type in EngineCommand['type']]?: (
    command: Extract<EngineCommand, { type: Type }>,
  ) => CommandResults[Type] | Promise<CommandResults[Type]> | { readonly refused: string };
};

/** An engine that answers commands from a table and emits the events it is given; for tests of the page. */
export function scriptedHost(answers: Answers, options: { readonly sessions?: readonly SessionRecord[]; readonly tasks?: readonly TaskInfo[] } = {}) {
  const commands: EngineCommand[] = [];
  const listeners = new Set<(events: readonly EngineEvent[]) => void>();
  const crashes = new Set<(message: string) => void>();
  const table: Answers = { 'session-list': () => ({ sessions: options.sessions ?? [], tasks: options.tasks ?? [], model: { kind: 'practice' } }), ...answers };
  const host: EngineHost = {
    engine: {
      async command<Command extends EngineCommand>(command: Command): Promise<CommandAnswer<Command['type']>> {
        commands.push(command);
        const make = table[command.type] as ((given: Command) => unknown) | undefined;
        const value = make ? await make(command) : {};
        if (typeof value === 'object' && value !== null && 'refused' in value) return { ok: false, code: 'refused', message: String(value.refused) };
        return { ok: true, value: value as CommandResults[Command['type']] };
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      subscribeRoles: () => () => undefined,
    },
    runtimeFor: (sessionId: SessionId) => Promise.reject(new CodedError('not-found', `no workspace of ${sessionId}`)),
    offerRuntime: (sessionId: SessionId) => Promise.reject(new CodedError('not-found', `no workspace of ${sessionId}`)),
    onCrash(listener) {
      crashes.add(listener);
      return () => crashes.delete(listener);
    },
    dispose: () => listeners.clear(),
  };
  return {
    host,
    commands,
    emit: (events: readonly EngineEvent[]): void => {
      for (const listener of listeners) listener(events);
    },
    crash: (message: string): void => {
      for (const listener of crashes) listener(message);
    },
  };
}
