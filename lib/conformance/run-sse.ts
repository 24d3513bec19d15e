import type { SseEvent } from '@/lib/contracts/model';
import { createSseDecoder } from '@/lib/model/sse';
import { encodeUtf8 } from '@/lib/shared/bytes';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { parseJson } from '@/lib/shared/read-json';
import { flag, type Runner, refuseUnknown, strings } from './runner';

/** Kind `sse`: bytes to events. */
export const runSse: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['chunksText', 'chunksBase64', 'closedCleanly', 'json']);
  refuseUnknown('expected', expected, ['events', 'messages', 'dropped', 'done', 'lastEventId', 'warnings', 'error']);
  const members = Object.getOwnPropertyNames(Object.prototype).length;
  const chunks =
    input.chunksBase64 === undefined || input.chunksBase64 === null ? strings(input.chunksText).map(encodeUtf8) : strings(input.chunksBase64).map(bytesOf);
  const decoder = createSseDecoder();
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  const end = decoder.end(flag(input.closedCleanly, true));
  events.push(...end.events);
  const content = flag(input.json) ? parsed(events) : { events: events.map(plain) };
  if (Object.getOwnPropertyNames(Object.prototype).length !== members) throw new Error('Object.prototype was changed');
  return {
    ...content,
    ...filled(expected, {
      done: decoder.done ? true : undefined,
      lastEventId: decoder.lastEventId === '' ? undefined : decoder.lastEventId,
      warnings: decoder.warnings.length === 0 ? undefined : [...decoder.warnings],
      error: end.error === undefined ? undefined : { code: end.error },
    }),
  };
};

/** What is there, and where nothing is the nothing that a case may write out. */
function filled(expected: Json, fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const wanted = isJsonObject(expected) ? expected : {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const written = wanted[key];
      const isEmpty = written === null || written === false || written === '' || (Array.isArray(written) && written.length === 0);
      return value !== undefined ? [[key, value]] : isEmpty ? [[key, written]] : [];
    }),
  );
}

function plain({ data, event }: SseEvent): Json {
  return event === undefined ? { data } : { data, event };
}

function parsed(events: readonly SseEvent[]): JsonObject {
  const values = events.filter(({ data }) => data !== '').map(({ data }) => parseJson(data));
  const messages = values.filter((value) => value !== undefined);
  return { messages, dropped: values.length - messages.length };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
