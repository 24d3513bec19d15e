import { canonicalJson } from '@/lib/shared/canonical-json';
import type { JsonObject } from '@/lib/shared/json';

/** The key of one call and no other: tool and canonical arguments. Denials are remembered under it. */
export function exactFingerprint(tool: string, input: JsonObject): string {
  return `${JSON.stringify(tool)} ${canonicalJson(input)}`;
}
