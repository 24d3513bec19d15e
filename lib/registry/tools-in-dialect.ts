import type { ApiTool } from '@/lib/contracts/dispatcher';
import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { SchemaDialect } from '@/lib/contracts/provider';
import type { Json } from '@/lib/shared/json';
import { sanitizeSchema } from './sanitize-schema';

const made = new WeakMap<readonly ApiTool[], Map<SchemaDialect, readonly ApiTool[]>>();

/**
 * The tools of a request as the provider's server takes their schemas.
 *
 * In     tools as the dispatcher gives them.
 * Out    the same tools in the same order; the same list for the same `tools`, so that a turn of many steps makes it once.
 */
export function toolsInDialect(tools: readonly ApiTool[], dialect: SchemaDialect): readonly ApiTool[] {
  const known = made.get(tools) ?? new Map<SchemaDialect, readonly ApiTool[]>();
  made.set(tools, known);
  const spoken = known.get(dialect) ?? tools.map((tool) => ({ ...tool, inputSchema: sanitizeSchema(asObject(tool.inputSchema), dialect) }));
  known.set(dialect, spoken);
  return spoken;
}

/** The input of a tool is an object and never null, whether its schema says so or not. */
function asObject(schema: JsonSchema): Json {
  const { nullable: _, ...rest } = schema;
  return { ...rest, type: 'object' } as Json;
}
