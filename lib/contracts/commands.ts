import type { AnswerReceipt, ApprovalAnswer, Mode, RememberedGrant } from './approval';
import type { EngineEvent } from './events';
import type { CallId, SessionId, SpillRef, TurnId } from './ids';
import type { PolicyDifference } from './policy';
import type { ProviderId } from './provider';
import type { QuestionAnswer } from './question';
import type { Runtime } from './runtime';
import type { SessionRole } from './session-link';
import type { SessionRecord, SpillRecord } from './store';
import type { UndoAnswer, UndoId, WhenDiffering } from './undo';

/** Which model a turn goes to. `practice` is scripted and needs no key. */
export type ModelChoice =
  | { readonly kind: 'practice' }
  | { readonly kind: 'connected'; readonly provider: ProviderId; readonly baseUrl: string; readonly model: string };

/** How fast practice talks: slowly enough to explain, as a quick model does, or without waiting. */
export const practicePaces = ['slow', 'model', 'instant'] as const;
export type PracticePace = (typeof practicePaces)[number];

/** What the page asks of the engine. Every command is answered with its result below, or with `{ok: false}`. */
export type EngineCommand =
  /** A fresh session on a fresh copy of the task's starter workspace; without a task on the plain starter. */
  | { readonly type: 'session-create'; readonly taskId?: string }
  | { readonly type: 'session-open'; readonly sessionId: SessionId }
  /** Becomes the tab that writes the session; the other one stops and follows. */
  | { readonly type: 'session-take-over'; readonly sessionId: SessionId }
  | { readonly type: 'session-list' }
  | { readonly type: 'session-remove'; readonly sessionId: SessionId }
  | { readonly type: 'turn-send'; readonly sessionId: SessionId; readonly text: string }
  | { readonly type: 'turn-stop'; readonly sessionId: SessionId }
  | { readonly type: 'approval-answer'; readonly sessionId: SessionId; readonly answer: ApprovalAnswer }
  /** The same choice for every open prompt of the running turn. */
  | { readonly type: 'approval-answer-all'; readonly sessionId: SessionId; readonly choice: 'once' | 'deny' }
  /** null = prompts wait for ever, as they do at first. Prompts that are open keep their time. */
  | { readonly type: 'prompt-timeout-set'; readonly sessionId: SessionId; readonly timeoutMs: number | null }
  | { readonly type: 'grant-list'; readonly sessionId: SessionId }
  /** Takes back a remembered approval, of the session or of the workspace. */
  | { readonly type: 'grant-revoke'; readonly sessionId: SessionId; readonly key: string }
  /** Accepts what its server sends now as the definition of an external tool. */
  | { readonly type: 'definition-accept'; readonly sessionId: SessionId; readonly tool: string }
  | { readonly type: 'question-answer'; readonly sessionId: SessionId; readonly answer: QuestionAnswer }
  /** Brings back what was there before one call; waits for the call that runs. */
  | { readonly type: 'undo-call'; readonly sessionId: SessionId; readonly callId: CallId; readonly differing: WhenDiffering }
  /** The same for every call of a turn. */
  | { readonly type: 'undo-turn'; readonly sessionId: SessionId; readonly turnId: TurnId; readonly differing: WhenDiffering }
  /** Takes an undo back. */
  | { readonly type: 'redo'; readonly sessionId: SessionId; readonly undoId: UndoId; readonly differing: WhenDiffering }
  | { readonly type: 'mode-set'; readonly sessionId: SessionId; readonly mode: Mode }
  /** The person writes the policy file themselves, which accepts it; null removes it, and the starter policy decides. */
  | { readonly type: 'policy-write'; readonly sessionId: SessionId; readonly text: string | null }
  /** Puts the file that waits into force: the one with this fingerprint and no other. */
  | { readonly type: 'policy-accept'; readonly sessionId: SessionId; readonly fingerprint: string }
  /** What the file that waits would change. */
  | { readonly type: 'policy-compare'; readonly sessionId: SessionId }
  /** Adds the narrowest rule that allows this call to the policy file, as the person's own act. */
  | { readonly type: 'policy-rule-add'; readonly sessionId: SessionId; readonly callId: CallId }
  /** The key stays in the worker's memory only. */
  | { readonly type: 'model-connect'; readonly provider: ProviderId; readonly baseUrl: string; readonly model: string; readonly apiKey: string }
  | { readonly type: 'model-test'; readonly provider: ProviderId; readonly baseUrl: string; readonly model: string; readonly apiKey: string }
  | { readonly type: 'model-choose'; readonly choice: 'practice' | 'connected' }
  | { readonly type: 'practice-pace'; readonly pace: PracticePace }
  | { readonly type: 'spill-list' }
  | { readonly type: 'spill-read'; readonly ref: SpillRef };

export interface TaskInfo {
  readonly taskId: string;
  readonly title: string;
  readonly description: string;
  /** The words put in the composer. */
  readonly prompt: string;
}

export interface SessionSnapshot {
  readonly record: SessionRecord;
  /** Everything so far; later events arrive on the event port. */
  readonly events: readonly EngineEvent[];
  readonly damagedEvents: number;
  readonly running: boolean;
  /** follower: another tab writes this session; its events arrive here, commands are handed to it, files and terminal are its own. */
  readonly role: SessionRole;
}

export interface CommandResults {
  'session-create': SessionSnapshot;
  'session-open': SessionSnapshot;
  'session-take-over': SessionSnapshot;
  'session-list': {
    readonly sessions: readonly SessionRecord[];
    readonly tasks: readonly TaskInfo[];
    readonly model: ModelChoice;
    /** Set when nothing of this visit is kept: what happened, what is safe, what to do. */
    readonly forgetful?: string;
  };
  'session-remove': Record<never, never>;
  'turn-send': Record<never, never>;
  'turn-stop': Record<never, never>;
  /** `counted` false: the id was unknown, stale or answered already, or `problem` says why its prompt is still open. */
  'approval-answer': AnswerReceipt;
  'approval-answer-all': { readonly counted: number };
  'prompt-timeout-set': Record<never, never>;
  'grant-list': { readonly session: readonly RememberedGrant[]; readonly workspace: readonly RememberedGrant[] };
  /** `revoked` false: there is no such approval. */
  'grant-revoke': { readonly revoked: boolean };
  /** `accepted` false: the definition of this tool has not changed. */
  'definition-accept': { readonly accepted: boolean };
  /** `counted` false: the id was unknown, stale or answered already, or an answer does not fit its question. */
  'question-answer': { readonly counted: boolean };
  /** Rejects `not-available` when it is undone already, or what it changed is not kept. */
  'undo-call': UndoAnswer;
  'undo-turn': UndoAnswer;
  redo: UndoAnswer;
  'mode-set': Record<never, never>;
  'policy-write': Record<never, never>;
  /** `counted` false: another file waits by now, or none. */
  'policy-accept': { readonly counted: boolean };
  'policy-compare': { readonly difference: PolicyDifference | null };
  /** The rule in words. */
  'policy-rule-add': { readonly rule: string };
  'model-connect': { readonly model: ModelChoice };
  'model-test': { readonly reply: string };
  'model-choose': { readonly model: ModelChoice };
  'practice-pace': Record<never, never>;
  'spill-list': { readonly spills: readonly Omit<SpillRecord, 'text'>[] };
  'spill-read': { readonly spill: SpillRecord | null };
}

export type CommandAnswer<Type extends EngineCommand['type'] = EngineCommand['type']> =
  | { readonly ok: true; readonly value: CommandResults[Type] }
  /** `message`: what happened, what is safe, what to do. */
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The engine as the bridge serves it. `command` never rejects. */
export interface EngineApi {
  command<Command extends EngineCommand>(command: Command): Promise<CommandAnswer<Command['type']>>;
  /** Every event of every open session, grouped, in order. Returns the unsubscribe. */
  subscribe(listener: (events: readonly EngineEvent[]) => void): () => void;
  /** Told when this tab's role at a session changes; open the session again then. Returns the unsubscribe. */
  subscribeRoles(listener: (sessionId: SessionId, role: SessionRole) => void): () => void;
}

/** What the page holds once it is connected (`lib/bridge/connect-engine.ts`). */
export interface EngineHost {
  readonly engine: EngineApi;
  /** The files and programs of a session's workspace, served across the bridge. Rejects `not-found`. */
  runtimeFor(sessionId: SessionId): Promise<Runtime>;
  /**
   * Offers a runtime of this page for a session's workspace, which moves there with its files; without one it moves back.
   * Rejects with a CodedError whose message says what to do, `busy` while a program runs; the workspace then stays.
   */
  offerRuntime(sessionId: SessionId, runtime: Runtime | undefined): Promise<void>;
  /** The worker died; `message` says what is safe. */
  onCrash(listener: (message: string) => void): () => void;
  dispose(): void;
}
