import type { SlotOutcome } from '@/lib/contracts/outcome';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { repairArguments } from './repair-arguments';

const CUT_STOPS: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded']);

/** True when a provider's own word for "why it stopped" means that the output limit cut the turn off. */
export function isTruncatedStop(raw: string | null): boolean {
  return raw !== null && CUT_STOPS.has(raw.trim().toLowerCase());
}

/**
 * drop: never becomes a call. execute: strict JSON, an object, in `input` (`decoded`: it was wrapped in a JSON string).
 * invalid_input: fully received, but no object or over a limit. refuse: cut off. repair: the ladder may be used.
 */
export type GateVerdict =
  | { readonly verdict: 'execute'; readonly input: JsonObject; readonly decoded?: true }
  | { readonly verdict: 'drop' | 'invalid_input' | 'refuse' | 'repair'; readonly input?: undefined };

/**
 * Judges the argument text of one call by how its turn and its block ended.
 *
 * In     `truncatedTurn`: the output limit cut the turn off; `streamError`: the stream broke; `blockClosed`: this call's block had ended.
 * Out    in a cut turn only what parses strictly is a call; an empty text is then no "no arguments".
 * Source governance 5, StrictOnly.
 */
export function gateArguments(
  text: string,
  options: { readonly truncatedTurn: boolean; readonly streamError: boolean; readonly blockClosed: boolean },
): GateVerdict {
  if (options.streamError && !options.blockClosed) return { verdict: 'drop' };
  if (!options.truncatedTurn && /^[ \t\n\r]*$/.test(text)) return { verdict: 'execute', input: {} };
  const strict = repairArguments(text, 'strict_only');
  if (strict.ok) return asObject(strict.value);
  if (options.truncatedTurn) return { verdict: 'refuse' };
  return { verdict: strict.error === 'strict_only' ? 'repair' : 'invalid_input' };
}

function asObject(value: Json): GateVerdict {
  if (isJsonObject(value)) return { verdict: 'execute', input: value };
  if (typeof value !== 'string') return { verdict: 'invalid_input' };
  const inner = repairArguments(value, 'strict_only');
  return inner.ok && isJsonObject(inner.value) ? { verdict: 'execute', input: inner.value, decoded: true } : { verdict: 'invalid_input' };
}

/** What fills the slot of a call that the output limit cut off; `stopReason` as the provider said it. */
export function truncationRefusal(toolName: string, stopReason = 'length'): SlotOutcome {
  return {
    status: 'refused',
    error: 'invalid-input',
    content: `${toolName} was not executed: its arguments were cut off by the output limit (stop_reason=${stopReason.trim()}). Nothing was changed. Please re-send the call, complete; make it shorter, or split it into several smaller calls.`,
    metadata: { truncated_tool_call: 'output_limit' },
    started: false,
  };
}
