import type { Clock } from '@/lib/contracts/clock';
import type { ModelChoice, PracticePace, TaskInfo } from '@/lib/contracts/commands';
import type { LanguagePort } from '@/lib/contracts/diagnostics';
import type { ToolDefinitions, ToolDispatcher } from '@/lib/contracts/dispatcher';
import type { GitPort } from '@/lib/contracts/git';
import type { NewId, SpillRef, WorkspaceId } from '@/lib/contracts/ids';
import type { StreamModel } from '@/lib/contracts/model';
import type { FetchWeb } from '@/lib/contracts/network';
import type { ProviderId } from '@/lib/contracts/provider';
import type { Runtime } from '@/lib/contracts/runtime';
import type { SessionLink } from '@/lib/contracts/session-link';
import type { Stores, WorkspaceRecord } from '@/lib/contracts/store';
import type { SearchMatch, SearchRequest, WriteFiles } from '@/lib/contracts/tool-context';
import type { SummarisePort } from '@/lib/pipeline/5-backfill/summarise';

/** A workspace that is open: its runtime, and its files as tools see them. */
export interface OpenWorkspace {
  readonly record: WorkspaceRecord;
  readonly runtime: Runtime;
  readonly files: WriteFiles;
  readonly git: GitPort;
  /** Absent = nothing is known of its languages. */
  readonly language?: LanguagePort;
  search(request: SearchRequest, signal: AbortSignal): Promise<readonly SearchMatch[]>;
  /** Told before changed files are stored, which waits for the answer. Returns the unsubscribe. Absent where they are not stored by themselves. */
  readonly beforeStored?: (listener: () => Promise<void>) => () => void;
}

/** Workspaces by id. Both reject with a CodedError whose message says what is safe. */
export interface WorkspacePort {
  /** A fresh workspace with the files and history of the task's starter. */
  create(taskId: string | undefined): Promise<WorkspaceRecord>;
  /** The same object for the same id while it is open. */
  open(workspaceId: WorkspaceId): Promise<OpenWorkspace>;
  /** Ends what runs there and lets go; its files stay stored. */
  close(workspaceId: WorkspaceId): Promise<void>;
  remove(workspaceId: WorkspaceId): Promise<void>;
}

/** A connection as the person typed it; the key is held by this port alone. */
export interface ConnectionInput {
  readonly provider: ProviderId;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
}

/** Which model turns go to. */
export interface ModelPort {
  current(): ModelChoice;
  connect(connection: ConnectionInput): ModelChoice;
  /** Throws CodedError `not-connected` when there is no connection to choose. */
  choose(choice: 'practice' | 'connected'): ModelChoice;
  /** One short request; answers what came back. Rejects with a CodedError whose message is plain words. */
  test(connection: ConnectionInput): Promise<string>;
  /** The stream of the current choice and the name shown for it. */
  open(taskId: string | undefined): { readonly name: string; readonly stream: StreamModel };
}

/** Everything the engine stands on; built by a composition root. */
export interface EnginePorts {
  readonly dispatcher: ToolDispatcher;
  /** Absent = every tool is our own. */
  readonly definitions?: ToolDefinitions;
  readonly stores: Stores;
  readonly workspaces: WorkspacePort;
  readonly models: ModelPort;
  /** Holds from the next piece of a stream on. Absent = there is no practice model here. */
  readonly pacePractice?: (pace: PracticePace) => void;
  readonly tasks: readonly TaskInfo[];
  /** How the engines of several tabs agree on who writes a session. */
  readonly link: SessionLink;
  /** false = no call runs before its response has ended; absent = those that only read may. */
  readonly earlyStarts?: boolean;
  /** The way to public pages; absent = this engine has none. */
  readonly fetchWeb?: FetchWeb | undefined;
  /** Long texts from outside go to the model in short; absent = off. */
  readonly summarise?: SummarisePort | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly newSpillRef: () => SpillRef;
  /** Set when the stores keep nothing: what a person has to know. */
  readonly forgetful?: string;
}
