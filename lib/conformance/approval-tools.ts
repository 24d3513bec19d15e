import type { ToolDefinitions } from '@/lib/contracts/dispatcher';
import type { Capability, ToolResult } from '@/lib/contracts/outcome';
import { defineTool, type ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import type { JsonObject } from '@/lib/shared/json';

interface CaseTool {
  readonly name: string;
  readonly input: z.ZodType;
  readonly capabilities: readonly Capability[];
  readonly more?: Partial<ToolSpec>;
}

const path = z.string();
const reads = { supportsParallel: true };

/** The tools that the cases of kind `approval` name, as their contract declares them. */
const tools: readonly CaseTool[] = [
  {
    name: 'read_file',
    input: z.object({ path }),
    capabilities: ['read-only'],
    more: { ...reads, pathsFor: (input) => ({ reads: [(input as { path: string }).path] }) },
  },
  {
    name: 'write_file',
    input: z.object({ path, content: z.string() }),
    capabilities: ['writes-files'],
    more: { pathsFor: (input) => ({ writes: [(input as { path: string }).path] }) },
  },
  {
    name: 'exec_shell',
    input: z.object({
      command: z.string(),
      cwd: z.string().optional(),
      stdin: z.string().optional(),
      timeout_ms: z.number().optional(),
      background: z.boolean().optional(),
    }),
    capabilities: ['executes-code'],
  },
  { name: 'send_mail', input: z.object({ to: z.string() }), capabilities: ['network', 'requires-approval'] },
  { name: 'fetch_url', input: z.object({ url: z.string() }), capabilities: ['read-only', 'network'], more: reads },
  { name: 'mcp__docs__search', input: z.object({ q: z.string() }), capabilities: ['network', 'requires-approval'] },
  { name: 'update_plan', input: z.object({ plan: z.array(z.json()) }), capabilities: ['read-only'] },
  { name: 'exit_plan_mode', input: z.object({}), capabilities: ['read-only', 'requires-approval'], more: { isInteractive: true } },
];

/** Where the engine has to record that the bytes of a tool's result come from. */
export function originOf(tool: string): 'network' | 'mcp' | 'local' {
  if (tool === 'fetch_url') return 'network';
  return tool === 'mcp__docs__search' ? 'mcp' : 'local';
}

/** Makes the tools; `run` is the body of each, and may go on for ever. */
export function caseTools(definitions: CaseDefinitions, run: (tool: string, input: JsonObject) => Promise<ToolResult>): readonly ToolSpec[] {
  return tools.map(({ name, input, capabilities, more }) => {
    const definition = definitions.sampled(name);
    return defineTool({
      name,
      description: describe(name, 0),
      input,
      capabilities,
      timeoutMs: Number.POSITIVE_INFINITY,
      ...(name === 'mcp__docs__search' ? { source: 'mcp' as const } : {}),
      ...(definition === undefined ? {} : { definition }),
      ...more,
      execute: (given) => run(name, given as JsonObject),
    });
  });
}

function describe(name: string, version: number): string {
  return version === 0 ? `The tool ${name} of a case.` : `The tool ${name} of a case, described anew (${version}).`;
}

/** Servers of the tools that come from one, and what they send. */
export interface CaseDefinitions extends ToolDefinitions {
  /** What was sent when the tools were registered. */
  sampled(tool: string): string | undefined;
  /** Its server sends another description from now on. */
  change(tool: string): Promise<void>;
}

/** Makes the definitions of the tools that have a server: those of the contract, and `more`, which a case says have one. */
export async function createCaseDefinitions(more: readonly string[]): Promise<CaseDefinitions> {
  const versions = new Map(['send_mail', 'mcp__docs__search', ...more].map((tool) => [tool, 0]));
  const current = new Map<string, string>();
  for (const [tool, version] of versions) current.set(tool, await hashOf(describe(tool, version)));
  const sampled = new Map(current);
  const listeners = new Set<(tool: string) => void>();
  return {
    current: (tool) => current.get(tool),
    sampled: (tool) => sampled.get(tool),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async change(tool) {
      const version = (versions.get(tool) ?? 0) + 1;
      versions.set(tool, version);
      current.set(tool, await hashOf(describe(tool, version)));
      for (const listener of [...listeners]) listener(tool);
    },
  };
}

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
