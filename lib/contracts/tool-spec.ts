import type { ApprovalLevel } from './approval';
import type { ToolMetadata, TouchedPaths } from './dispatcher';
import type { JsonSchema } from './json-schema';
import type { Capability, FileChange, ToolError, ToolResult } from './outcome';
import type { ToolContext } from './tool-context';
import type { z } from './zod';

/**
 * The production layer: how a tool is governed. A tool file holds business logic and this honest declaration; approval,
 * locks, cutting and wrapping are the slot's. Approval level and read-only are derived from `capabilities`, never set.
 */
export interface ToolSpec<Input extends z.ZodType = z.ZodType> {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string;
  /** For the model: what it does, when to use it rather than another, what comes back. */
  readonly description: string;
  /** A zod object; every field has a `describe`. */
  readonly input: Input;
  /** Of a tool that was not written here: the schema that is sent and checked in the place of `input`; the body gets what was checked, unchanged. */
  readonly inputSchema?: JsonSchema;
  readonly capabilities: readonly Capability[];
  /** Default false. */
  readonly supportsParallel?: boolean;
  /** Default false. */
  readonly deferLoading?: boolean;
  /** It waits for the person itself. Default false. */
  readonly isInteractive?: boolean;
  /** What it changes cannot be brought back by undo. Default false. */
  readonly isDestructive?: boolean;
  /** Its result is expected to change between equal calls. Default false. */
  readonly isPolling?: boolean;
  /** Milliseconds; default 30,000. May depend on the input. */
  readonly timeoutMs?: number;
  timeoutMsFor?(input: z.output<Input>): number;
  /** Who made it; default `built-in`. */
  readonly source?: ToolMetadata['source'];
  /** Of an external tool: `sha256:…` of its definition as it was when it was registered. */
  readonly definition?: string;
  /** Which economics of results apply; default `general`. */
  readonly result?: 'shell' | 'general' | 'never-spills';
  /** Semantic check before approval; undefined = fine. */
  validateInput?(input: z.output<Input>): ToolError | undefined;
  /** Raises or lowers the level for one input; default the derived level. */
  approvalRequirementForInput?(input: z.output<Input>): ApprovalLevel;
  /** Default: name and canonical arguments. */
  loopKey?(input: z.output<Input>): string;
  /** The host that the call talks to, undefined = none; only so many calls talk to one at once. */
  hostFor?(input: z.output<Input>): string | undefined;
  /** Paths the call touches; the slot uses it for read-before-write, protected paths and undo. */
  pathsFor?(input: z.output<Input>): Partial<TouchedPaths>;
  /** First line of the approval card, a sentence. Default: made from the capabilities. */
  readonly title?: string;
  /** One line for a card; default the first string field. */
  summarize?(input: z.output<Input>): string;
  /** The change the call would make; may throw when it would fail. */
  previewChanges?(input: z.output<Input>, context: ToolContext): Promise<readonly FileChange[]>;
  /** May throw a CodedError whose code is a ToolErrorKind or a files code; anything else becomes `execution-failed`. */
  execute(input: z.output<Input>, context: ToolContext): Promise<ToolResult>;
}

/** Gives a spec its types; the registry takes any ToolSpec. */
export function defineTool<Input extends z.ZodType>(spec: ToolSpec<Input>): ToolSpec {
  return spec as unknown as ToolSpec;
}
