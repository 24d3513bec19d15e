import type { StopReason } from '@/lib/contracts/model';
import type { ProviderId } from '@/lib/contracts/provider';
import type { Json } from '@/lib/shared/json';
import { cutIntoDeltas } from './cut-odd';
import { between, type Random, randomLetters } from './random';
import type { PracticeCall, PracticeStep } from './script';

export interface WireHead {
  readonly model: string;
  /** Tokens of the request. */
  readonly inputTokens: number;
  /** Seconds since the Unix epoch; only `openai-chat` sends it. */
  readonly createdAtSeconds: number;
}

/**
 * Writes one step as the server-sent events of a wire, each with its closing blank line.
 *
 * In     `random` decides ids and where deltas end; the same state gives the same events.
 * Out    the events of one complete response, in order; joined they are the body of the HTTP response.
 */
export function writeStep(wire: ProviderId, step: PracticeStep, head: WireHead, random: Random): readonly string[] {
  return wire === 'anthropic' ? writeAnthropic(step, head, random) : writeOpenAiChat(step, head, random);
}

/** A model's tokens, roughly: four bytes of English each. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function argumentsOf(call: PracticeCall): string {
  return call.rawArguments ?? JSON.stringify(call.input);
}

function outputTokens(step: PracticeStep): number {
  const calls = (step.calls ?? []).map((call) => call.name + argumentsOf(call)).join('');
  return Math.max(1, estimateTokens((step.reasoning ?? '') + (step.text ?? '') + calls));
}

function stopOf(step: PracticeStep): StopReason {
  return step.stop ?? ((step.calls ?? []).length > 0 ? 'calls' : 'end');
}

const anthropicStop: Readonly<Record<StopReason, string>> = { end: 'end_turn', calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' };

function writeAnthropic(step: PracticeStep, head: WireHead, random: Random): readonly string[] {
  const events: string[] = [];
  const send = (data: { readonly type: string; readonly [field: string]: Json }): void => {
    events.push(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  let index = 0;
  const block = (start: Json, deltas: readonly Json[]): void => {
    send({ type: 'content_block_start', index, content_block: start });
    // The real service sends its pings whenever it likes; here they fall between deltas now and then.
    if (index === 0 || random() < 0.3) send({ type: 'ping' });
    for (const delta of deltas) send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
    index++;
  };

  const usage = { input_tokens: head.inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  send({
    type: 'message_start',
    message: {
      id: `msg_${randomLetters(random, 24)}`,
      type: 'message',
      role: 'assistant',
      model: head.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  if (step.reasoning !== undefined && step.reasoning !== '') {
    const thinking = cutIntoDeltas(step.reasoning, random).map((text): Json => ({ type: 'thinking_delta', thinking: text }));
    block({ type: 'thinking', thinking: '', signature: '' }, [...thinking, { type: 'signature_delta', signature: randomLetters(random, 64) }]);
  }
  if (step.text !== undefined && step.text !== '') {
    block(
      { type: 'text', text: '' },
      cutIntoDeltas(step.text, random).map((text): Json => ({ type: 'text_delta', text })),
    );
  }
  for (const call of step.calls ?? []) {
    const parts = ['', ...cutIntoDeltas(argumentsOf(call), random)];
    block(
      { type: 'tool_use', id: `toolu_${randomLetters(random, 24)}`, name: call.name, input: {} },
      parts.map((text): Json => ({ type: 'input_json_delta', partial_json: text })),
    );
  }
  send({ type: 'message_delta', delta: { stop_reason: anthropicStop[stopOf(step)], stop_sequence: null }, usage: { output_tokens: outputTokens(step) } });
  send({ type: 'message_stop' });
  return events;
}

const openAiStop: Readonly<Record<StopReason, string>> = { end: 'stop', calls: 'tool_calls', length: 'length', refusal: 'content_filter' };

function writeOpenAiChat(step: PracticeStep, head: WireHead, random: Random): readonly string[] {
  const events: string[] = [];
  const id = `chatcmpl-${randomLetters(random, 29)}`;
  const fingerprint = `fp_${between(random, 0x10000000, 0xffffffff).toString(16)}`;
  const chunk = (choices: readonly Json[], usage: Json): void => {
    const data = { id, object: 'chat.completion.chunk', created: head.createdAtSeconds, model: head.model, system_fingerprint: fingerprint, choices, usage };
    events.push(`data: ${JSON.stringify(data)}\n\n`);
  };
  const send = (delta: Json, finish: string | null = null): void => {
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }], null);
  };

  send({ role: 'assistant', content: step.text === undefined || step.text === '' ? null : '' });
  for (const text of cutIntoDeltas(step.reasoning ?? '', random)) send({ reasoning_content: text });
  for (const text of cutIntoDeltas(step.text ?? '', random)) send({ content: text });
  (step.calls ?? []).forEach((call, index) => {
    send({ tool_calls: [{ index, id: `call_${randomLetters(random, 24)}`, type: 'function', function: { name: call.name, arguments: '' } }] });
    for (const text of cutIntoDeltas(argumentsOf(call), random)) send({ tool_calls: [{ index, function: { arguments: text } }] });
  });
  send({}, openAiStop[stopOf(step)]);
  const written = outputTokens(step);
  chunk([], { prompt_tokens: head.inputTokens, completion_tokens: written, total_tokens: head.inputTokens + written });
  events.push('data: [DONE]\n\n');
  return events;
}
