import type { ToolDispatcher, ToolLesson, ToolMetadata } from '@/lib/contracts/dispatcher';
import type { SlotOutcome, ToolErrorKind } from '@/lib/contracts/outcome';
import type { Repair, Stopped, ToolCall } from '@/lib/contracts/plan';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { coerce } from './coerce';
import { repairArguments } from './repair-arguments';
import { gateArguments, isTruncatedStop, truncationRefusal } from './truncation-gate';

/** A call whose name and arguments are settled: either ready to be decided, or stopped with the lesson in its outcome. */
export interface PreparedCall {
  readonly call: ToolCall;
  readonly tool: string;
  readonly metadata: ToolMetadata | undefined;
  readonly input: JsonObject;
  readonly repairs: readonly Repair[];
  readonly stopped?: Stopped;
}

const rungNotes: Readonly<Record<string, string>> = {
  control_chars: 'control characters inside its strings were escaped or dropped',
  trailing_commas: 'commas before a closing bracket were removed',
  close_brackets: 'missing closing brackets were added',
  strip_closers: 'surplus closing brackets were removed',
  fallback: 'its arguments could not be read and were replaced by {}',
};

/**
 * Settles name and arguments of one call: truncation gate, name ladder, argument ladder, coercion, validation.
 *
 * In     `rawStop`: the provider's word for why the step ended, null while it streams; after a cut only strict JSON counts.
 * Out    the prepared call; `stopped` holds what fills its slot when it may not go on.
 * Fails  never. Pure: the early start and the plan ask the same function.
 */
export function prepareCall(call: ToolCall, rawStop: string | null, dispatcher: ToolDispatcher): PreparedCall {
  const truncatedTurn = isTruncatedStop(rawStop);
  const stop = (tool: string, stage: Stopped['stage'], error: ToolErrorKind, content: string, rest: Partial<PreparedCall> = {}): PreparedCall => ({
    call,
    tool,
    metadata: dispatcher.metadata(tool),
    input: {},
    repairs: [],
    ...rest,
    stopped: { stage, error, outcome: { status: 'refused', error, content, started: false } },
  });

  if (call.damaged)
    return stop(
      call.name,
      'damaged',
      'invalid-input',
      `${call.name} was not executed: its arguments arrived damaged (bytes that are not UTF-8). Nothing was changed. Send the same call again.`,
    );
  const gate = gateArguments(call.argumentsText, { truncatedTurn, streamError: false, blockClosed: true });
  if (gate.verdict === 'refuse') {
    const outcome = truncationRefusal(call.name, rawStop ?? undefined);
    return { call, tool: call.name, metadata: undefined, input: {}, repairs: [], stopped: { stage: 'truncation-gate', outcome } };
  }

  const named = dispatcher.resolve(call.name);
  if (named.resolved === null) return stop(call.name, 'name', 'not-available', unknownName(call.name, named.suggestions, dispatcher));
  const tool = named.resolved;
  const metadata = dispatcher.metadata(tool);
  const repairs: Repair[] = named.rung === 'exact' ? [] : [{ kind: 'name', rung: named.rung, note: `the name ${call.name} was read as ${tool}` }];

  let value: Json;
  if (gate.verdict === 'execute') {
    value = gate.input;
    if (gate.decoded) repairs.push({ kind: 'coercion', rung: 'decode', note: 'its arguments were JSON text inside a string and were decoded once' });
  } else {
    const read = repairArguments(call.argumentsText, truncatedTurn ? 'strict_only' : 'repair');
    if (!read.ok) return stop(tool, 'arguments', 'invalid-input', sizeRefusal(tool, read.error), { repairs });
    if (read.rung !== 'strict') repairs.push({ kind: 'argument', rung: read.rung, note: rungNotes[read.rung] ?? read.rung });
    value = read.value;
  }

  const schema = dispatcher.inputSchema(tool) ?? {};
  const coerced = coerce(value, schema);
  repairs.push(...coerced.repairs);
  const valid = dispatcher.validateInput(tool, coerced.value);
  // A read that is right already costs no turn.
  if (!dispatcher.isLoaded(tool) && !(valid.ok && metadata?.readOnly === true))
    return {
      call,
      tool,
      metadata,
      input: isJsonObject(coerced.value) ? coerced.value : {},
      repairs,
      stopped: { stage: 'deferred', outcome: deferredLesson(tool, dispatcher.lesson(tool, coerced.value)) },
    };
  if (!valid.ok) return stop(tool, 'validation', valid.error.kind, valid.error.message, { repairs, input: isJsonObject(coerced.value) ? coerced.value : {} });
  if (metadata !== undefined && !metadata.readOnly && repairs.some((repair) => repair.rung === 'fallback'))
    return stop(
      tool,
      'arguments',
      'invalid-input',
      `${tool} was not executed: its arguments are not readable JSON, and a call that can change something is never guessed. Send it again with one valid JSON object.`,
      { repairs },
    );
  return { call, tool, metadata, input: valid.input, repairs };
}

/** Fills the slot of a deferred tool that was called by name: it is activated now, and its fields are taught. */
function deferredLesson(tool: string, lesson: ToolLesson): SlotOutcome {
  const { expected, received, missing, unexpected, corrections } = lesson;
  const fields = Object.entries(expected).map(([name, type]) => `${name} (${type})`);
  const likely = Object.entries(corrections).map(([sent, meant]) => `${sent} → ${meant}`);
  const lines = [
    `${tool} was not executed: it had not been loaded, so its fields were not known. It is loaded now.`,
    `expected: ${fields.join(', ') || 'no fields'}`,
    `received: ${received.join(', ') || 'no fields'}`,
    `missing: ${missing.join(', ') || 'none'}`,
    `unexpected: ${unexpected.join(', ') || 'none'}`,
    ...(likely.length > 0 ? [`likely corrections: ${likely.join(', ')}`] : []),
    'retry_required: true',
    'Send the call again with these fields.',
  ];
  return {
    status: 'refused',
    error: 'not-available',
    content: lines.join('\n'),
    started: false,
    metadata: { retry_required: true, activated: tool, expected, received, missing, unexpected, corrections },
  };
}

function unknownName(requested: string, suggestions: readonly string[], dispatcher: ToolDispatcher): string {
  const meant = suggestions.length > 0 ? ` Did you mean: ${suggestions.join(', ')}?` : '';
  return `There is no tool named ${JSON.stringify(requested)}; nothing was executed.${meant} The tools are: ${dispatcher.names().join(', ')}. Send the call again with one of these names.`;
}

function sizeRefusal(tool: string, error: 'too_large' | 'too_deep' | 'strict_only'): string {
  if (error === 'too_large') return `${tool} was not executed: its arguments are larger than 1 MiB. Send less in one call, or split it.`;
  if (error === 'too_deep') return `${tool} was not executed: its arguments are nested deeper than 256 levels. Send a flatter input.`;
  return `${tool} was not executed: its arguments are not complete JSON. Send the call again, complete.`;
}
