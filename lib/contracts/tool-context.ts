import type { Json, JsonObject } from '@/lib/shared/json';
import type { DiagnosticsReport } from './diagnostics';
import type { GitPort } from './git';
import type { NewId, Now, SpillRef } from './ids';
import type { ShellJobs } from './job';
import type { WebRequest, WebResponse } from './network';
import type { ToolResult } from './outcome';
import type { Explanation } from './policy';
import type { PersonQuestion, QuestionOutcome } from './question';
import type { DirectoryEntry, FileStat } from './runtime';
import type { SpillRecord } from './store';
import type { UndoPort } from './undo';

/** Files as a tool sees them: paths are workspace-relative, `/`-separated; one that leaves the workspace throws `path-escape`. */
export interface ReadFiles {
  /** Throws CodedError `not-found`, `is-directory`. */
  readBytes(path: string): Promise<Uint8Array>;
  /** UTF-8; invalid bytes become U+FFFD. */
  readText(path: string): Promise<string>;
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  /** undefined = there is nothing at this path. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Every file below `path` (default the root), sorted, obeying `.gitignore` unless told otherwise; `.git` never. */
  listFiles(options?: { readonly path?: string; readonly includeIgnored?: boolean; readonly includeHidden?: boolean }): Promise<readonly string[]>;
}

export interface WriteFiles extends ReadFiles {
  /** Makes parent folders; replaces an existing file. */
  writeText(path: string, text: string): Promise<void>;
  writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface CommandRequest {
  readonly command: string;
  readonly cwd?: string;
  readonly stdin?: string;
}

export interface CommandResult {
  readonly exitCode: number;
  /** stdout and stderr as they came, in one text. */
  readonly output: string;
  /** Bytes that were produced; more than the output's size when a cap was hit. */
  readonly producedBytes: number;
}

/** A structured search that runs off the engine's thread and is stopped when the call is. */
export interface SearchRequest {
  readonly pattern: string;
  readonly flags: 'g' | 'gi';
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  readonly maxMatches: number;
}
export interface SearchMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** One step of the model's visible plan. */
export interface PlanStep {
  readonly step: string;
  readonly status: 'pending' | 'in-progress' | 'done';
}

/** The only door from a tool to the host. A tool without the right capability gets ports that throw `permission-denied`. */
export interface ToolContext {
  /** Writing methods throw unless the tool declares `writes-files`. */
  readonly files: WriteFiles;
  /** Needs `executes-code`. Output is streamed to the page as it comes. */
  runCommand(request: CommandRequest): Promise<CommandResult>;
  /** Regular-expression search with a hard stop: a pattern that backtracks forever is stopped with the call. */
  search(request: SearchRequest): Promise<readonly SearchMatch[]>;
  /**
   * Needs `network`. Fetches a public page, redirects included, under the host rules of the call.
   * Rejects with CodedError `permission-denied` (host or address may not be reached), `not-available` (nothing answered, or too many redirects), `invalid-input`.
   */
  fetchWeb(request: WebRequest): Promise<WebResponse>;
  /** Reads a spill of this workspace; undefined = unknown id. */
  readSpill(ref: SpillRef): Promise<SpillRecord | undefined>;
  /** Shows the model's plan to the person. */
  showPlan(steps: readonly PlanStep[], explanation: string | undefined): void;
  /** Commands that run on in the background. Starting and feeding them needs `executes-code`, ending them that or `requires-approval`. */
  readonly jobs: ShellJobs;
  /** The workspace's history. Staging and committing need `writes-files`, `requires-approval` or both. */
  readonly git: GitPort;
  /** Calls another tool, one that can do no more than the caller: it skips the lock, and passes every other gate. Never rejects. */
  callTool(name: string, input: JsonObject): Promise<ToolResult>;
  /** Problems of files, without running them; undefined = of every file. Rejects `not-available` where nothing can look at them. */
  diagnose(paths: readonly string[] | undefined): Promise<DiagnosticsReport>;
  /** What calls of this session changed, and the way back. */
  readonly undo: UndoPort;
  /** Shows a form and waits for the person, for as long as it takes. Needs a tool that declares itself interactive. */
  askPerson(questions: readonly PersonQuestion[]): Promise<QuestionOutcome>;
  /** What would happen to a call, by whichever name the model knows its tool; asks nobody and starts nothing. */
  explain(tool: string, input: JsonObject): Explanation;
  /** Tells the person something, also when they look elsewhere. */
  notify(title: string, body: string): void;
  /** Small per-session notes of a tool, kept with the session. */
  readonly state: { get(key: string): Json | undefined; set(key: string, value: Json): void };
  readonly now: Now;
  readonly newId: NewId;
  /** Aborts when the call is cancelled or timed out. */
  readonly signal: AbortSignal;
}
