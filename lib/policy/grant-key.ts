import { exactFingerprint } from './fingerprint';
import type { JsonObject } from '@/lib/shared/json';

/**
 * The key under which an approval is remembered.
 *
 * Out    the exact fingerprint: a grant covers the identical call only, until commands are judged by their grammar.
 */
export function grantKey(tool: string, input: JsonObject): string {
  return exactFingerprint(tool, input);
}
