import type { JsonSchema } from './json-schema';
import type { Capability, ToolResult } from './outcome';

/** The framework layer: can be executed. It knows no approval, sandbox, runtime or context. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Advisory only; whoever hosts the tool decides. */
  readonly capabilities?: readonly Capability[];
  run(input: unknown): Promise<ToolResult>;
}
