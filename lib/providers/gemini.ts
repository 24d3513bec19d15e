import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest, Usage } from '@/lib/contracts/model';
import type { Connection, Provider, ProviderDecoder, ProviderRequest } from '@/lib/contracts/provider';
import { errorSentence, sentenceOf } from '@/lib/shared/error-sentence';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fieldOf, listField, numberField, objectField, parseJson, textField } from '@/lib/shared/read-json';
import { makeValidHistory, type ValidBlock, type ValidMessage } from '@/lib/shared/valid-history';

/** The generateContent API of Gemini. */
export const gemini: Provider = {
  id: 'gemini',
  label: 'Gemini',
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  schemaDialect: () => 'gemini',
  encode,
  createDecoder,
  errorMessage: errorSentence,
};

// A thought's seal stands on the call or the text that it led to; it goes back there, and to no other wire.
const callSeal = 'gemini:call:';
const textSeal = 'gemini:text:';

function encode(connection: Connection, request: ModelRequest): ProviderRequest {
  const baseUrl = connection.baseUrl.replace(/\/+$/, '').replace(/\/models$/, '');
  const versioned = /\/v\d\w*$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1beta`;
  const body = {
    ...(request.system !== '' && { systemInstruction: { parts: [{ text: request.system }] } }),
    contents: encodeMessages(request.messages),
    ...(request.tools.length > 0 && {
      tools: [
        {
          functionDeclarations: request.tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            // An object without properties is refused; a declaration without parameters is not.
            ...(Object.keys(inputSchema.properties ?? {}).length > 0 && { parameters: inputSchema }),
          })),
        },
      ],
    }),
    generationConfig: { maxOutputTokens: request.maxOutputTokens },
  };
  return {
    url: `${versioned}/models/${encodeURIComponent(request.model.replace(/^models\//, ''))}:streamGenerateContent?alt=sse`,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(connection.apiKey !== '' && { 'x-goog-api-key': connection.apiKey }),
    },
    body: JSON.stringify(body),
  };
}

function encodeMessages(messages: readonly Message[]): readonly Json[] {
  return makeValidHistory(messages, { splitAfterCalls: false }).flatMap((message) => {
    const parts = encodeParts(message);
    return parts.length === 0 ? [] : [{ role: message.role === 'assistant' ? 'model' : 'user', parts }];
  });
}

function encodeParts(message: ValidMessage<string>): readonly Json[] {
  if (message.role === 'user') return [{ text: message.text.trim() === '' ? '(empty message)' : message.text }];
  if (message.role === 'assistant') return encodeBlocks(message.blocks);
  return message.results.map((result): Json => {
    const response: JsonObject = result.isError ? { error: result.content } : { output: result.content };
    return { functionResponse: { id: result.wireId, name: result.name, response } };
  });
}

function encodeBlocks(blocks: readonly ValidBlock<string>[]): readonly Json[] {
  const parts: Json[] = [];
  let seal: string | undefined;
  for (const block of blocks) {
    if (block.kind === 'text') parts.push(...(block.text === '' ? [] : [{ text: block.text }]));
    else if (block.kind === 'call') {
      const functionCall = { id: block.wireId, name: block.name, args: block.input };
      parts.push({ functionCall, ...(seal !== undefined && { thoughtSignature: seal }) });
      seal = undefined;
    } else if (block.signature?.startsWith(callSeal)) seal = block.signature.slice(callSeal.length);
    else if (block.signature?.startsWith(textSeal)) parts.push({ text: '', thoughtSignature: block.signature.slice(textSeal.length) });
  }
  return parts;
}

function createDecoder(): ProviderDecoder {
  let opened = 0;
  let textIsOpen = false;
  let thoughtIsOpen = false;
  let raw: string | undefined;
  let stop: string | undefined;

  const endText = (): ModelEvent[] => {
    if (!textIsOpen) return [];
    textIsOpen = false;
    return [{ type: 'text-end' }];
  };

  const endThought = (): ModelEvent[] => {
    if (!thoughtIsOpen) return [];
    thoughtIsOpen = false;
    return [{ type: 'reasoning-end' }];
  };

  const sealOf = (part: Json, prefix: string): ModelEvent[] => {
    const seal = textField(part, 'thoughtSignature') ?? '';
    return seal === '' ? [] : [...endText(), ...endThought(), { type: 'reasoning-end', signature: prefix + seal }];
  };

  /** A call comes whole, in one part. */
  const addCall = (part: Json, given: JsonObject, damaged: boolean): ModelEvent[] => {
    const key = `call-${opened++}`;
    const id = textField(given, 'id');
    const args = fieldOf(given, 'args');
    const events: ModelEvent[] = [
      ...endText(),
      ...endThought(),
      ...sealOf(part, callSeal),
      { type: 'call-start', key, wireId: id ?? '', name: textField(given, 'name') ?? '' },
    ];
    if (id === undefined || id === '') events.push({ type: 'warning', code: id === undefined ? 'id-missing' : 'id-empty', key });
    const text = args === undefined || args === null ? '' : JSON.stringify(args);
    const isDamaged = damaged && JSON.stringify(given).includes('\uFFFD');
    if (text !== '' || isDamaged) events.push({ type: 'call-args', key, text, ...(isDamaged && { damaged: true }) });
    return [...events, { type: 'call-end', key }];
  };

  const addText = (text: string): ModelEvent[] => {
    const before = endThought();
    if (!textIsOpen) before.push({ type: 'text-start' });
    textIsOpen = true;
    return [...before, { type: 'text-delta', text }];
  };

  const addThought = (text: string): ModelEvent[] => {
    const before = endText();
    thoughtIsOpen = true;
    return [...before, { type: 'reasoning-delta', text }];
  };

  const addPart = (part: Json, damaged: boolean): ModelEvent[] => {
    const call = objectField(part, 'functionCall');
    const text = textField(part, 'text');
    const isThought = fieldOf(part, 'thought') === true;
    const said = text === undefined || text === '' ? [] : isThought ? addThought(text) : addText(text);
    if (call !== undefined) return [...said, ...addCall(part, call, damaged)];
    return text === undefined || isThought ? said : [...said, ...sealOf(part, textSeal)];
  };

  const stopNow = (): ModelEvent[] => {
    if (raw === undefined) return [];
    const reason = raw === 'MAX_TOKENS' ? 'length' : opened > 0 ? 'calls' : 'end';
    // Some versions give the reason with every event, and a call may follow the first.
    if (stop === reason + raw) return [];
    stop = reason + raw;
    return [{ type: 'stop', reason, raw }];
  };

  return {
    push(event) {
      if (event.data.trim() === '') return [];
      const data = parseJson(event.data);
      if (event.event === 'error' || fieldOf(data, 'error')) return [providerError(data ?? event.data)];
      if (data === undefined) return [{ type: 'warning', code: 'event-unreadable' }];
      const candidate = listField(data, 'candidates').find((each) => (numberField(each, 'index') ?? 0) === 0);
      const parts = listField(fieldOf(candidate, 'content'), 'parts').filter(isJsonObject);
      const events = parts.flatMap((part) => addPart(part, event.damaged === true));
      const blocked = textField(fieldOf(data, 'promptFeedback'), 'blockReason');
      if (candidate === undefined && blocked !== undefined)
        return [{ type: 'provider-error', message: `It blocked the prompt (${blocked}).`, retryable: false }];
      raw = textField(candidate, 'finishReason') ?? raw;
      return [...events, ...usageOf(fieldOf(data, 'usageMetadata')), ...stopNow()];
    },
    end: () => [...endText(), ...endThought()],
    // No end mark: the connection closes after the last event.
    finished: false,
  };
}

function usageOf(usage: Json | undefined): ModelEvent[] {
  const inputTokens = numberField(usage, 'promptTokenCount');
  const said = numberField(usage, 'candidatesTokenCount');
  const thought = numberField(usage, 'thoughtsTokenCount');
  const cachedInputTokens = numberField(usage, 'cachedContentTokenCount');
  const counted: Usage = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...((said !== undefined || thought !== undefined) && { outputTokens: (said ?? 0) + (thought ?? 0) }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  };
  return Object.keys(counted).length === 0 ? [] : [{ type: 'usage', usage: counted }];
}

function providerError(data: Json): ModelEvent {
  const message = (typeof data === 'string' ? data : sentenceOf(data)) ?? 'It gave no reason.';
  const code = numberField(objectField(data, 'error') ?? data, 'code') ?? 0;
  return { type: 'provider-error', message, retryable: code === 429 || code >= 500 };
}
