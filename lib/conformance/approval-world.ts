import type { Mode } from '@/lib/contracts/approval';
import type { Clock } from '@/lib/contracts/clock';
import type { EngineEvent } from '@/lib/contracts/events';
import type { AgentId, ApprovalId, CallId, SessionId, SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { ModelStreamItem, StreamModel } from '@/lib/contracts/model';
import type { ToolResult } from '@/lib/contracts/outcome';
import type { PolicyInForce } from '@/lib/contracts/policy';
import type { SessionRecord, SessionStore, Stores, WorkspaceRecord } from '@/lib/contracts/store';
import type { EnginePorts, OpenWorkspace } from '@/lib/engine/ports';
import { openSession, type Session, type SharedInWorkspace } from '@/lib/engine/session';
import { createWorkspaceGrants } from '@/lib/engine/workspace-grants';
import { createWorkspacePolicy } from '@/lib/engine/workspace-policy';
import { createGit } from '@/lib/git/create-git';
import { createGate } from '@/lib/pipeline/4-execute/gate';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { createWorkspaceFiles } from '@/lib/runtime/workspace-files';
import type { JsonObject } from '@/lib/shared/json';
import { createNewId } from '@/lib/shared/new-ids';
import { createMemoryLinks } from '@/lib/storage/memory-link';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { type CaseDefinitions, caseTools, createCaseDefinitions } from './approval-tools';
import { emptyRuntime } from './empty-runtime';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/** A call as a case names it. */
export interface CaseCall {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export interface WorldOptions {
  readonly mode: Mode;
  readonly policy: PolicyInForce;
  readonly slow: ReadonlySet<string>;
  readonly loopGuard: boolean;
  readonly promptTimeoutMs: number | undefined;
  /** Tools that a case says have a server. */
  readonly served: readonly string[];
}

/** What was seen of one call. */
export interface SeenCall {
  readonly sessionId: SessionId;
  readonly callId: CallId;
  executions: number;
  executedArgs: JsonObject | undefined;
  /** How many events of its session were stored when its body was started the last time. */
  storedAtStart: number | undefined;
}

/** Sessions of one workspace over memory and virtual time: the engine's own session, desk, stages and log. */
export interface ApprovalWorld {
  readonly clock: VirtualClock;
  readonly definitions: CaseDefinitions;
  /** The session that events go to; undefined while the tab is gone. */
  session(): Session | undefined;
  sessionOf(id: string): Session | undefined;
  seen(id: string): SeenCall | undefined;
  /** Id of the newest prompt of the call, and of the one that was open before the last kill. */
  promptOf(id: string): ApprovalId | undefined;
  promptBefore(id: string): ApprovalId | undefined;
  /** Ids of the calls whose prompts were opened, in order. */
  readonly prompts: readonly string[];
  /** Everything that is stored, of the session of this call. */
  storedOf(id: string): readonly EngineEvent[];
  /** What the body of this call will return, and where that comes from. */
  setResult(id: string, text: string, origin: string): void;
  originOfResult(id: string): string | undefined;
  /** The model asks for these calls, as a step of its own. */
  callStep(calls: readonly CaseCall[], agent: string): void;
  /** Ends the turn, as a cancel does. */
  endTurn(): void;
  newSession(): Promise<void>;
  kill(): void;
  reopen(): Promise<void>;
  /** Does what takes its time, after what was begun before. */
  later(run: () => Promise<void>): void;
  /** Settles when all of that is done. Rejects when it failed. */
  waits(): Promise<void>;
}

/** Opens a world with one session. */
export async function openApprovalWorld(options: WorldOptions): Promise<ApprovalWorld> {
  const clock = createVirtualClock();
  const stores = createMemoryStores();
  const definitions = await createCaseDefinitions(options.served);
  const newId = createNewId('case');
  const results = new Map<string, { readonly text: string; readonly origin: string }>();
  const seen = new Map<string, SeenCall>();
  const nameOf = new Map<CallId, string>();
  const inputs = new WeakMap<object, CallId>();
  const prompts: string[] = [];
  const newest = new Map<string, ApprovalId>();
  let before = new Map<string, ApprovalId>();
  const stored = new Map<SessionId, EngineEvent[]>();
  const records: SessionRecord[] = [];
  let uniqueKey = 0;
  let turn: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  let waiting: Promise<void> = Promise.resolve();
  const later = (run: () => Promise<void>) => {
    waiting = waiting.then(run);
    waiting.catch(() => undefined);
  };

  const run = (input: JsonObject): Promise<ToolResult> => {
    const callId = inputs.get(input);
    const id = callId === undefined ? undefined : nameOf.get(callId);
    const call = id === undefined ? undefined : seen.get(id);
    if (id === undefined || call === undefined) throw new Error('a body was started for a call that nobody made');
    call.executions++;
    call.executedArgs = structuredClone(input);
    call.storedAtStart = stored.get(call.sessionId)?.length ?? 0;
    return options.slow.has(id) ? new Promise(() => {}) : Promise.resolve({ ok: true, content: results.get(id)?.text ?? 'done' });
  };
  const tools = caseTools(definitions, (_tool, input) => run(input));
  const dispatcher = createToolDispatcher(options.loopGuard ? tools : tools.map((tool) => ({ ...tool, loopKey: () => String(uniqueKey++) })));

  const watch = (sessionId: SessionId) => (event: EngineEvent) => {
    if (event.type === 'message-push' && event.message.role === 'assistant') {
      for (const block of event.message.blocks) {
        if (block.kind !== 'call') continue;
        nameOf.set(block.callId, block.wireId);
        inputs.set(block.input, block.callId);
        if (!seen.has(block.wireId))
          seen.set(block.wireId, { sessionId, callId: block.callId, executions: 0, executedArgs: undefined, storedAtStart: undefined });
      }
    } else if (event.type === 'plan-end') for (const { callId, input } of event.calls) inputs.set(input, callId);
    else if (event.type === 'approval-start') {
      const { callId, approvalId, input } = event.request;
      inputs.set(input as JsonObject, callId);
      const id = nameOf.get(callId) ?? '';
      prompts.push(id);
      newest.set(id, approvalId);
    } else if (event.type === 'approval-end' && event.outcome.kind === 'answered' && event.outcome.edited !== undefined)
      inputs.set(event.outcome.edited.input, event.callId);
  };

  const workspace = await openWorkspace(stores, newId<WorkspaceId>('workspace'), clock);
  interface Life {
    alive: boolean;
    readonly shared: SharedInWorkspace;
    readonly ports: EnginePorts;
    readonly sessions: Session[];
  }
  const newLife = async (): Promise<Life> => {
    const life = { alive: true, sessions: [] as Session[] };
    const isAlive = () => life.alive;
    const lifeStores: Stores = {
      ...stores,
      sessions: whileAlive(recording(stores.sessions, stored), isAlive),
      workspaces: whileAlive(stores.workspaces, isAlive),
    };
    const grants = createWorkspaceGrants(workspace.record.workspaceId, lifeStores.workspaces);
    await grants.reload();
    const policy = createWorkspacePolicy(workspace.record.workspaceId, lifeStores.workspaces);
    await policy.open(workspace.runtime.fs);
    const choice = { kind: 'practice' } as const;
    const ports: EnginePorts = {
      dispatcher,
      definitions,
      stores: lifeStores,
      workspaces: { create: async () => workspace.record, open: async () => workspace, close: async () => undefined, remove: async () => undefined },
      models: {
        current: () => choice,
        connect: () => choice,
        choose: () => choice,
        test: async () => 'ready',
        open: () => ({ name: 'case', stream: untilStopped }),
      },
      tasks: [],
      link: createMemoryLinks().link(),
      earlyStarts: false,
      clock: clockWhileAlive(clock, isAlive),
      newId,
      newSpillRef: () => newId<SpillRef>('spill'),
    };
    return Object.assign(life, { shared: { gate: createGate(), grants, policy }, ports });
  };
  const open = async (life: Life, record: SessionRecord): Promise<void> => {
    const { events } = await stores.sessions.events(record.sessionId);
    const watching = watch(record.sessionId);
    const publish = (event: EngineEvent) => {
      if (life.alive) watching(event);
    };
    for (const event of events) if (event.type === 'message-push') watching(event);
    const session = await openSession(record, events, workspace, life.shared, publish, life.ports);
    session.standing.policy = options.policy;
    life.sessions.push(session);
  };
  let life: Life | undefined = await newLife();
  const newSession = async () => {
    if (life === undefined) throw new Error('the tab is gone: reopen comes first');
    const at = clock.now();
    const { promptTimeoutMs } = options;
    const record: SessionRecord = {
      sessionId: newId<SessionId>('session'),
      workspaceId: workspace.record.workspaceId,
      title: 'case',
      createdAt: at,
      updatedAt: at,
      mode: options.mode,
      ...(promptTimeoutMs === undefined ? {} : { promptTimeoutMs }),
    };
    records.push(record);
    await stores.sessions.put(record);
    turn = undefined;
    await open(life, record);
  };
  await newSession();

  const session = () => life?.sessions.at(-1);
  const sessionOf = (id: string) => {
    const own = seen.get(id)?.sessionId;
    return life?.sessions.find((one) => one.record().sessionId === own);
  };
  return {
    clock,
    definitions,
    session,
    sessionOf,
    seen: (id) => seen.get(id),
    promptOf: (id) => newest.get(id),
    promptBefore: (id) => before.get(id),
    prompts,
    storedOf: (id) => stored.get(seen.get(id)?.sessionId as SessionId) ?? [],
    setResult: (id, text, origin) => void results.set(id, { text, origin }),
    originOfResult: (id) => results.get(id)?.origin,
    callStep(calls, agent) {
      const begin = () => {
        const to = session();
        if (to === undefined) throw new Error('a call while the tab is gone');
        if (to.running() === undefined) turn = to.send('go');
        void to.runAgent(newId<AgentId>(`agent-${agent}`), streamOf(calls));
      };
      if (ending === undefined) begin();
      else {
        // The turn that was stopped in this very tick ends first.
        const ended = ending;
        later(() => ended.then(begin));
      }
    },
    endTurn() {
      const to = session();
      if (to?.running() === undefined) return;
      to.stop();
      const ended = (turn ?? to.resumed ?? Promise.resolve()).finally(() => {
        if (ending === ended) ending = undefined;
      });
      ending = ended;
    },
    newSession,
    kill() {
      if (life === undefined) return;
      life.alive = false;
      life = undefined;
      turn = undefined;
      ending = undefined;
      before = new Map(newest);
    },
    async reopen() {
      if (life !== undefined) return;
      life = await newLife();
      for (const { sessionId } of records) await open(life, (await stores.sessions.get(sessionId)) as SessionRecord);
    },
    later,
    waits: () => waiting,
  };
}

/** The agent of the turn itself says nothing: every step of a case comes from an agent beside it. */
const untilStopped: StreamModel = async function* (_request, signal): AsyncIterable<ModelStreamItem> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  yield { type: 'error', error: { code: 'aborted', message: 'stopped' } };
};

/** Asks for the calls in its first step, and has nothing to add in the next. */
function streamOf(calls: readonly CaseCall[]): StreamModel {
  let steps = 0;
  return async function* (): AsyncIterable<ModelStreamItem> {
    if (steps++ > 0) {
      yield { type: 'text-start' };
      yield { type: 'text-delta', text: 'Done.' };
      yield { type: 'text-end' };
      yield { type: 'stop', reason: 'end', raw: 'end' };
      return;
    }
    for (const { id, tool, args } of calls) {
      yield { type: 'call-start', key: id, wireId: id, name: tool };
      yield { type: 'call-args', key: id, text: JSON.stringify(args) };
      yield { type: 'call-end', key: id };
    }
    yield { type: 'stop', reason: 'calls', raw: 'calls' };
  };
}

async function openWorkspace(stores: Stores, workspaceId: WorkspaceId, clock: Clock): Promise<OpenWorkspace> {
  const record: WorkspaceRecord = { workspaceId, name: 'case', createdAt: clock.now(), grants: [] };
  await stores.workspaces.put(record);
  return {
    record,
    runtime: emptyRuntime,
    files: createWorkspaceFiles(emptyRuntime),
    git: createGit(emptyRuntime.fs, { now: clock.now, author: { name: 'Case', email: 'case@example.invalid' } }),
    search: async () => [],
  };
}

/** Remembers what is stored, so that it can be said what was stored when. */
function recording(store: SessionStore, stored: Map<SessionId, EngineEvent[]>): SessionStore {
  return {
    ...store,
    async append(sessionId, events) {
      await store.append(sessionId, events);
      stored.set(sessionId, [...(stored.get(sessionId) ?? []), ...events]);
    },
  };
}

/** A tab that is gone stores nothing and hears of nothing. */
function whileAlive<Store extends object>(store: Store, isAlive: () => boolean): Store {
  return new Proxy(store, {
    get(target, key, receiver) {
      const method: unknown = Reflect.get(target, key, receiver);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        if (!isAlive()) return new Promise(() => {});
        const answer: unknown = await (method as (...args: unknown[]) => unknown).apply(target, given);
        return isAlive() ? answer : new Promise(() => {});
      };
    },
  });
}

function clockWhileAlive(clock: Clock, isAlive: () => boolean): Clock {
  const after: Clock['after'] = (ms, run) => clock.after(ms, () => (isAlive() ? run() : undefined));
  return { now: clock.now, sleep: clock.sleep, after };
}
