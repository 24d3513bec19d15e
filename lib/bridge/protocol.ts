import { type CommandAnswer, type EngineCommand, practicePaces } from '@/lib/contracts/commands';
import type { SessionId } from '@/lib/contracts/ids';
import type { DirectoryEntry, FileStat, RuntimeFile, RuntimeInfo, SpawnOptions } from '@/lib/contracts/runtime';
import type { SessionRole } from '@/lib/contracts/session-link';
import { z } from '@/lib/contracts/zod';
import type { Answer } from './ports';

/** What the worker serves over comlink. */
export interface EngineService {
  /** Holds the Web Lock `name` for as long as the worker lives, so that its death is noticed; false where there are no locks. */
  holdLife(name: string): Promise<boolean>;
  command(command: EngineCommand): Promise<CommandAnswer>;
  /** Events arrive on `port` as lists, in order; a change of role as a RoleMessage. */
  sendEvents(port: MessagePort): void;
  /** Serves the runtime of a session's workspace on `port` (a RuntimeService). */
  runtime(sessionId: string, port: MessagePort): Promise<Answer<RuntimeInfo>>;
  /** The other way round: the page serves a runtime on `port` and the session's workspace moves there; without an offer, back. */
  offerRuntime(sessionId: string, offer?: RuntimeOffer): Promise<Answer<void>>;
}

export interface RuntimeOffer {
  readonly info: RuntimeInfo;
  readonly port: MessagePort;
}

/** A runtime over comlink: flat methods, coded answers, streams on ports. */
export interface RuntimeService {
  readFile(path: string): Promise<Answer<Uint8Array>>;
  readMany(paths: readonly string[]): Promise<Answer<readonly RuntimeFile[]>>;
  writeFile(path: string, data: Uint8Array | string): Promise<Answer<void>>;
  readdir(path: string): Promise<Answer<readonly DirectoryEntry[]>>;
  stat(path: string): Promise<Answer<FileStat | undefined>>;
  mkdir(path: string, recursive: boolean): Promise<Answer<void>>;
  rm(path: string, recursive: boolean, force: boolean): Promise<Answer<void>>;
  rename(from: string, to: string): Promise<Answer<void>>;
  /** Changes arrive on `port` as lists until a message comes back on it. */
  watch(path: string, port: MessagePort): void;
  /** Ports as [port, url] arrive on `port` until a message comes back on it. */
  serverReady(port: MessagePort): void;
  /** `control` takes a ProcessControl and gives the exit code as a number, once. */
  spawn(command: string, args: readonly string[], options: SpawnOptions, output: MessagePort, input: MessagePort, control: MessagePort): Promise<Answer<void>>;
  mount(files: readonly RuntimeFile[]): Promise<Answer<void>>;
  exportFiles(): Promise<Answer<readonly RuntimeFile[]>>;
  flush(): Promise<Answer<void>>;
}

/** This tab writes the session now, or follows. */
export interface RoleMessage {
  readonly sessionId: SessionId;
  readonly role: SessionRole;
}

export type ProcessControl = { readonly kill: true } | { readonly cols: number; readonly rows: number };

const id = z.string().min(1).max(200);
const differing = z.enum(['refuse', 'leave', 'merge']);
const connection = {
  provider: z.enum(['anthropic', 'openai-chat', 'openai-responses', 'gemini']),
  baseUrl: z.string().max(2000),
  model: z.string().max(500),
  apiKey: z.string().max(10_000),
};

/** Every command, checked where it enters the worker. */
export const engineCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-create'), taskId: id.optional() }),
  z.object({ type: z.literal('session-open'), sessionId: id }),
  z.object({ type: z.literal('session-take-over'), sessionId: id }),
  z.object({ type: z.literal('session-list') }),
  z.object({ type: z.literal('session-remove'), sessionId: id }),
  z.object({ type: z.literal('turn-send'), sessionId: id, text: z.string().max(1_000_000) }),
  z.object({ type: z.literal('turn-stop'), sessionId: id }),
  z.object({
    type: z.literal('approval-answer'),
    sessionId: id,
    answer: z.object({
      approvalId: id,
      choice: z.enum(['once', 'session', 'always', 'deny', 'stop']),
      words: z.string().max(20_000).optional(),
      parts: z.array(z.string().max(1_048_576)).max(10_000).optional(),
      edited: z.record(z.string(), z.json()).optional(),
    }),
  }),
  z.object({ type: z.literal('approval-answer-all'), sessionId: id, choice: z.enum(['once', 'deny']) }),
  z.object({ type: z.literal('prompt-timeout-set'), sessionId: id, timeoutMs: z.number().positive().nullable() }),
  z.object({ type: z.literal('grant-list'), sessionId: id }),
  z.object({ type: z.literal('grant-revoke'), sessionId: id, key: z.string().min(1).max(2_097_152) }),
  z.object({ type: z.literal('definition-accept'), sessionId: id, tool: id }),
  z.object({
    type: z.literal('question-answer'),
    sessionId: id,
    answer: z.object({
      questionId: id,
      answers: z
        .array(z.object({ choices: z.array(z.string().max(1000)).max(20), words: z.string().max(20_000).optional() }))
        .max(3)
        .optional(),
    }),
  }),
  z.object({ type: z.literal('undo-call'), sessionId: id, callId: id, differing }),
  z.object({ type: z.literal('undo-turn'), sessionId: id, turnId: id, differing }),
  z.object({ type: z.literal('redo'), sessionId: id, undoId: id, differing }),
  z.object({ type: z.literal('mode-set'), sessionId: id, mode: z.enum(['plan', 'ask', 'auto-edit', 'auto']) }),
  z.object({ type: z.literal('policy-write'), sessionId: id, text: z.string().max(1_000_000).nullable() }),
  z.object({ type: z.literal('policy-accept'), sessionId: id, fingerprint: id }),
  z.object({ type: z.literal('policy-compare'), sessionId: id }),
  z.object({ type: z.literal('policy-rule-add'), sessionId: id, callId: id }),
  z.object({ type: z.literal('model-connect'), ...connection }),
  z.object({ type: z.literal('model-test'), ...connection }),
  z.object({ type: z.literal('model-choose'), choice: z.enum(['practice', 'connected']) }),
  z.object({ type: z.literal('practice-pace'), pace: z.enum(practicePaces) }),
  z.object({ type: z.literal('spill-list') }),
  z.object({ type: z.literal('spill-read'), ref: id }),
]);
