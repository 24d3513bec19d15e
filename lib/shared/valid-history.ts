import { isJsonObject, type Json, type JsonObject } from './json';
import { isLegalId, legalId, uniqueId } from './legal-id';

/** The neutral history by its shape alone, so that providers and engine share one rule. `Message` of the contracts fits. */
export type HistoryMessage<Id extends string> =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly blocks: readonly HistoryBlock<Id>[] }
  | { readonly role: 'tool'; readonly results: readonly HistoryResult<Id>[] };

export type HistoryBlock<Id extends string> =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly signature?: string }
  | HistoryCall<Id>;

export interface HistoryCall<Id extends string> {
  readonly kind: 'call';
  readonly callId: Id;
  readonly wireId: string;
  readonly name: string;
  readonly input?: JsonObject;
  /** Where `input` is missing: the text as received; what is no JSON object counts as `{}`. */
  readonly argumentsText?: string;
}

export interface HistoryResult<Id extends string> {
  readonly callId: Id;
  readonly wireId: string;
  readonly name: string;
  readonly content: Json;
  readonly isError: boolean;
  /** Not the final result; never sent. */
  readonly preliminary?: boolean;
}

export type ValidCall<Id extends string> = Omit<HistoryCall<Id>, 'input' | 'argumentsText'> & { readonly input: JsonObject };
export type ValidBlock<Id extends string> = Exclude<HistoryBlock<Id>, HistoryCall<Id>> | ValidCall<Id>;
export type ValidResult<Id extends string> = Omit<HistoryResult<Id>, 'content' | 'preliminary'> & { readonly content: string };
export type ValidMessage<Id extends string> =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly blocks: readonly ValidBlock<Id>[] }
  | { readonly role: 'tool'; readonly results: readonly ValidResult<Id>[] };

/** Why a call has no result; `started` where it is known whether its body had been started. */
export type CancelReason = string | { readonly reason: string; readonly started?: boolean };

export interface ValidityRules<Id extends string> {
  /** Anthropic: what follows a call inside one assistant message begins a new message, after the results of the calls before it. */
  readonly splitAfterCalls: boolean;
  readonly cancelReasons?: ReadonlyMap<Id, CancelReason>;
}

/**
 * Makes a history that a provider takes.
 *
 * Out    every assistant message with calls is followed at once by one tool message with one result a call, in call order;
 *        a result without a call becomes user text, neighbouring user texts are joined, ids and names are legal, ids unique.
 * Order  a valid history comes back equal; the same history gives the same ids.
 * Source governance 12; the cases of kind `history`.
 */
export function makeValidHistory<Id extends string>(messages: readonly HistoryMessage<Id>[], rules: ValidityRules<Id>): readonly ValidMessage<Id>[] {
  const resultFor = findResults(messages);
  const wireIds = legalWireIds(messages);
  const called = new Set<Id>();
  const legalName = eachOnce((name) => legalId(name, 'unnamed'));
  const valid: ValidMessage<Id>[] = [];
  for (const message of messages) {
    if (message.role === 'user') pushUser(valid, message.text);
    else if (message.role === 'tool') {
      for (const result of message.results) if (!called.has(result.callId)) pushUser(valid, `[earlier tool output] ${contentText(result.content)}`);
    } else {
      for (const part of splitBlocks(message.blocks, rules.splitAfterCalls)) {
        const calls = part.filter((block) => block.kind === 'call');
        const asked = (call: HistoryCall<Id>): ValidCall<Id> => {
          const { callId } = call;
          return { kind: 'call', callId, wireId: wireIds.get(call) ?? call.wireId, name: legalName(call.name), input: inputOf(call) };
        };
        const answered = (call: HistoryCall<Id>): ValidResult<Id> => {
          const { callId } = call;
          const { content, isError } = outcomeOf(resultFor.get(call), rules.cancelReasons?.get(callId));
          return { callId, wireId: wireIds.get(call) ?? call.wireId, name: legalName(call.name), content, isError };
        };
        valid.push({ role: 'assistant', blocks: part.map((block) => (block.kind === 'call' ? asked(block) : block)) });
        for (const call of calls) called.add(call.callId);
        if (calls.length > 0) valid.push({ role: 'tool', results: calls.map(answered) });
      }
    }
  }
  return valid;
}

/** A history has many calls and few names. */
function eachOnce(make: (name: string) => string): (name: string) => string {
  const made = new Map<string, string>();
  return (name) => {
    let known = made.get(name);
    if (known === undefined) {
      known = make(name);
      made.set(name, known);
    }
    return known;
  };
}

/** For each call its first final result after it and before the next call of the same id. */
function findResults<Id extends string>(messages: readonly HistoryMessage<Id>[]): ReadonlyMap<HistoryCall<Id>, HistoryResult<Id>> {
  const found = new Map<HistoryCall<Id>, HistoryResult<Id>>();
  const latest = new Map<Id, HistoryCall<Id>>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const block of message.blocks) if (block.kind === 'call') latest.set(block.callId, block);
    if (message.role !== 'tool') continue;
    for (const result of message.results) {
      const call = latest.get(result.callId);
      if (call !== undefined && result.preliminary !== true && !found.has(call)) found.set(call, result);
    }
  }
  return found;
}

/** The ids of calls that cannot go out as they came; most often there are none. */
function legalWireIds<Id extends string>(messages: readonly HistoryMessage<Id>[]): ReadonlyMap<HistoryCall<Id>, string> {
  const calls: HistoryCall<Id>[] = [];
  for (const message of messages) if (message.role === 'assistant') for (const block of message.blocks) if (block.kind === 'call') calls.push(block);
  if (areLegalAndUnique(calls)) return new Map();
  // Ids that are legal as they came are reserved first: a changed one must never take the place of one that may stay.
  const kept = new Set(calls.map((call) => call.wireId).filter(isLegalId));
  const taken = new Set(kept);
  const seen = new Set<string>();
  const ids = new Map<HistoryCall<Id>, string>();
  for (const call of calls) {
    const mayStay = kept.has(call.wireId) && !seen.has(call.wireId);
    seen.add(call.wireId);
    ids.set(call, mayStay ? call.wireId : uniqueId(legalId(call.wireId, 'call'), taken));
  }
  return ids;
}

function areLegalAndUnique<Id extends string>(calls: readonly HistoryCall<Id>[]): boolean {
  const seen = new Set<string>();
  for (const { wireId } of calls) {
    if (!isLegalId(wireId)) return false;
    seen.add(wireId);
  }
  return seen.size === calls.length;
}

function splitBlocks<Id extends string>(blocks: readonly HistoryBlock<Id>[], splitAfterCalls: boolean): readonly (readonly HistoryBlock<Id>[])[] {
  const parts: HistoryBlock<Id>[][] = [];
  for (const block of blocks) {
    const part = parts.at(-1);
    const begins = part === undefined || (splitAfterCalls && block.kind !== 'call' && part.at(-1)?.kind === 'call');
    if (begins) parts.push([block]);
    else part.push(block);
  }
  return parts;
}

function inputOf<Id extends string>(call: HistoryCall<Id>): JsonObject {
  if (call.input !== undefined) return call.input;
  try {
    const value: unknown = JSON.parse(call.argumentsText ?? '');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function outcomeOf<Id extends string>(
  result: HistoryResult<Id> | undefined,
  reason: CancelReason | undefined,
): { readonly content: string; readonly isError: boolean } {
  if (result !== undefined) return { content: contentText(result.content), isError: result.isError };
  const { reason: words, started } = typeof reason === 'object' ? reason : { reason: reason ?? 'no result was recorded', started: undefined };
  const effect = started === undefined ? '' : started ? ': it had been started, its effect is unknown, check before repeating' : ': it was not started';
  return { content: `Cancelled (${words})${effect}`, isError: true };
}

function contentText(content: Json): string {
  if (content === '') return '(no output)';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function pushUser<Id extends string>(valid: ValidMessage<Id>[], text: string): void {
  const last = valid.at(-1);
  if (last?.role === 'user') valid[valid.length - 1] = { role: 'user', text: `${last.text}\n${text}` };
  else valid.push({ role: 'user', text });
}
