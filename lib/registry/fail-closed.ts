import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { isJsonObject } from '@/lib/shared/json';
import { isLegalId, legalId, uniqueId } from '@/lib/shared/legal-id';

/** Deeper ones could not be written as text by every reader of them. */
const DEEPEST_SCHEMA = 500;
const LONGEST_WORD = 80;

/**
 * Why a tool may not be registered, or undefined when it may.
 *
 * In     its name, the JSON schema of its input and its description, as its maker gave them.
 * Source governance 2: one bad definition must not turn into a provider error that disables every tool.
 */
export function definitionFault(name: string, schema: unknown, description: unknown): string | undefined {
  if (typeof description !== 'string') return `its description is ${quoted(description)} instead of a text`;
  if (!isLegalId(name)) return `its name ${quoted(name)} is not made of 1 to 64 letters, digits, _ and -`;
  if (!isJsonObject(schema)) return 'its input schema is not a JSON object';
  const type = Object.hasOwn(schema, 'type') ? schema.type : undefined;
  if (type !== undefined && type !== 'object') return `the root of its input schema has type ${quoted(type)} instead of "object"`;
  if (isDeeperThan(schema, DEEPEST_SCHEMA)) return `its input schema is nested deeper than ${DEEPEST_SCHEMA} levels`;
  return undefined;
}

/**
 * A stand-in for a tool whose definition is bad.
 *
 * In     `taken`: names of all other tools; the stand-in's is added.
 * Out    a tool with a legal name that nobody else has; every call answers `not-available` with the reason and executes nothing.
 */
export function failClosedTool(name: string, fault: string, taken: Set<string>): ToolSpec {
  const legal = uniqueId(legalId(name, 'tool'), taken);
  return {
    name: legal,
    description: `Unavailable: this tool failed to initialise and is fail-closed. Do not call it. Reason: ${fault}.`,
    input: z.looseObject({}),
    capabilities: ['requires-approval'],
    execute: async () => ({ ok: false, error: 'not-available', content: `${legal} is not available: ${fault}. Nothing was executed. Use another tool.` }),
  };
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text;
}

/** Level by level and without recursion: what is measured here may be hostile. */
function isDeeperThan(root: unknown, limit: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
