import type { AnswerReceipt, ApprovalAnswer, Mode } from '@/lib/contracts/approval';
import type { CommandAnswer, EngineCommand, EngineHost, ModelChoice, PracticePace, SessionSnapshot, TaskInfo } from '@/lib/contracts/commands';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId, SpillRef } from '@/lib/contracts/ids';
import type { PageRuntime } from '@/lib/contracts/page-runtime';
import type { ProviderId } from '@/lib/contracts/provider';
import type { QuestionAnswer } from '@/lib/contracts/question';
import type { SessionRole } from '@/lib/contracts/session-link';
import type { SessionRecord, SpillRecord } from '@/lib/contracts/store';
import { messageOf } from '@/lib/shared/coded-error';
import { createPolicyCommands, type PolicyCommands } from './policy-commands';
import { createSessionRuntime, type Driver, type RuntimeView } from './session-runtime';
import type { UndoRequest } from './undo-view';
import { emptySession, foldEvents, openTurn } from './view-state';
import type { SessionView } from './view-types';

/** Everything the page shows beside its own widgets. */
export interface PageState extends RuntimeView {
  readonly phase: 'starting' | 'ready' | 'failed' | 'crashed';
  /** In words: what is happening, or what happened and what is safe. */
  readonly phaseText: string;
  readonly sessions: readonly SessionRecord[];
  readonly tasks: readonly TaskInfo[];
  readonly model: ModelChoice;
  readonly practicePace: PracticePace;
  readonly session: SessionView | undefined;
  readonly running: boolean;
  readonly damagedEvents: number;
  /** follower: another tab writes the session that is shown. */
  readonly role: SessionRole;
  /** Set when the browser keeps nothing, or kept less than it should have: what happened, what is safe, what to do. */
  readonly storageNote: string | undefined;
  /** The last command that failed; sits where the work was until it is dismissed. */
  readonly problem: { readonly place: 'conversation' | 'sessions' | 'model'; readonly text: string } | undefined;
}

export interface Connecting {
  readonly provider: ProviderId;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
}

export interface ClientPorts {
  connect(): Promise<EngineHost>;
  /** Runs once, soon: on the next frame in a page. */
  schedule(run: () => void): void;
  /** The session to come back to after a reload. */
  readonly lastSession: { get(): string | undefined; set(sessionId: string | undefined): void };
  /** See SessionRuntimePorts; without them the embedded runtime is all there is. */
  readonly pageRuntime?: PageRuntime;
  readonly practicePace?: { get(): PracticePace; set(pace: PracticePace): void };
  readonly runtimeChoice?: { get(): Driver; set(driver: Driver): void };
}

export interface EngineClient {
  state(): PageState;
  /** Told at most once a frame. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Connects and brings back the last session, or makes the first one. Never rejects. */
  start(): Promise<void>;
  restart(): Promise<void>;
  createSession(taskId?: string): Promise<boolean>;
  openSession(sessionId: SessionId): Promise<boolean>;
  /** Makes this tab the one that writes the session that is shown. */
  takeOver(): Promise<void>;
  removeSession(sessionId: SessionId): Promise<void>;
  send(text: string): Promise<boolean>;
  stop(): void;
  /** undefined = the engine could not be asked. */
  answer(answer: ApprovalAnswer): Promise<AnswerReceipt | undefined>;
  acceptDefinition(tool: string): void;
  /** null = prompts wait for ever. */
  setPromptTimeout(timeoutMs: number | null): void;
  listGrants(): Promise<CommandAnswer<'grant-list'> | undefined>;
  revokeGrant(key: string): Promise<boolean>;
  answerAll(choice: 'once' | 'deny'): void;
  answerQuestion(answer: QuestionAnswer): void;
  /** Undo and redo; why nothing was done is in the answer. Never rejects. */
  undo(request: UndoRequest): Promise<CommandAnswer<UndoRequest['type']>>;
  setMode(mode: Mode): void;
  readonly policy: PolicyCommands;
  testModel(connection: Connecting): Promise<CommandAnswer<'model-test'>>;
  connectModel(connection: Connecting): Promise<CommandAnswer<'model-connect'>>;
  chooseModel(choice: 'practice' | 'connected'): Promise<void>;
  /** Kept for the next visit. */
  pacePractice(pace: PracticePace): void;
  readSpill(ref: SpillRef): Promise<SpillRecord | undefined>;
  /** Moves the workspace to another runtime; why it cannot be is said in `runtimeNote`. */
  chooseRuntime(driver: Driver): Promise<void>;
  dismissProblem(): void;
  dismissStorageNote(): void;
  dispose(): void;
}

const initial: PageState = {
  phase: 'starting',
  phaseText: 'Starting the engine…',
  sessions: [],
  tasks: [],
  model: { kind: 'practice' },
  practicePace: 'model',
  session: undefined,
  running: false,
  damagedEvents: 0,
  role: 'writer',
  runtime: undefined,
  runtimeText: 'starting…',
  runtimeNote: undefined,
  storageNote: undefined,
  problem: undefined,
};

const storageLost =
  'The sessions and files that were stored here are gone: the browser cleared its storage for this site, or could not read it any more. A fresh workspace is open; nothing else is affected.';

/** The page's one hold on the engine: commands down, events up, a state that changes at most once a frame. */
export function createEngineClient(ports: ClientPorts): EngineClient {
  let state = initial;
  let host: EngineHost | undefined;
  let releases: (() => void)[] = [];
  let disposed = false;
  let connection = 0;
  let opening = 0;
  const unanswered = new Set<() => void>();
  let waiting: EngineEvent[] = [];
  let scheduled = false;
  const listeners = new Set<() => void>();

  const publish = (): void => {
    if (scheduled || disposed) return;
    scheduled = true;
    ports.schedule(() => {
      scheduled = false;
      drain();
      for (const listener of [...listeners]) listener();
    });
  };
  const set = (change: Partial<PageState>): void => {
    state = { ...state, ...change };
    publish();
  };

  const sessionRuntime = createSessionRuntime({
    host: () => host,
    writing: () => (state.role === 'writer' ? state.session?.sessionId : undefined),
    sessionId: () => state.session?.sessionId,
    view: () => state,
    show: set,
    choice: ports.runtimeChoice ?? { get: () => 'embedded', set: () => undefined },
    ...(ports.pageRuntime && { page: ports.pageRuntime }),
  });

  // While a session is being opened its snapshot is on the way: its events wait, or they would be lost.
  const drain = (): void => {
    if (waiting.length === 0 || opening > 0) return;
    const events = waiting;
    waiting = [];
    if (!state.session) return;
    const mine = events.filter((event) => event.sessionId === state.session?.sessionId && event.seq > (state.session?.lastSeq ?? -1));
    if (mine.length === 0) return;
    const gap = mine[0]?.seq !== state.session.lastSeq + 1;
    const session = foldEvents(state.session, mine);
    state = { ...state, session, running: openTurn(session) !== undefined };
    if (gap) void reopen(state.session?.sessionId);
  };

  const command = async <Command extends EngineCommand>(request: Command): Promise<CommandAnswer<Command['type']>> => {
    if (!host) return { ok: false, code: 'not-connected', message: 'The engine is not running. Restart it and try again.' };
    // An engine that died never answers: its commands end when the page lets it go.
    let end = () => {};
    const gone = new Promise<CommandAnswer<Command['type']>>((resolve) => {
      end = () => resolve({ ok: false, code: 'not-connected', message: 'The engine ended before it answered. What was stored is safe; do it again.' });
    });
    unanswered.add(end);
    try {
      return await Promise.race([host.engine.command(request), gone]);
    } catch (error) {
      return { ok: false, code: 'not-connected', message: `The engine did not answer: ${messageOf(error)}` };
    } finally {
      unanswered.delete(end);
    }
  };

  const showSnapshot = (snapshot: SessionSnapshot): void => {
    const { record } = snapshot;
    const fresh = {
      ...emptySession(record.sessionId),
      title: record.title,
      mode: record.mode,
      ...(record.taskId === undefined ? {} : { taskId: record.taskId }),
    };
    const changed = state.session?.sessionId !== record.sessionId || !state.runtime || state.role !== snapshot.role;
    state = {
      ...state,
      session: foldEvents(fresh, snapshot.events),
      running: snapshot.running,
      damagedEvents: snapshot.damagedEvents,
      role: snapshot.role,
      problem: undefined,
    };
    ports.lastSession.set(record.sessionId);
    if (changed) void sessionRuntime.open(record.sessionId);
  };

  const openWith = async (request: Extract<EngineCommand, { type: 'session-create' | 'session-open' | 'session-take-over' }>): Promise<boolean> => {
    opening++;
    const answer = await command(request);
    opening--;
    if (answer.ok) showSnapshot(answer.value);
    else set({ problem: { place: 'sessions', text: answer.message } });
    publish();
    return answer.ok;
  };

  const reopen = async (sessionId: SessionId | undefined): Promise<void> => {
    if (sessionId) await openWith({ type: 'session-open', sessionId });
  };

  const refreshList = async (): Promise<boolean> => {
    const answer = await command({ type: 'session-list' });
    if (answer.ok) {
      const { sessions, tasks, model, forgetful } = answer.value;
      set({ sessions, tasks, model, ...(forgetful === undefined ? {} : { storageNote: forgetful }) });
    } else set({ problem: { place: 'sessions', text: answer.message } });
    return answer.ok;
  };

  const release = (): void => {
    for (const end of unanswered) end();
    for (const end of releases) end();
    releases = [];
    host?.dispose();
    host = undefined;
    waiting = [];
  };

  const start = async (): Promise<void> => {
    const mine = ++connection;
    set({ phase: 'starting', phaseText: 'Starting the engine…', runtime: undefined, runtimeText: 'starting…' });
    let connected: EngineHost;
    try {
      connected = await ports.connect();
    } catch (error) {
      if (mine === connection && !disposed)
        set({ phase: 'failed', phaseText: `The engine did not start: ${messageOf(error)}. Your sessions and files are safe in this browser.` });
      return;
    }
    if (disposed || mine !== connection) return connected.dispose();
    host = connected;
    releases.push(
      connected.engine.subscribe((events) => {
        waiting.push(...events);
        publish();
      }),
      // The other tab let go, or took over: the log is read anew, and files and terminal belong to the tab that writes.
      connected.engine.subscribeRoles((sessionId) => {
        if (state.session?.sessionId === sessionId) void reopen(sessionId);
      }),
      connected.onCrash((message) => {
        // The dead runtime stays, so that the editor keeps showing what was not saved; the next one takes it over.
        set({ phase: 'crashed', phaseText: message, running: false, runtimeText: 'stopped' });
      }),
    );
    set({ phaseText: 'Opening your session…' });
    const pace = ports.practicePace?.get() ?? 'model';
    if (pace !== 'model') await pacePractice(pace);
    const listed = await refreshList();
    if (listed) await firstSession();
    if (mine === connection && host === connected && state.phase === 'starting') {
      if (listed) set({ phase: 'ready', phaseText: '' });
      else set({ phase: 'failed', phaseText: state.problem?.text ?? 'The engine did not answer.' });
    }
  };

  const firstSession = async (): Promise<void> => {
    const last = ports.lastSession.get();
    if (last !== undefined && state.sessions.length === 0 && state.storageNote === undefined) set({ storageNote: storageLost });
    const known = state.sessions.find((record) => record.sessionId === last) ?? state.sessions[0];
    if (known && (await openWith({ type: 'session-open', sessionId: known.sessionId }))) return;
    await client.createSession(state.tasks[0]?.taskId);
  };

  const pacePractice = async (pace: PracticePace): Promise<void> => {
    const answer = await command({ type: 'practice-pace', pace });
    if (answer.ok) set({ practicePace: pace });
    else set({ problem: { place: 'model', text: answer.message } });
  };

  const inSession = async (make: (sessionId: SessionId) => EngineCommand): Promise<boolean> => {
    const sessionId = state.session?.sessionId;
    if (!sessionId) return false;
    const answer = await command(make(sessionId));
    if (!answer.ok) set({ problem: { place: 'conversation', text: answer.message } });
    return answer.ok;
  };

  const client: EngineClient = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    async restart() {
      release();
      await start();
    },
    async createSession(taskId) {
      const made = await openWith({ type: 'session-create', ...(taskId === undefined ? {} : { taskId }) });
      await refreshList();
      return made;
    },
    openSession: (sessionId) => openWith({ type: 'session-open', sessionId }),
    async takeOver() {
      const sessionId = state.session?.sessionId;
      if (sessionId) await openWith({ type: 'session-take-over', sessionId });
    },
    async removeSession(sessionId) {
      const answer = await command({ type: 'session-remove', sessionId });
      if (!answer.ok) return set({ problem: { place: 'sessions', text: answer.message } });
      await refreshList();
      if (state.session?.sessionId !== sessionId) return;
      ports.lastSession.set(undefined);
      await firstSession();
    },
    async send(text) {
      set({ problem: undefined });
      const sent = await inSession((sessionId) => ({ type: 'turn-send', sessionId, text }));
      if (sent) await refreshList();
      return sent;
    },
    stop: () => void inSession((sessionId) => ({ type: 'turn-stop', sessionId })),
    async answer(answer) {
      const sessionId = state.session?.sessionId;
      if (!sessionId) return undefined;
      const told = await command({ type: 'approval-answer', sessionId, answer });
      if (told.ok) return told.value;
      set({ problem: { place: 'conversation', text: told.message } });
      return undefined;
    },
    acceptDefinition: (tool) => void inSession((sessionId) => ({ type: 'definition-accept', sessionId, tool })),
    setPromptTimeout: (timeoutMs) => void inSession((sessionId) => ({ type: 'prompt-timeout-set', sessionId, timeoutMs })),
    async listGrants() {
      const sessionId = state.session?.sessionId;
      return sessionId ? command({ type: 'grant-list', sessionId }) : undefined;
    },
    revokeGrant: (key) => inSession((sessionId) => ({ type: 'grant-revoke', sessionId, key })),
    answerAll: (choice) => void inSession((sessionId) => ({ type: 'approval-answer-all', sessionId, choice })),
    answerQuestion: (answer) => void inSession((sessionId) => ({ type: 'question-answer', sessionId, answer })),
    async undo(request) {
      const sessionId = state.session?.sessionId;
      if (sessionId === undefined) return { ok: false, code: 'not-connected', message: 'No session is open, so nothing was changed.' };
      return command({ ...request, sessionId });
    },
    setMode: (mode) => void inSession((sessionId) => ({ type: 'mode-set', sessionId, mode })),
    policy: createPolicyCommands(async (make) => {
      const sessionId = state.session?.sessionId;
      return sessionId === undefined ? { ok: false, code: 'no-session', message: 'No session is open.' } : command(make(sessionId));
    }),
    testModel: (connecting) => command({ type: 'model-test', ...connecting }),
    async connectModel(connecting) {
      const answer = await command({ type: 'model-connect', ...connecting });
      if (answer.ok) set({ model: answer.value.model });
      return answer;
    },
    async chooseModel(choice) {
      const answer = await command({ type: 'model-choose', choice });
      if (answer.ok) set({ model: answer.value.model, problem: undefined });
      else set({ problem: { place: 'model', text: answer.message } });
    },
    pacePractice(pace) {
      ports.practicePace?.set(pace);
      void pacePractice(pace);
    },
    async readSpill(ref) {
      const answer = await command({ type: 'spill-read', ref });
      return answer.ok ? (answer.value.spill ?? undefined) : undefined;
    },
    chooseRuntime: (driver) => sessionRuntime.choose(driver),
    dismissProblem: () => set({ problem: undefined }),
    dismissStorageNote: () => set({ storageNote: undefined }),
    dispose() {
      disposed = true;
      release();
      listeners.clear();
    },
  };
  return client;
}
