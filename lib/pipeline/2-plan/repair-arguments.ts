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
 * Order  linear in the text: valid text costs one parse, damaged text one scan and one parse.
 * Source governance 5: five rungs, 1 MiB, 256 levels.
 */
export function repairArguments(raw: string, policy: 'repair' | 'strict_only'): ArgumentRepair {
  if (isTooLarge(raw)) return { ok: false, error: 'too_large' };
  // A read that fails costs as much as one that does not, and an exception: where the text may be damaged the scan comes first.
  const scanned = mayBeDamaged(raw) ? mendJsonText(raw) : undefined;
  const strict = scanned === undefined || scanned.kind === 'nothing' ? parse(raw) : undefined;
  if (strict !== undefined) return isValueTooDeep(strict, raw.length) ? { ok: false, error: 'too_deep' } : { ok: true, rung: 'strict', value: strict };
  const mending = scanned ?? mendJsonText(raw);
  if (mending.kind === 'deep' || (mending.kind !== 'mended' && isTextTooDeep(raw))) return { ok: false, error: 'too_deep' };
  if (policy === 'strict_only') return { ok: false, error: 'strict_only' };
  const value = mending.kind === 'mended' ? parse(mending.text) : undefined;
  return mending.kind === 'mended' && value !== undefined ? { ok: true, rung: mending.rung, value } : { ok: true, rung: 'fallback', value: {} };
}

/** V8's own setting; other engines do not know it. */
const errors = Error as { stackTraceLimit?: number };

/** undefined = not JSON; no JSON text has that value. */
function parse(text: string): Json | undefined {
  const { stackTraceLimit } = errors;
  // Nobody reads where the reader failed, and a stack costs as much as the reading.
  errors.stackTraceLimit = 0;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
  }
}

/** A text of so many units is scanned before it is read: the scan costs less than what one failure in a hundred would. */
const SCANNED_UNITS = 512;
/** The first line end is looked at where it stands within so many units. */
const LOOKED_UNITS = 4096;

/** Signs of damage that cost next to nothing to see. */
function mayBeDamaged(text: string): boolean {
  return text.length <= SCANNED_UNITS || isUnfinished(text) || hasLineInString(text);
}

/** The ends alone show that it is no JSON: a bracket that is not closed at the end, or a comma among the last closers. */
function isUnfinished(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first !== 0x7b && first !== 0x5b) return false;
  let last = text.length - 1;
  while (last > 0 && isWhiteSpace(text.charCodeAt(last))) last--;
  if (text.charCodeAt(last) !== first + 2) return true;
  for (let at = last - 1; at > 0; at--) {
    const unit = text.charCodeAt(at);
    if (unit === 0x2c) return true;
    if (unit !== 0x7d && unit !== 0x5d && !isWhiteSpace(unit)) return false;
  }
  return false;
}

/** The first line end stands inside a string. */
function hasLineInString(text: string): boolean {
  const end = text.indexOf('\n');
  if (end < 0 || end > LOOKED_UNITS) return false;
  let inside = false;
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) inside = !inside;
    else if (unit === 0x5c) at++;
  }
  return inside;
}
