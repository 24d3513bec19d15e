import { providers } from '@/lib/providers/registry.gen';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { isLegalId } from '@/lib/shared/legal-id';
import { type CancelReason, type HistoryBlock, type HistoryMessage, makeValidHistory, type ValidityRules, type ValidMessage } from '@/lib/shared/valid-history';
import { flag, objects, type Runner, refuseUnknown, strings, text } from './runner';

const wires: ReadonlySet<unknown> = new Set(providers.map((provider) => provider.id));

/** Kind `history`: making a history valid for a provider. */
export const runHistory: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['provider', 'messages', 'cancelReasons', 'rewind']);
  refuseUnknown('expected', expected, ['messages', 'invariants', 'resultTexts']);
  if (!wires.has(input.provider)) throw new Error(`there is no wire ${String(input.provider)}`);
  if (isJsonObject(input.rewind)) refuseUnknown('rewind', input.rewind, ['keep']);
  const keep = isJsonObject(input.rewind) ? input.rewind.keep : undefined;
  const messages = objects(input.messages).slice(0, typeof keep === 'number' ? keep : undefined);
  const rules: ValidityRules<string> = { splitAfterCalls: input.provider === 'anthropic', cancelReasons: reasonsOf(input.cancelReasons) };
  const valid = makeValidHistory(messages.map(readMessage), rules);
  const wanted = isJsonObject(expected) ? expected : {};
  const holds: Record<string, () => boolean> = {
    paired: () => resultsOf(valid).length === callsOf(valid).length && areInOrder(valid),
    order: () => areInOrder(valid),
    'ids-legal': () => callsOf(valid).every((call) => isLegalId(call.wireId)) && areInOrder(valid),
    'ids-unique': () => new Set(callsOf(valid).map((call) => call.wireId)).size === callsOf(valid).length,
    'names-legal': () => callsOf(valid).every((call) => isLegalId(call.name)),
    idempotent: () => {
      const written = valid.map(writeMessage);
      return canonicalJson(makeValidHistory(objects(written).map(readMessage), rules).map(writeMessage)) === canonicalJson(written);
    },
  };
  return {
    ...(wanted.messages !== undefined && { messages: valid.map(writeMessage) }),
    ...(wanted.invariants !== undefined && {
      invariants: strings(wanted.invariants).filter((name) => {
        const check = Object.hasOwn(holds, name) ? holds[name] : undefined;
        if (check === undefined) throw new Error(`no runner knows the invariant ${name}`);
        return check();
      }),
    }),
    ...(wanted.resultTexts !== undefined && { resultTexts: resultsOf(valid).map((result) => result.content) }),
  };
};

function readMessage(message: JsonObject): HistoryMessage<string> {
  refuseUnknown('message', message, ['role', message.role === 'user' ? 'text' : message.role === 'assistant' ? 'parts' : 'results']);
  if (message.role === 'user') return { role: 'user', text: text(message.text) };
  if (message.role === 'assistant') return { role: 'assistant', blocks: objects(message.parts).map(readPart) };
  if (message.role !== 'tool') throw new Error(`no message has the role ${String(message.role)}`);
  const results = objects(message.results).map((result) => {
    refuseUnknown('result', result, ['id', 'content', 'isError', 'preliminary']);
    return {
      callId: text(result.id),
      wireId: text(result.id),
      name: '',
      content: result.content ?? null,
      isError: flag(result.isError),
      preliminary: flag(result.preliminary),
    };
  });
  return { role: 'tool', results };
}

function readPart(part: JsonObject): HistoryBlock<string> {
  refuseUnknown('part', part, ['text', 'call']);
  const { call } = part;
  if (!isJsonObject(call)) return { kind: 'text', text: text(part.text) };
  refuseUnknown('call', call, ['id', 'name', 'args', 'rawArgs']);
  const named = { kind: 'call', callId: text(call.id), wireId: text(call.id), name: text(call.name) } as const;
  return isJsonObject(call.args) ? { ...named, input: call.args } : { ...named, argumentsText: typeof call.rawArgs === 'string' ? call.rawArgs : '' };
}

function reasonsOf(value: Json | undefined): ReadonlyMap<string, CancelReason> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(entries.map(([id, reason]) => [id, isJsonObject(reason) ? reasonOf(reason) : text(reason)]));
}

function reasonOf(given: JsonObject): CancelReason {
  refuseUnknown('reason', given, ['reason', 'started']);
  return { reason: text(given.reason), ...(typeof given.started === 'boolean' && { started: given.started }) };
}

function writeMessage(message: ValidMessage<string>): Json {
  if (message.role === 'user') return { role: 'user', text: message.text };
  if (message.role === 'tool')
    return {
      role: 'tool',
      results: message.results.map((result) => ({ id: result.wireId, content: result.content, ...(result.isError && { isError: true }) })),
    };
  return {
    role: 'assistant',
    parts: message.blocks.map(
      (block): Json => (block.kind === 'call' ? { call: { id: block.wireId, name: block.name, args: block.input } } : { text: block.text }),
    ),
  };
}

const callsOf = (messages: readonly ValidMessage<string>[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? message.blocks.filter((block) => block.kind === 'call') : []));
const resultsOf = (messages: readonly ValidMessage<string>[]) => messages.flatMap((message) => (message.role === 'tool' ? message.results : []));

function areInOrder(messages: readonly ValidMessage<string>[]): boolean {
  return messages.every((message, at) => {
    const calls = callsOf([message]).map((call) => call.wireId);
    const next = messages[at + 1];
    const results = next?.role === 'tool' ? next.results.map((result) => result.wireId) : [];
    const before = messages[at - 1];
    if (message.role === 'tool') return before?.role === 'assistant' && callsOf([before]).length > 0;
    return canonicalJson(calls) === canonicalJson(results);
  });
}
