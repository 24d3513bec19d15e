import { nestsDeeperThan } from '@/lib/shared/json-nesting';
import type { Json } from '@/lib/shared/json';
import { mendJsonText, type MendingRung } from './mend-json-text';

export type ArgumentRung = 'strict' | MendingRung | 'fallback';

export type ArgumentRepair =
  | { readonly ok: true; readonly rung: ArgumentRung; readonly value: Json }
  | { readonly ok: false; readonly error: 'too_large' | 'too_deep' | 'strict_only' };

export const ARGUMENT_LIMIT_BYTES = 1_048_576;
export const ARGUMENT_LIMIT_LEVELS = 256;

/**
 * Reads the argument text of a call, mending what was damaged, never completing what was cut.
 *
 * In     `raw` as received; `strict_only` in a turn that the output limit cut off.
 * Out    the value and the rung that was needed; `fallback` always carries `{}`. Keys like `__proto__` are own properties.
 * Fails  too_large, too_deep (also when valid); strict_only when that policy meets text that is not JSON.
 * Order  linear in the text: valid text costs one parse, damaged text one scan and one parse more.
 * Source governance 5: five rungs, 1 MiB, 256 levels.
 */
export function repairArguments(raw: string, policy: 'repair' | 'strict_only'): ArgumentRepair {
  if (isOverLimit(raw)) return { ok: false, error: 'too_large' };
  if (nestsDeeperThan(raw, ARGUMENT_LIMIT_LEVELS)) return { ok: false, error: 'too_deep' };
  const strict = parse(raw);
  if (strict !== undefined) return { ok: true, rung: 'strict', value: strict };
  if (policy === 'strict_only') return { ok: false, error: 'strict_only' };
  const mended = mendJsonText(raw);
  const value = mended && parse(mended.text);
  return mended && value !== undefined ? { ok: true, rung: mended.rung, value } : { ok: true, rung: 'fallback', value: {} };
}

/** undefined = not JSON; no JSON text has that value. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
let scratch: Uint8Array | undefined;

function isOverLimit(text: string): boolean {
  if (text.length * 3 <= ARGUMENT_LIMIT_BYTES) return false;
  if (text.length > ARGUMENT_LIMIT_BYTES) return true;
  scratch ??= new Uint8Array(ARGUMENT_LIMIT_BYTES);
  // Encoding into room of just that size is the quickest way to ask whether the bytes fit.
  return encoder.encodeInto(text, scratch).read < text.length;
}
