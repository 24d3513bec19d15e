import type { Json, JsonObject } from '@/lib/shared/json';
import type { ApprovalLevel } from './approval';
import type { JsonSchema } from './json-schema';
import type { Capability, FileChange, ToolError, ToolResult } from './outcome';
import type { ToolContext } from './tool-context';

/** A tool as it is sent to a provider. */
export interface ApiTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** An eager snapshot that does not depend on any input. */
export interface ToolMetadata {
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly Capability[];
  /** Derived: `read-only` and neither `writes-files` nor `executes-code`. */
  readonly readOnly: boolean;
  readonly network: boolean;
  readonly supportsParallel: boolean;
  readonly interactive: boolean;
  readonly destructive: boolean;
  readonly deferred: boolean;
  readonly polling: boolean;
  /** It says itself which of its calls are alike; else those with equal inputs are. */
  readonly ownLoopKey?: true;
  /** Derived from the capabilities. */
  readonly approval: ApprovalLevel;
  /** Milliseconds its body may take; Infinity = no limit. */
  readonly timeoutMs: number;
  readonly result: 'shell' | 'general' | 'never-spills';
  /** First line of the approval card, a sentence; absent = made from the capabilities. */
  readonly title?: string;
  readonly source: 'built-in' | 'mcp' | 'extension' | 'subagent';
  /** Of an external tool: `sha256:…` of the definition that the model is shown, sampled once when it was registered. */
  readonly definition?: string;
}

/** What the servers of external tools send as their definitions, told apart from what the model is shown. */
export interface ToolDefinitions {
  /** `sha256:…` of what the server sends now; undefined = not an external tool. */
  current(tool: string): string | undefined;
  /** Told when a server sends another definition than before. Returns the unsubscribe. */
  subscribe(listener: (tool: string) => void): () => void;
}

export type NameResolution =
  | { readonly resolved: string; readonly rung: 'exact' | 'case' | 'hyphen' | 'camel' | 'suffix' | 'prefix' }
  | { readonly resolved: null; readonly rung: null; readonly suggestions: readonly string[] };

export type Validation = { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly error: ToolError };

/** Workspace-relative paths that a call would touch. */
export interface TouchedPaths {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Made, moved or removed as wholes, their content neither seen nor written: protected like writes, but need no read before. */
  readonly places?: readonly string[];
  /** Folders or files whose content is searched or copied without being shown whole: rules for paths bind them, and writing still needs a read. */
  readonly under?: readonly string[];
}

/** What a caller has to know of a tool to send its next call right. */
export interface ToolLesson {
  /** Fields with their types in words. */
  readonly expected: Readonly<Record<string, string>>;
  readonly received: readonly string[];
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  /** Unexpected fields, and the field that each was likely meant as. */
  readonly corrections: Readonly<Record<string, string>>;
}

/** The seam: the engine governs tools without seeing a ToolSpec. No method rejects or throws. */
export interface ToolDispatcher {
  has(name: string): boolean;
  names(): readonly string[];
  /** The name ladder of governance 5. */
  resolve(requested: string): NameResolution;
  metadata(name: string): ToolMetadata | undefined;
  /** For this very input; never below what the capabilities demand where `requires-approval` is declared. */
  approvalRequirementFor(name: string, input: JsonObject): ApprovalLevel;
  /** As the tool declares it; the pipeline coerces by it. */
  inputSchema(name: string): JsonSchema | undefined;
  /** False for a deferred tool that was not activated: the model has not seen its fields. */
  isLoaded(name: string): boolean;
  /** Sends a deferred tool from the next request on. */
  activate(name: string): void;
  lesson(name: string, input: Json): ToolLesson;
  /** The tool's schema, then its own check. Answers the input with defaults filled in. */
  validateInput(name: string, input: Json): Validation;
  loopKey(name: string, input: JsonObject): string;
  /** Milliseconds the body may take for this input; Infinity = no limit. */
  timeoutFor(name: string, input: JsonObject): number;
  /** The host that the call talks to; undefined = none. */
  hostFor(name: string, input: JsonObject): string | undefined;
  pathsFor(name: string, input: JsonObject): TouchedPaths;
  /** One line for a card: the command, the path, the query. */
  summarize(name: string, input: JsonObject): string;
  /** The change the call would make, for the card; empty where the tool cannot say. */
  previewChanges(name: string, input: JsonObject, context: ToolContext): Promise<readonly FileChange[]>;
  /** Sorted by name, by UTF-16 code unit, with neutral schemas: the same bytes for the same tools. */
  apiTools(): readonly ApiTool[];
  /** Runs the body with a context narrowed to what its capabilities entitle it to; every port throws once this has settled. */
  execute(name: string, input: JsonObject, context: ToolContext): Promise<ToolResult>;
}
