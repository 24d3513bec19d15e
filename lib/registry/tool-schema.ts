import type { JsonSchema } from '@/lib/contracts/json-schema';
import { z } from '@/lib/contracts/zod';

/**
 * The JSON schema of a tool's input as it is sent.
 *
 * Out    what a caller may send (fields with a default are optional), without `$schema` and the ±2^53 bounds that zod adds to integers.
 */
export function toolSchema(input: z.ZodType): JsonSchema {
  return cleaned(z.toJSONSchema(input, { io: 'input' })) as JsonSchema;
}

function cleaned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleaned);
  if (typeof node !== 'object' || node === null) return node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === '$schema') continue;
    if ((key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)) continue;
    kept[key] = cleaned(value);
  }
  return kept;
}
