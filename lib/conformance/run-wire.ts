import type { Provider } from '@/lib/contracts/provider';
import { createSseDecoder } from '@/lib/model/sse';
import { createBlockAssembler } from '@/lib/pipeline/1-stream/assemble-blocks';
import { providers } from '@/lib/providers/registry.gen';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { parseJson, textField } from '@/lib/shared/read-json';
import { objects, type Runner, refuseUnknown, strings } from './runner';

/** Kind `wire`: recorded streams through the decoder of their wire, whole and in single bytes. */
export const runWire: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['wire', 'data']);
  refuseUnknown('expected', expected, ['text', 'calls', 'stop']);
  const provider = providers.find((known) => known.id === input.wire);
  if (provider === undefined) throw new Error(`there is no wire ${String(input.wire)}`);
  const bytes = encodeUtf8(
    strings(input.data)
      .map((data) => frame(provider, data))
      .join(''),
  );
  const wanted = isJsonObject(expected) ? objects(expected.calls) : [];
  const whole = read(provider, [bytes], wanted);
  const singly = read(
    provider,
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
    wanted,
  );
  return canonicalJson(whole) === canonicalJson(singly) ? whole : { whole, singly };
};

const namedEvents: ReadonlySet<string> = new Set(['anthropic', 'openai-responses']);

function frame(provider: Provider, data: string): string {
  return namedEvents.has(provider.id) ? `event: ${textField(parseJson(data), 'type') ?? ''}\ndata: ${data}\n\n` : `data: ${data}\n\n`;
}

function read(provider: Provider, chunks: readonly Uint8Array[], wanted: readonly Json[]): Json {
  let made = 0;
  const registered: ReadonlySet<string> = new Set();
  const sse = createSseDecoder();
  const decoder = provider.createDecoder(registered);
  const assembler = createBlockAssembler({ newId: <Id extends string>(kind: string) => `${kind}-${++made}` as Id, registered });
  const events = [...chunks.flatMap((chunk) => sse.push(chunk)), ...sse.end(true).events].flatMap((event) => decoder.push(event));
  const told = [...events, ...decoder.end(true)].flatMap((event) => assembler.push(event));
  const { step } = assembler.end(true);
  const calls = step.calls.map((call, at): Json => {
    const args = call.argumentsText.trim() === '' ? {} : parseJson(call.argumentsText);
    return {
      ...(textField(wanted[at], 'id') !== undefined && { id: call.wireId }),
      name: call.name,
      ...(args === undefined ? { rawArguments: call.argumentsText } : { arguments: args }),
    };
  });
  return { text: told.map((item) => (item.type === 'text-delta' ? item.text : '')).join(''), calls, stop: step.stop };
}
