import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { Capability, ToolResult } from '@/lib/contracts/outcome';
import type { ToolContext } from '@/lib/contracts/tool-context';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import type { JsonObject } from '@/lib/shared/json';
import type { ServerTool } from './mcp-names';

/** Our own helpers that only list and read what servers offer. */
const discoveryTools: ReadonlySet<string> = new Set([
  'list_mcp_resources',
  'list_mcp_resource_templates',
  'read_mcp_resource',
  'mcp_read_resource',
  'mcp_get_prompt',
]);

/** A tool as a server describes it. */
export interface OfferedTool {
  readonly description: string;
  readonly inputSchema: unknown;
  /** What the server claims about it. Nothing here makes a tool less governed. */
  readonly annotations?: unknown;
}

/**
 * What a tool that comes through the MCP adapter can touch.
 *
 * In     its name as the model uses it.
 * Out    read-only for our own discovery helpers, by their exact names; for everything else the worst that a server could do.
 * Source governance 2: a server's own hints are never trusted upward.
 */
export function mcpCapabilities(wireName: string): readonly Capability[] {
  return discoveryTools.has(wireName) ? ['read-only'] : ['network', 'requires-approval'];
}

/**
 * Puts a server's tool behind the registry's one entrance.
 *
 * In     `origin`: the tool in its server's spelling; `send` asks the server, and may reject.
 * Out    a spec whose schema the registry checks and sanitises like any other's.
 */
export function mcpTool(
  wireName: string,
  origin: ServerTool,
  offered: OfferedTool,
  send: (origin: ServerTool, input: JsonObject, context: ToolContext) => Promise<ToolResult>,
): ToolSpec {
  return {
    name: wireName,
    description: offered.description,
    input: z.looseObject({}),
    inputSchema: offered.inputSchema as JsonSchema,
    capabilities: mcpCapabilities(wireName),
    source: 'mcp',
    title: `Ask ${origin.server} to run ${origin.tool}.`,
    execute: (input, context) => send(origin, input as JsonObject, context),
  };
}
