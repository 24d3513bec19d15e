import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest, StopReason, Usage } from '@/lib/contracts/model';
import type { Connection, Provider, ProviderDecoder, ProviderRequest } from '@/lib/contracts/provider';
import { errorSentence, sentenceOf } from '@/lib/shared/error-sentence';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fieldOf, listField, numberField, objectField, parseJson, textField } from '@/lib/shared/read-json';
import { createRootValueScan, type RootValueScan } from '@/lib/shared/root-value';
import { makeValidHistory, type ValidBlock, type ValidMessage } from '@/lib/shared/valid-history';

/** Chat Completions of OpenAI and its relatives: DeepSeek, OpenRouter, Ollama, LM Studio, llama.cpp, vLLM. */
export const openaiChat: Provider = {
  id: 'openai-chat',
  label: 'OpenAI Chat Completions',
  defaultBaseUrl: 'https://api.openai.com/v1',
  schemaDialect: (baseUrl) => (/^https?:\/\/([^/]+\.)?deepseek\.com(:\d+)?(\/|$)/.test(baseUrl) ? 'deepseek' : 'openai-strict'),
  encode,
  createDecoder,
  errorMessage: errorSentence,
};

// Reasoning goes back only under the field it came in, to servers that know that field.
const reasoningFields = ['reasoning_content', 'reasoning'] as const;
const signaturePrefix = 'openai-chat:';

function encode(connection: Connection, request: ModelRequest): ProviderRequest {
  const baseUrl = connection.baseUrl.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  // OpenAI's newer models refuse `max_tokens`; most relatives know only that.
  const limit = /^https?:\/\/([^/]+\.)?openai\.(com|azure\.com)(:\d+)?(\/|$)/.test(baseUrl) ? 'max_completion_tokens' : 'max_tokens';
  const body = {
    model: request.model,
    [limit]: request.maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    messages: [...(request.system === '' ? [] : [{ role: 'system', content: request.system }]), ...encodeMessages(request.messages)],
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: inputSchema } })),
    }),
  };
  return {
    url: `${baseUrl}/chat/completions`,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(connection.apiKey !== '' && { authorization: `Bearer ${connection.apiKey}` }),
    },
    body: JSON.stringify(body),
  };
}

function encodeMessages(messages: readonly Message[]): readonly Json[] {
  const valid = makeValidHistory(messages, { splitAfterCalls: false });
  const lastUser = valid.findLastIndex((message) => message.role === 'user');
  return valid.flatMap((message, at) => encodeMessage(message, at > lastUser));
}

function encodeMessage(message: ValidMessage<string>, isThisTurn: boolean): readonly Json[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'tool') return message.results.map((result): Json => ({ role: 'tool', tool_call_id: result.wireId, content: result.content }));
  const text = message.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('');
  const calls = message.blocks.flatMap((block) => encodeCall(block) ?? []);
  if (text === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(isThisTurn && calls.length > 0 && encodeReasoning(message.blocks)),
    },
  ];
}

function encodeCall(block: ValidBlock<string>): Json | undefined {
  if (block.kind !== 'call') return undefined;
  return { id: block.wireId, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } };
}

/** Models that think between calls want their thoughts of this turn back; older thoughts are not sent. */
function encodeReasoning(blocks: readonly ValidBlock<string>[]): JsonObject {
  for (const field of reasoningFields) {
    const texts = blocks.map((block) => (block.kind === 'reasoning' && block.signature === signaturePrefix + field ? block.text : '')).join('');
    if (texts !== '') return { [field]: texts };
  }
  return {};
}

interface OpenCall {
  readonly key: string;
  wireId: string;
  name: string;
  /** Its first delta had no id, or null. */
  readonly cameWithoutId: boolean;
  scan: RootValueScan;
  /** Its text so far; joined only when it has to be asked whether it is JSON. */
  fragments: string[];
  /** Known once the root value has ended: text that is no JSON then can never become JSON. */
  isJson?: boolean;
  ended: boolean;
}

/** Follows the tool-call deltas of one response; the rules are those of the cases `tool-call-stream`. */
function createCallTracker(registered: ReadonlySet<string>) {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  let latest: OpenCall | undefined;
  let sawIndex = false;

  const isCompleteJson = (call: OpenCall): boolean => {
    // A bare number or word is short, or it is hostile.
    if (call.scan.state === 'scalar') return call.fragments.length < 8 && parseJson(call.fragments.join('')) !== undefined;
    if (call.scan.state !== 'complete') return false;
    call.isJson ??= parseJson(call.fragments.join('')) !== undefined;
    return call.isJson;
  };

  const opensNewCall = (call: OpenCall, id: string, name: string): boolean => {
    if (id !== '' && call.wireId !== '' && id !== call.wireId && !isGlued(id, call.wireId)) return true;
    return name !== '' && name !== call.name && registered.has(call.name) && isCompleteJson(call);
  };

  const addName = (call: OpenCall, name: string, events: ModelEvent[]): void => {
    if (name === '') return;
    if (name === call.name) {
      events.push({ type: 'warning', code: 'name-repeated', key: call.key });
    } else if (call.name === '' || !registered.has(call.name)) {
      call.name += name;
      events.push({ type: 'call-name', key: call.key, name: call.name });
    }
  };

  const addId = (call: OpenCall, id: string, events: ModelEvent[]): void => {
    if (id === '') return;
    if (call.wireId === '') {
      call.wireId = id;
      events.push({ type: 'call-name', key: call.key, wireId: id });
    } else {
      events.push({ type: 'warning', code: id === call.wireId ? 'id-repeated' : 'id-glued', key: call.key });
    }
  };

  const addArguments = (call: OpenCall, given: Json | undefined, damaged: boolean, events: ModelEvent[]): void => {
    if (given === undefined || given === null || given === '') return;
    const isText = typeof given === 'string';
    const text = isText ? given : JSON.stringify(given);
    const replacesStray = isText && text.startsWith('{') && call.scan.isEmptyObject && call.fragments.join('') === '{}';
    if (!isText) events.push({ type: 'warning', code: 'arguments-object', key: call.key });
    if (replacesStray) events.push({ type: 'warning', code: 'leading-empty-object', key: call.key });
    if (replacesStray || (!isText && call.fragments.length > 0)) {
      call.scan = createRootValueScan();
      call.fragments = [];
      call.isJson = undefined;
      events.push({ type: 'call-args-reset', key: call.key });
    }
    call.scan.push(text);
    call.fragments.push(text);
    events.push({ type: 'call-args', key: call.key, text, ...(damaged && text.includes('\uFFFD') && { damaged }) });
  };

  return {
    push(delta: Json, damaged: boolean): ModelEvent[] {
      const events: ModelEvent[] = [];
      const index = numberField(delta, 'index');
      const given = fieldOf(delta, 'id');
      const id = typeof given === 'string' ? given : '';
      const name = textField(fieldOf(delta, 'function'), 'name') ?? '';
      if (index === undefined) events.push({ type: 'warning', code: 'index-missing' });
      else if (!sawIndex && index !== 0) events.push({ type: 'warning', code: 'index-not-from-zero' });
      sawIndex ||= index !== undefined;

      let call = index === undefined ? latest : byIndex.get(index);
      if (call === undefined || opensNewCall(call, id, name)) {
        if (call !== undefined && index !== undefined) events.push({ type: 'warning', code: 'index-reused' });
        call = {
          key: `call-${calls.length}`,
          wireId: id,
          name,
          cameWithoutId: typeof given !== 'string',
          scan: createRootValueScan(),
          fragments: [],
          ended: false,
        };
        calls.push(call);
        events.push({ type: 'call-start', key: call.key, wireId: id, name });
        if (given === '') events.push({ type: 'warning', code: 'id-empty', key: call.key });
      } else {
        addId(call, id, events);
        addName(call, name, events);
      }
      latest = call;
      if (index !== undefined) byIndex.set(index, call);
      if (damaged && (id + name).includes('\uFFFD')) events.push({ type: 'call-args', key: call.key, text: '', damaged });
      addArguments(call, fieldOf(fieldOf(delta, 'function'), 'arguments'), damaged, events);
      return events;
    },
    /** An event that cannot be read may have been a fragment: no open call may run without it. */
    damageOpen: (): ModelEvent[] => calls.filter((call) => !call.ended).map(({ key }) => ({ type: 'call-args', key, text: '', damaged: true })),
    endOpen(): ModelEvent[] {
      const open = calls.filter((call) => !call.ended);
      for (const call of open) call.ended = true;
      return open.map(({ key }) => ({ type: 'call-end', key }));
    },
    missingIds: (): ModelEvent[] =>
      calls.filter((call) => call.cameWithoutId && call.wireId === '').map(({ key }) => ({ type: 'warning', code: 'id-missing', key })),
    get any() {
      return calls.length > 0;
    },
  };
}

function isGlued(id: string, known: string): boolean {
  return id.length > known.length && id.length % known.length === 0 && known.repeat(id.length / known.length) === id;
}

function createDecoder(registered: ReadonlySet<string>): ProviderDecoder {
  const calls = createCallTracker(registered);
  let textIsOpen = false;
  let reasoningField: string | undefined;
  let refused = false;
  let stop: StopReason | undefined;
  let ended = false;

  const endReasoning = (): ModelEvent[] => {
    if (reasoningField === undefined) return [];
    const signature = signaturePrefix + reasoningField;
    reasoningField = undefined;
    return [{ type: 'reasoning-end', signature }];
  };

  const addReasoning = (text: string, field: string): ModelEvent[] => {
    if (text === '') return [];
    const before = reasoningField !== field ? endReasoning() : [];
    reasoningField = field;
    return [...before, { type: 'reasoning-delta', text }];
  };

  const addText = (text: string): ModelEvent[] => {
    if (text === '') return [];
    const before = endReasoning();
    // The wire has one text a message: calls and thoughts between its deltas do not end it.
    if (!textIsOpen) before.push({ type: 'text-start' });
    textIsOpen = true;
    return [...before, { type: 'text-delta', text }];
  };

  const endText = (): ModelEvent[] => {
    if (!textIsOpen) return [];
    textIsOpen = false;
    return [{ type: 'text-end' }];
  };

  const addContent = (content: Json | undefined): ModelEvent[] => {
    if (typeof content === 'string') return addText(content);
    if (!Array.isArray(content)) return [];
    return (content as readonly Json[]).flatMap((part) => {
      if (textField(part, 'type') !== 'thinking') return addText(textField(part, 'text') ?? '');
      const thoughts =
        textField(part, 'thinking') ??
        listField(part, 'thinking')
          .map((thought) => textField(thought, 'text') ?? '')
          .join('');
      return addReasoning(thoughts, 'content');
    });
  };

  const addDelta = (delta: Json | undefined, damaged: boolean): ModelEvent[] => {
    const field = reasoningFields.find((name) => (textField(delta, name) ?? '') !== '');
    const events = field === undefined ? [] : addReasoning(textField(delta, field) ?? '', field);
    events.push(...addContent(fieldOf(delta, 'content')));
    const refusal = textField(delta, 'refusal') ?? '';
    if (refusal !== '') refused = true;
    events.push(...addText(refusal));
    const deltas = listField(delta, 'tool_calls');
    if (deltas.length > 0) events.push(...endReasoning());
    for (const call of deltas) if (isJsonObject(call)) events.push(...calls.push(call, damaged));
    return events;
  };

  const finish = (raw: string): ModelEvent[] => {
    const said = stops.get(raw) ?? 'end';
    // Some servers say "stop" although they call.
    const reason = said !== 'end' ? said : refused ? 'refusal' : calls.any ? 'calls' : 'end';
    const events = [...endReasoning(), ...endText(), ...calls.endOpen()];
    if (stop !== reason) events.push({ type: 'stop', reason, raw });
    stop = reason;
    return events;
  };

  return {
    push(event) {
      if (ended || event.data.trim() === '') return [];
      const data = parseJson(event.data);
      const damaged = event.damaged === true;
      if (event.event === 'error' || fieldOf(data, 'error') || textField(data, 'object') === 'error') return [providerError(data ?? event.data)];
      if (data === undefined) return [{ type: 'warning', code: 'event-unreadable' }, ...calls.damageOpen()];
      const choice = listField(data, 'choices').find((each) => (numberField(each, 'index') ?? 0) === 0);
      const events = addDelta(objectField(choice, 'delta') ?? objectField(choice, 'message'), damaged);
      const raw = textField(choice, 'finish_reason') ?? '';
      if (raw !== '') events.push(...finish(raw));
      events.push(...usageOf(fieldOf(data, 'usage')));
      return events;
    },
    end(closedCleanly = true) {
      if (ended) return [];
      ended = true;
      return [...endReasoning(), ...endText(), ...calls.missingIds(), ...(closedCleanly ? calls.endOpen() : [])];
    },
    // The usage follows the finish reason, and `[DONE]` follows the usage: only the end mark ends this wire.
    finished: false,
  };
}

const stops: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ['stop', 'end'],
  ['tool_calls', 'calls'],
  ['function_call', 'calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'refusal'],
]);

function usageOf(usage: Json | undefined): ModelEvent[] {
  const inputTokens = numberField(usage, 'prompt_tokens');
  const outputTokens = numberField(usage, 'completion_tokens');
  const cachedInputTokens = numberField(fieldOf(usage, 'prompt_tokens_details'), 'cached_tokens') ?? numberField(usage, 'prompt_cache_hit_tokens');
  const counted: Usage = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  };
  return Object.keys(counted).length === 0 ? [] : [{ type: 'usage', usage: counted }];
}

function providerError(data: Json): ModelEvent {
  const message = (typeof data === 'string' ? data : sentenceOf(data)) ?? 'It gave no reason.';
  const error = objectField(data, 'error') ?? data;
  const code = numberField(error, 'code') ?? numberField(error, 'status') ?? Number(textField(error, 'code') ?? Number.NaN);
  const type = textField(error, 'type') ?? '';
  return { type: 'provider-error', message, retryable: code === 429 || code >= 500 || /overloaded|rate_limit|server_error/.test(type) };
}
