import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';

const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Why a tool may not be registered, or undefined when it may.
 *
 * In     its name and the JSON schema of its input, as it would be sent.
 * Source governance 2: one bad definition must not turn into a provider error that disables every tool.
 */
export function definitionFault(name: string, schema: unknown): string | undefined {
  if (!legalName.test(name)) return `its name ${JSON.stringify(name)} does not match ${legalName.source}`;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'its input schema is not a JSON object';
  const type = (schema as { type?: unknown }).type;
  if (type !== undefined && type !== 'object') return `the root of its input schema has type ${JSON.stringify(type)} instead of "object"`;
  return undefined;
}

/** A stand-in for a tool whose definition is bad: it has a legal name that nobody else has, and always answers `not-available`. */
export function failClosedTool(name: string, fault: string, isTaken: (name: string) => boolean): ToolSpec {
  const base = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 56) || 'tool';
  let legal = base;
  for (let n = 2; isTaken(legal); n++) legal = `${base}_${n}`;
  return {
    name: legal,
    description: 'Unavailable: the definition of this tool was not accepted, so it is closed. Do not call it.',
    input: z.looseObject({}),
    capabilities: ['requires-approval'],
    approvalRequirementForInput: () => 'required',
    execute: async () => ({ ok: false, error: 'not-available', content: `${legal} is not available: ${fault}. Nothing was executed. Use another tool.` }),
  };
}
