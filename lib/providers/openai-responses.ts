import type { ModelEvent, ModelRequest, Usage } from '@/lib/contracts/model';
import type { Connection, Provider, ProviderDecoder, ProviderRequest } from '@/lib/contracts/provider';
import { errorSentence, sentenceOf } from '@/lib/shared/error-sentence';
import type { Json, JsonObject } from '@/lib/shared/json';
import { fieldOf, listField, numberField, objectField, parseJson, textField } from '@/lib/shared/read-json';
import { makeValidHistory, type ValidMessage } from '@/lib/shared/valid-history';

/** The Responses API of OpenAI and of servers that speak it, such as LM Studio. */
export const openaiResponses: Provider = {
  id: 'openai-responses',
  label: 'OpenAI Responses',
  defaultBaseUrl: 'https://api.openai.com/v1',
  schemaDialect: () => 'openai-strict',
  encode,
  createDecoder,
  errorMessage: errorSentence,
};

// Sealed thoughts go back to the wire that they came from, and to no other.
const sealedPrefix = 'openai-responses:';
// Other models refuse to be asked for sealed thoughts.
const thinkingModel = /^(o\d|gpt-[5-9](?!.*chat)|codex)/;

function encode(connection: Connection, request: ModelRequest): ProviderRequest {
  const baseUrl = connection.baseUrl.replace(/\/+$/, '').replace(/\/responses$/, '');
  const body = {
    model: request.model,
    ...(request.system !== '' && { instructions: request.system }),
    input: makeValidHistory(request.messages, { splitAfterCalls: false }).flatMap(encodeMessage),
    ...(request.tools.length > 0 && {
      // The wire takes a tool as strict unless it is told otherwise; then no field could be left out.
      tools: request.tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, parameters: inputSchema, strict: false })),
    }),
    max_output_tokens: request.maxOutputTokens,
    stream: true,
    store: false,
    ...(thinkingModel.test(request.model) && { include: ['reasoning.encrypted_content'] }),
  };
  return {
    url: `${baseUrl}/responses`,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(connection.apiKey !== '' && { authorization: `Bearer ${connection.apiKey}` }),
    },
    body: JSON.stringify(body),
  };
}

function encodeMessage(message: ValidMessage<string>): readonly Json[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'tool') return message.results.map((result): Json => ({ type: 'function_call_output', call_id: result.wireId, output: result.content }));
  const items: JsonObject[] = [];
  for (const block of message.blocks) {
    if (block.kind === 'call') items.push({ type: 'function_call', call_id: block.wireId, name: block.name, arguments: JSON.stringify(block.input) });
    else if (block.kind === 'text') items.push(...(block.text === '' ? [] : [{ role: 'assistant', content: block.text }]));
    else items.push(...encodeReasoning(block.text, block.signature));
  }
  // The wire refuses thoughts that nothing follows.
  while (items.at(-1)?.type === 'reasoning') items.pop();
  return items;
}

function encodeReasoning(text: string, signature: string | undefined): readonly JsonObject[] {
  if (!signature?.startsWith(sealedPrefix)) return [];
  const sealed = parseJson(signature.slice(sealedPrefix.length));
  const id = textField(sealed, 'id');
  const content = textField(sealed, 'encrypted_content');
  if (id === undefined || content === undefined) return [];
  return [{ type: 'reasoning', id, summary: text === '' ? [] : [{ type: 'summary_text', text }], encrypted_content: content }];
}

interface OpenCall {
  readonly key: string;
  readonly wireId: string;
  hasArguments: boolean;
}

function createDecoder(): ProviderDecoder {
  const calls = new Map<string, OpenCall>();
  let opened = 0;
  /** Parts whose text came; their closing events repeat it. */
  const told = new Set<string>();
  let textPart: string | undefined;
  let thoughtPart: string | undefined;
  let finished = false;

  /** Names of the items by their place in the output, and by their id where they had none at first. */
  const places = new Map<string, string>();
  const ended = new Set<string>();

  // Some servers give an item no id, or not in every event; its place in the output is as good.
  const itemOf = (data: Json): string => {
    const place = `at ${numberField(data, 'output_index') ?? 'the end'}`;
    const id = textField(data, 'item_id') || textField(fieldOf(data, 'item'), 'id');
    const known = places.get(place);
    if (id === undefined || id === '') {
      if (known === undefined) places.set(place, place);
      return known ?? place;
    }
    const name = places.get(`id ${id}`) ?? (known === place ? place : id);
    places.set(`id ${id}`, name);
    places.set(place, name);
    return name;
  };
  const partOf = (data: Json): string => `${itemOf(data)} ${numberField(data, 'content_index') ?? numberField(data, 'summary_index') ?? 0}`;

  const endText = (): ModelEvent[] => {
    if (textPart === undefined) return [];
    textPart = undefined;
    return [{ type: 'text-end' }];
  };

  const addText = (part: string, text: string | undefined): ModelEvent[] => {
    if (text === undefined || text === '') return [];
    told.add(part);
    const before: ModelEvent[] = textPart === part ? [] : [...endText(), { type: 'text-start' }];
    textPart = part;
    return [...before, { type: 'text-delta', text }];
  };

  const addThought = (part: string, text: string | undefined): ModelEvent[] => {
    if (text === undefined || text === '') return [];
    told.add(part);
    const isNext = thoughtPart !== undefined && thoughtPart !== part;
    thoughtPart = part;
    return [{ type: 'reasoning-delta', text: isNext ? `\n\n${text}` : text }];
  };

  /** What a closing event repeats counts only where nothing had come before it. */
  const untold = (part: string, text: string | undefined): string | undefined => (told.has(part) ? undefined : text);

  const startCall = (id: string, item: JsonObject, damaged: boolean): ModelEvent[] => {
    const key = `call-${opened++}`;
    const wireId = textField(item, 'call_id');
    calls.set(id, { key, wireId: wireId ?? '', hasArguments: false });
    const events: ModelEvent[] = [...endText(), { type: 'call-start', key, wireId: wireId ?? '', name: textField(item, 'name') ?? '' }];
    if (wireId === undefined || wireId === '') events.push({ type: 'warning', code: wireId === undefined ? 'id-missing' : 'id-empty', key });
    if (damaged && JSON.stringify(item).includes('\uFFFD')) events.push({ type: 'call-args', key, text: '', damaged });
    return events;
  };

  const addArguments = (call: OpenCall | undefined, given: Json | undefined, damaged: boolean): ModelEvent[] => {
    if (call === undefined || given === undefined || given === null || given === '') return [];
    call.hasArguments = true;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    return [{ type: 'call-args', key: call.key, text, ...(damaged && text.includes('\uFFFD') && { damaged }) }];
  };

  const wholeArguments = (call: OpenCall | undefined, given: Json | undefined, damaged: boolean): ModelEvent[] =>
    call?.hasArguments === true ? [] : addArguments(call, given, damaged);

  const endItem = (given: string, item: JsonObject, damaged: boolean): ModelEvent[] => {
    const type = textField(item, 'type');
    const wireId = textField(item, 'call_id') ?? '';
    // A call may end under another id than it began under, or be said to end twice: its own id tells.
    const id = calls.has(given) || wireId === '' ? given : ([...calls].find(([, call]) => call.wireId === wireId)?.[0] ?? given);
    if (type === 'function_call') {
      if (!calls.has(id) && ended.has(`${given} ${wireId}`)) return [];
      if (wireId !== '') ended.add(`${given} ${wireId}`);
      const started = calls.has(id) ? [] : startCall(id, item, damaged);
      const call = calls.get(id);
      calls.delete(id);
      return [
        ...started,
        ...wholeArguments(call, fieldOf(item, 'arguments'), damaged),
        ...(call === undefined ? [] : [{ type: 'call-end', key: call.key } as const]),
      ];
    }
    if (type === 'message') {
      const late = listField(item, 'content').flatMap((part, at) =>
        addText(`${id} ${at}`, untold(`${id} ${at}`, textField(part, 'text') ?? textField(part, 'refusal'))),
      );
      return [...late, ...endText()];
    }
    if (type !== 'reasoning') return [];
    const isTold = thoughtPart !== undefined;
    const late = isTold
      ? []
      : [...listField(item, 'summary'), ...listField(item, 'content')].flatMap((part, at) => addThought(`${id} ${at}`, textField(part, 'text')));
    thoughtPart = undefined;
    const content = textField(item, 'encrypted_content') ?? '';
    const sealed = content === '' ? undefined : sealedPrefix + JSON.stringify({ id: textField(item, 'id') ?? '', encrypted_content: content });
    return isTold || late.length > 0 || sealed !== undefined ? [...late, { type: 'reasoning-end', ...(sealed !== undefined && { signature: sealed }) }] : [];
  };

  const endOpen = (closedCleanly: boolean): ModelEvent[] => {
    const events = endText();
    if (thoughtPart !== undefined) events.push({ type: 'reasoning-end' });
    thoughtPart = undefined;
    if (closedCleanly) for (const { key } of calls.values()) events.push({ type: 'call-end', key });
    calls.clear();
    places.clear();
    ended.clear();
    return events;
  };

  const finish = (data: Json): ModelEvent[] => {
    finished = true;
    const response = objectField(data, 'response') ?? {};
    const why = textField(fieldOf(response, 'incomplete_details'), 'reason');
    const reason = why === 'max_output_tokens' ? 'length' : opened > 0 ? 'calls' : 'end';
    const raw = why ?? textField(response, 'status') ?? 'completed';
    return [...endOpen(true), ...usageOf(fieldOf(response, 'usage')), { type: 'stop', reason, raw }];
  };

  /** An event that cannot be read may have been a fragment: no open call may run without it. */
  const unreadable = (): ModelEvent[] => [
    { type: 'warning', code: 'event-unreadable' },
    ...[...calls.values()].map(({ key }): ModelEvent => ({ type: 'call-args', key, text: '', damaged: true })),
  ];

  return {
    push(event) {
      if (event.data.trim() === '') return [];
      const data = parseJson(event.data);
      const type = textField(data, 'type') ?? event.event;
      if (type === 'error' || type === 'response.failed') return [providerError(data ?? event.data)];
      if (data === undefined) return unreadable();
      const damaged = event.damaged === true;
      const item = objectField(data, 'item') ?? {};
      switch (type) {
        case 'response.created':
          // Recordings exist in which a second response follows the first.
          finished = false;
          return endOpen(true);
        case 'response.output_item.added':
          return textField(item, 'type') === 'function_call' ? startCall(itemOf(data), item, damaged) : [];
        case 'response.output_item.done':
          return endItem(itemOf(data), item, damaged);
        case 'response.function_call_arguments.delta':
          return addArguments(calls.get(itemOf(data)), fieldOf(data, 'delta'), damaged);
        case 'response.function_call_arguments.done':
          return wholeArguments(calls.get(itemOf(data)), fieldOf(data, 'arguments'), damaged);
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return addText(partOf(data), textField(data, 'delta'));
        case 'response.output_text.done':
        case 'response.refusal.done':
          return addText(partOf(data), untold(partOf(data), textField(data, 'text') ?? textField(data, 'refusal')));
        case 'response.reasoning_text.delta':
        case 'response.reasoning_summary_text.delta':
          return addThought(partOf(data), textField(data, 'delta'));
        case 'response.completed':
        case 'response.incomplete':
          return finish(data);
        default:
          return [];
      }
    },
    end: (closedCleanly = true) => endOpen(closedCleanly),
    get finished() {
      return finished;
    },
  };
}

function usageOf(usage: Json | undefined): ModelEvent[] {
  const inputTokens = numberField(usage, 'input_tokens');
  const outputTokens = numberField(usage, 'output_tokens');
  const cachedInputTokens = numberField(fieldOf(usage, 'input_tokens_details'), 'cached_tokens');
  const counted: Usage = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  };
  return Object.keys(counted).length === 0 ? [] : [{ type: 'usage', usage: counted }];
}

/** `{type: 'error', code, message}`, or a failed response that holds `{error: {code, message}}`. */
function providerError(data: Json): ModelEvent {
  const inside = fieldOf(data, 'response') ?? data;
  const message = (typeof data === 'string' ? data : sentenceOf(inside)) ?? 'It gave no reason.';
  const error = objectField(inside, 'error') ?? inside;
  const code = textField(error, 'code') ?? textField(error, 'type') ?? '';
  return { type: 'provider-error', message, retryable: /rate_limit|server_error|overloaded/.test(code) };
}
