import type { PathState } from './undo';

/**
 * Where tools act: a subset of WebContainer's own surface, so drivers are interchangeable. Paths are relative to the
 * workspace root, `/`-separated, without a leading slash; '' or '.' is the root. Every driver passes `test/contract/runtime`.
 */
export interface Runtime {
  readonly info: RuntimeInfo;
  readonly fs: RuntimeFileSystem;
  /** Starts a program. Rejects only when it cannot be started (CodedError `not-available`); an unknown command exits 127. */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): Promise<RuntimeProcess>;
  /** Files added to what is there (a mount replaces equal paths). */
  mount(files: readonly RuntimeFile[]): Promise<void>;
  /** Every file, `.git` included, sorted by path. */
  exportFiles(): Promise<readonly RuntimeFile[]>;
  /** A server inside the runtime began to listen. Returns the unsubscribe. */
  onServerReady(listener: (port: number, url: string) => void): () => void;
  /** Awaits until everything written so far is durable; a no-op for runtimes that keep nothing. */
  flush(): Promise<void>;
  /** Ends every process and lets go of everything. */
  dispose(): Promise<void>;
  /** Absent where it is not known what a program changed. */
  readonly journal?: ChangeJournal;
}

/** What was where before it was changed: a copy on write, at the moment of the change. */
export interface ChangeJournal {
  /** Told of every path at once, a folder's contents one by one. Returns the unsubscribe. */
  listen(listener: (change: JournalChange) => void): () => void;
  /** Awaits until every change made so far was told. */
  settle(): Promise<void>;
  /** The same runtime, its changes marked as made by `actor`, those of the programs it starts too. */
  as(actor: string): Runtime;
  /** Names of folders whose changes are not told. */
  readonly leavesOut: readonly string[];
}

export interface JournalChange {
  readonly path: string;
  readonly before: PathState;
  /** Absent = nobody was named. */
  readonly actor?: string;
}

export interface RuntimeInfo {
  readonly driver: 'embedded' | 'webcontainer';
  /** Program and arguments that run one shell command line: `['sh', '-c']`. */
  readonly shell: readonly [string, ...string[]];
  /** What this runtime can do here; what it cannot is refused in words. */
  readonly capabilities: {
    /** Programs see files synchronously and may run `execSync`. */
    readonly syncProcesses: boolean;
    readonly persistent: boolean;
  };
}

export interface RuntimeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
}

export interface FileStat {
  readonly kind: 'file' | 'directory';
  /** Bytes; 0 for a directory. */
  readonly size: number;
  readonly modifiedAtMs: number;
}

/** Failures are CodedErrors: `not-found`, `is-directory`, `not-a-directory`, `not-empty`, `already-exists`, `path-escape`. */
export interface RuntimeFileSystem {
  readFile(path: string): Promise<Uint8Array>;
  /** Absent paths are left out: one round trip where files live across a bridge. */
  readMany(paths: readonly string[]): Promise<readonly RuntimeFile[]>;
  /** Parent folders must exist, as in WebContainer. */
  writeFile(path: string, data: Uint8Array | string): Promise<void>;
  readdir(path: string): Promise<readonly DirectoryEntry[]>;
  stat(path: string): Promise<FileStat | undefined>;
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Told of changes below `path`, grouped (at most every 50 ms), whoever made them. Returns the unsubscribe. */
  watch(path: string, listener: (changes: readonly FileSystemChange[]) => void): () => void;
}

export interface FileSystemChange {
  readonly path: string;
  readonly kind: 'changed' | 'removed';
}

export interface SpawnOptions {
  /** Workspace-relative; default the root. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Set = the program has a terminal of this size: a shell without arguments prompts, echoes and edits lines. */
  readonly terminal?: { readonly cols: number; readonly rows: number };
}

export interface RuntimeProcess {
  /** stdout and stderr merged, as text, as it comes. Closes before `exit` settles. */
  readonly output: ReadableStream<string>;
  /** stdin. Closing it is end of input. */
  readonly input: WritableStream<string>;
  /** Exit code; 130 after kill. Never rejects. */
  readonly exit: Promise<number>;
  /** Ends it and what it started, at once. */
  kill(): void;
  resize(size: { readonly cols: number; readonly rows: number }): void;
}

/** What a spawned worker runs. */
export type WorkerKind = 'shell' | 'node' | 'search' | 'language';

/** A worker as a port: a web worker in the page, a `worker_threads` worker headless. */
export interface WorkerPort {
  postMessage(message: unknown, transfer?: readonly unknown[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The worker could not start or died by an uncaught error. */
  onError(listener: (message: string) => void): void;
  terminate(): void;
}

export type SpawnWorker = (kind: WorkerKind) => WorkerPort;
