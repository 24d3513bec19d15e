import type { Json } from '@/lib/shared/json';
import { isTextTooDeep, isTooLarge, isValueTooDeep } from './argument-limits';
import { isWhiteSpace, type MendingRung, mendJsonText } from './mend-json-text';

export type ArgumentRung = 'strict' | MendingRung | 'fallback';

export type ArgumentRepair =
  | { readonly ok: true; readonly rung: ArgumentRung; readonly value: Json }
  | { readonly ok: false; readonly error: 'too_large' | 'too_deep' | 'strict_only' };

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
  if (isTooLarge(raw)) return { ok: false, error: 'too_large' };
  // A parse that fails costs as much as one that does not, and an exception: spared where the ends already tell.
  const strict = isUnfinished(raw) ? undefined : parse(raw);
  if (strict === undefined ? isTextTooDeep(raw) : isValueTooDeep(strict, raw.length)) return { ok: false, error: 'too_deep' };
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

/** The ends alone show that it is no JSON: a bracket that is not closed at the end, or a comma before the last closer. */
function isUnfinished(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first !== 0x7b && first !== 0x5b) return false;
  let last = text.length - 1;
  while (last > 0 && isWhiteSpace(text.charCodeAt(last))) last--;
  if (text.charCodeAt(last) !== first + 2) return true;
  let beforeLast = last - 1;
  while (beforeLast > 0 && isWhiteSpace(text.charCodeAt(beforeLast))) beforeLast--;
  return text.charCodeAt(beforeLast) === 0x2c;
}
