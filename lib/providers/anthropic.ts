import type { Message } from '@/lib/contracts/message';
import type { ModelEvent, ModelRequest, StopReason, Usage } from '@/lib/contracts/model';
import type { Connection, Provider, ProviderDecoder, ProviderRequest } from '@/lib/contracts/provider';
import { errorSentence, sentenceOf } from '@/lib/shared/error-sentence';
import type { Json, JsonObject } from '@/lib/shared/json';
import { fieldOf, numberField, objectField, parseJson, textField } from '@/lib/shared/read-json';
import { makeValidHistory, type ValidBlock, type ValidMessage } from '@/lib/shared/valid-history';
import { readUsualEvent } from './anthropic/usual-event';

// Signatures carry the wire's name, so that reasoning is only ever sent back to the wire that it came from.
const signaturePrefix = 'anthropic:signature:';
const redactedPrefix = 'anthropic:redacted:';

/** The Messages API of Anthropic and of servers that speak it. */
export const anthropic: Provider = {
  id: 'anthropic',
  label: 'Anthropic',
  defaultBaseUrl: 'https://api.anthropic.com',
  schemaDialect: () => 'anthropic',
  encode,
  createDecoder,
  errorMessage: errorSentence,
};

function encode(connection: Connection, request: ModelRequest): ProviderRequest {
  const body = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(request.system !== '' && { system: request.system }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    }),
    messages: encodeMessages(request.messages),
  };
  return {
    url: `${connection.baseUrl.replace(/\/+$/, '').replace(/\/v1(\/messages)?$/, '')}/v1/messages`,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
      ...(connection.apiKey !== '' && { 'x-api-key': connection.apiKey }),
    },
    body: JSON.stringify(body),
  };
}

/** Results and user text that follow each other share one user message, results first, as the API wants them. */
function encodeMessages(messages: readonly Message[]): Json {
  const encoded: { role: 'user' | 'assistant'; content: Json[] }[] = [];
  for (const message of makeValidHistory(messages, { splitAfterCalls: true })) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = encodeContent(message);
    if (content.length === 0) continue;
    const last = encoded.at(-1);
    if (last?.role === role && role === 'user') last.content.push(...content);
    else encoded.push({ role, content });
  }
  return encoded;
}

function encodeContent(message: ValidMessage<string>): Json[] {
  if (message.role === 'user') return [{ type: 'text', text: message.text.trim() === '' ? '(empty message)' : message.text }];
  if (message.role === 'tool') {
    return message.results.map(
      ({ wireId, content, isError }): Json =>
        isError ? { type: 'tool_result', tool_use_id: wireId, content, is_error: true } : { type: 'tool_result', tool_use_id: wireId, content },
    );
  }
  const blocks = message.blocks.map(encodeBlock).filter((block) => block !== undefined);
  // The API refuses a message that ends in thinking.
  while (blocks.at(-1)?.type === 'thinking' || blocks.at(-1)?.type === 'redacted_thinking') blocks.pop();
  return blocks;
}

function encodeBlock(block: ValidBlock<string>): JsonObject | undefined {
  if (block.kind === 'call') return { type: 'tool_use', id: block.wireId, name: block.name, input: block.input };
  if (block.kind === 'text') return block.text.trim() === '' ? undefined : { type: 'text', text: block.text };
  const { signature } = block;
  if (signature?.startsWith(signaturePrefix)) return { type: 'thinking', thinking: block.text, signature: signature.slice(signaturePrefix.length) };
  if (signature?.startsWith(redactedPrefix)) return { type: 'redacted_thinking', data: signature.slice(redactedPrefix.length) };
  return undefined;
}

interface OpenBlock {
  readonly kind: 'text' | 'reasoning' | 'call' | 'not-ours';
  readonly key: string;
  /** Arguments that stand in the start event; they count when no argument text comes. */
  readonly input?: Json;
  hasArguments: boolean;
  signature: string;
}

function createDecoder(): ProviderDecoder {
  const open = new Map<number, OpenBlock>();
  let opened = 0;
  let latest = 0;
  let finished = false;

  const indexOf = (data: Json): number => numberField(data, 'index') ?? latest;

  const close = (index: number, closedCleanly: boolean): ModelEvent[] => {
    const block = open.get(index);
    open.delete(index);
    if (block === undefined || block.kind === 'not-ours') return [];
    if (block.kind === 'text') return [{ type: 'text-end' }];
    if (block.kind === 'reasoning') return [{ type: 'reasoning-end', ...(block.signature !== '' && { signature: block.signature }) }];
    if (!closedCleanly) return [];
    const whole: ModelEvent[] = block.hasArguments || !isGiven(block.input) ? [] : [{ type: 'call-args', key: block.key, text: JSON.stringify(block.input) }];
    whole.push({ type: 'call-end', key: block.key });
    return whole;
  };

  const closeAll = (closedCleanly: boolean): ModelEvent[] => [...open.keys()].flatMap((index) => close(index, closedCleanly));

  /** A block begins; one of the same index that was still open ends. */
  const begin = (index: number): ModelEvent[] => {
    latest = index;
    opened++;
    return open.has(index) ? close(index, true) : [];
  };
  const keyOf = () => `block-${opened - 1}`;

  const startCall = (index: number, wireId: string | undefined, name: string, input: Json | undefined): ModelEvent[] => {
    const events = begin(index);
    const key = keyOf();
    open.set(index, { kind: 'call', key, input, hasArguments: false, signature: '' });
    events.push({ type: 'call-start', key, wireId: wireId ?? '', name });
    if (wireId === undefined || wireId === '') events.push({ type: 'warning', code: wireId === undefined ? 'id-missing' : 'id-empty', key });
    return events;
  };

  const start = (data: Json, damaged: boolean): ModelEvent[] => {
    const given = objectField(data, 'content_block');
    const index = numberField(data, 'index') ?? opened;
    const type = textField(given, 'type');
    if (type === 'tool_use') {
      const events = startCall(index, textField(given, 'id'), textField(given, 'name') ?? '', fieldOf(given, 'input'));
      const { key } = open.get(index) as OpenBlock;
      if (damaged && JSON.stringify(given).includes('\uFFFD')) events.push({ type: 'call-args', key, text: '', damaged: true });
      return events;
    }
    const before = begin(index);
    const add = (kind: OpenBlock['kind'], signature = ''): void => {
      open.set(index, { kind, key: keyOf(), input: undefined, hasArguments: false, signature });
    };
    if (type === 'text') {
      add('text');
      return [...before, { type: 'text-start' }, ...textDelta(textField(given, 'text'))];
    }
    if (type === 'thinking') {
      const signature = textField(given, 'signature') ?? '';
      add('reasoning', signature === '' ? '' : signaturePrefix + signature);
      return [...before, ...reasoningDelta(textField(given, 'thinking'))];
    }
    if (type === 'redacted_thinking') {
      add('reasoning', redactedPrefix + (textField(given, 'data') ?? ''));
      return before;
    }
    add('not-ours');
    return before;
  };

  const argumentsDelta = (block: OpenBlock, text: string, damaged: boolean): ModelEvent[] => {
    if (text === '') return [];
    block.hasArguments = true;
    return [damaged && text.includes('\uFFFD') ? { type: 'call-args', key: block.key, text, damaged } : { type: 'call-args', key: block.key, text }];
  };

  const delta = (data: Json, damaged: boolean): ModelEvent[] => {
    const block = open.get(indexOf(data));
    const given = objectField(data, 'delta');
    if (block === undefined || given === undefined) return [];
    if (block.kind === 'text') return textDelta(textField(given, 'text'));
    if (block.kind === 'reasoning') {
      const signature = textField(given, 'signature');
      if (signature !== undefined) block.signature = (block.signature === '' ? signaturePrefix : block.signature) + signature;
      return reasoningDelta(textField(given, 'thinking'));
    }
    if (block.kind === 'not-ours') return [];
    return argumentsDelta(block, textField(given, 'partial_json') ?? '', damaged);
  };

  /** An event that cannot be read may have been a fragment: no open call may run without it. */
  const unreadable = (): ModelEvent[] => {
    const calls = [...open.values()].filter((block) => block.kind === 'call');
    return [{ type: 'warning', code: 'event-unreadable' }, ...calls.map(({ key }): ModelEvent => ({ type: 'call-args', key, text: '', damaged: true }))];
  };

  return {
    push(event) {
      const damaged = event.damaged === true;
      const usual = readUsualEvent(event.data);
      if (usual?.kind === 'stop') return close(usual.index, true);
      if (usual?.kind === 'call-start' && !damaged) return startCall(usual.index, usual.wireId, usual.name, undefined);
      if (usual?.kind === 'call-delta' || usual?.kind === 'text-delta') {
        const block = open.get(usual.index);
        if (block?.kind === 'call' && usual.kind === 'call-delta') return argumentsDelta(block, usual.text, damaged);
        if (block?.kind === 'text' && usual.kind === 'text-delta') return textDelta(usual.text);
      }
      if (event.data.trim() === '') return [];
      const data = parseJson(event.data);
      const type = textField(data, 'type') ?? event.event;
      if (type === 'error') return [providerError(data ?? event.data)];
      if (data === undefined) return unreadable();
      switch (type) {
        case 'message_start':
          // Recordings exist in which a second message follows the first.
          finished = false;
          return usageOf(fieldOf(fieldOf(data, 'message'), 'usage'));
        case 'content_block_start':
          return start(data, damaged);
        case 'content_block_delta':
          return delta(data, damaged);
        case 'content_block_stop':
          return close(indexOf(data), true);
        case 'message_delta':
          return [...usageOf(fieldOf(data, 'usage')), ...stopOf(textField(fieldOf(data, 'delta'), 'stop_reason'))];
        case 'message_stop':
          finished = true;
          return closeAll(true);
        default:
          return [];
      }
    },
    end: (closedCleanly = true) => closeAll(closedCleanly),
    get finished() {
      return finished;
    },
  };
}

function isGiven(input: Json | undefined): input is Json {
  return input !== undefined && input !== null && input !== '' && !(typeof input === 'object' && Object.keys(input).length === 0);
}

function textDelta(text: string | undefined): ModelEvent[] {
  return text === undefined || text === '' ? [] : [{ type: 'text-delta', text }];
}

function reasoningDelta(text: string | undefined): ModelEvent[] {
  return text === undefined || text === '' ? [] : [{ type: 'reasoning-delta', text }];
}

/** Input tokens are counted without cached ones here; `Usage` has them whole. */
function usageOf(usage: Json | undefined): ModelEvent[] {
  const fresh = numberField(usage, 'input_tokens');
  const read = numberField(usage, 'cache_read_input_tokens');
  const written = numberField(usage, 'cache_creation_input_tokens');
  const outputTokens = numberField(usage, 'output_tokens');
  const counted: Usage = {
    ...(fresh !== undefined && { inputTokens: fresh + (read ?? 0) + (written ?? 0) }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(read !== undefined && { cachedInputTokens: read }),
  };
  return Object.keys(counted).length === 0 ? [] : [{ type: 'usage', usage: counted }];
}

const stops: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
]);

function stopOf(raw: string | undefined): ModelEvent[] {
  return raw === undefined ? [] : [{ type: 'stop', reason: stops.get(raw) ?? 'end', raw }];
}

const passing: ReadonlySet<string | undefined> = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error']);

function providerError(data: Json): ModelEvent {
  const message = (typeof data === 'string' ? data : sentenceOf(data)) ?? 'It gave no reason.';
  return { type: 'provider-error', message, retryable: passing.has(textField(fieldOf(data, 'error'), 'type')) };
}
