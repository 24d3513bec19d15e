import type { ModelEvent } from '@/lib/contracts/model';
import type { ProviderId } from '@/lib/contracts/provider';
import { type Assembled, createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { gateArguments } from '@/lib/pipeline/2-plan/truncation-gate';
import { providers } from '@/lib/providers/registry.gen';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { objects, type Runner, refuseUnknown, strings, text } from './runner';

/** Kind `tool-call-stream`: what a provider streams, to calls and the warnings of the trace. */
export const runToolCallStream: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['wire', 'chunks', 'events', 'registered']);
  refuseUnknown('expected', expected, ['calls', 'errors', 'text', 'warnings', 'maxMillis']);
  const registered = new Set(strings(input.registered));
  const startedAt = performance.now();
  const read = assemble(eventsOf(input, registered), registered);
  const millis = performance.now() - startedAt;
  const again = assemble(eventsOf(input, registered), registered);
  const wanted = isJsonObject(expected) ? expected : {};
  const ids = read.calls.map((call) => call.wireId);
  const isGenerated = (id: string, at: number): boolean => id !== '' && ids.indexOf(id) === ids.lastIndexOf(id) && again.calls[at]?.wireId === id;

  const calls: Json[] = [];
  const errors: Json[] = [];
  for (const [at, call] of read.calls.entries()) {
    const gate = gateArguments(call.argumentsText, { truncatedTurn: false, streamError: false, blockClosed: true });
    if (gate.verdict !== 'execute') {
      errors.push({ id: call.wireId, code: gate.verdict === 'invalid_input' ? 'arguments-not-object' : 'arguments-unreadable' });
      continue;
    }
    const like = objects(wanted.calls)[calls.length];
    const id = like?.id === '*' && isGenerated(call.wireId, at) ? '*' : call.wireId;
    calls.push({ id, name: call.name, ...(like?.argumentLengths === undefined ? { arguments: gate.input } : { argumentLengths: lengthsOf(gate.input) }) });
  }
  return {
    calls,
    ...(errors.length > 0 && { errors }),
    ...(read.text !== '' && { text: read.text }),
    warnings: read.warnings,
    ...(typeof wanted.maxMillis === 'number' && { maxMillis: Math.max(wanted.maxMillis, millis) }),
  };
};

function assemble(events: readonly ModelEvent[], registered: ReadonlySet<string>) {
  let made = 0;
  const assembler = createBlockAssembler({ newId: <Id extends string>(kind: string) => `${kind}-${++made}` as Id, registered });
  const told: Assembled[] = events.flatMap((event) => assembler.push(event));
  const { events: last, step } = assembler.end(true);
  told.push(...last);
  return {
    calls: step.calls,
    text: told.map((item) => (item.type === 'text-delta' ? item.text : '')).join(''),
    warnings: [...new Set(told.flatMap((item) => (item.type === 'warning' ? [item.code] : [])))].sort(),
  };
}

function eventsOf(input: JsonObject, registered: ReadonlySet<string>): readonly ModelEvent[] {
  if (input.wire === 'neutral') return objects(input.events).flatMap(neutralEvent);
  const provider = providers.find((known) => known.id === input.wire);
  if (provider === undefined) throw new Error(`there is no wire ${String(input.wire)}`);
  const data = payloadsOf(provider.id, input);
  const decoder = provider.createDecoder(registered);
  return [...data.flatMap((payload) => decoder.push({ data: JSON.stringify(payload) })), ...decoder.end(true)];
}

function payloadsOf(wire: ProviderId, input: JsonObject): readonly Json[] {
  if (wire === 'anthropic') return objects(input.events);
  if (wire === 'openai-chat') return chunksOf(input.chunks).map((deltas) => ({ choices: [{ index: 0, delta: { tool_calls: deltas.map(openAiDelta) } }] }));
  if (wire !== 'gemini') throw new Error(`the contract says nothing of ${wire}`);
  return objects(input.chunks).map((chunk) => {
    refuseUnknown('chunk', chunk, ['functionCalls']);
    const parts = objects(chunk.functionCalls).map((functionCall) => {
      refuseUnknown('functionCall', functionCall, ['name', 'args', 'id']);
      return { functionCall };
    });
    return { candidates: [{ index: 0, content: { role: 'model', parts } }] };
  });
}

function chunksOf(value: Json | undefined): readonly (readonly JsonObject[])[] {
  if (!Array.isArray(value)) throw new Error('chunks is a list');
  return value.flatMap((chunk: Json) => {
    if (!isJsonObject(chunk)) return [objects(chunk)];
    if (typeof chunk.count !== 'number') throw new Error('a chunk is a list, or {repeatChunk, count}');
    return Array.from({ length: chunk.count }, () => objects(chunk.repeatChunk));
  });
}

function openAiDelta(delta: JsonObject): Json {
  const { name, arguments: given, ...rest } = delta;
  return {
    ...rest,
    ...((name !== undefined || given !== undefined) && { function: { ...(name !== undefined && { name }), ...(given !== undefined && { arguments: given }) } }),
  };
}

function neutralEvent(event: JsonObject): ModelEvent {
  refuseUnknown('event', event, ['text', 'toolStart', 'toolArgs', 'toolEnd']);
  const { toolStart, toolArgs, toolEnd } = event;
  if (isJsonObject(toolStart)) return { type: 'call-start', key: text(toolStart.id), wireId: text(toolStart.id), name: text(toolStart.name) };
  if (isJsonObject(toolArgs)) return { type: 'call-args', key: text(toolArgs.id), text: text(toolArgs.delta) };
  if (isJsonObject(toolEnd)) return { type: 'call-end', key: text(toolEnd.id) };
  return { type: 'text-delta', text: text(event.text) };
}

function lengthsOf(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? value.length : 'not a text']));
}
