import { flag, refuseUnknown, type Runner, strings } from './runner';
import { createSseDecoder } from '@/lib/model/sse';
import type { SseEvent } from '@/lib/contracts/model';
import { encodeUtf8 } from '@/lib/shared/bytes';
import type { Json } from '@/lib/shared/json';
import { parseJson } from '@/lib/shared/read-json';

/** Kind `sse`: bytes to events. */
export const runSse: Runner = ({ input, expected }) => {
  refuseUnknown('input', input, ['chunksText', 'chunksBase64', 'closedCleanly', 'json']);
  refuseUnknown('expected', expected, ['events', 'messages', 'dropped', 'done', 'lastEventId', 'warnings', 'error']);
  const chunks = input.chunksBase64 === undefined ? strings(input.chunksText).map(encodeUtf8) : strings(input.chunksBase64).map(bytesOf);
  const decoder = createSseDecoder();
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  const end = decoder.end(flag(input.closedCleanly, true));
  events.push(...end.events);
  const members = Object.getOwnPropertyNames(Object.prototype);
  const content = flag(input.json) ? parsed(events) : { events: events.map(({ data, event }) => (event === undefined ? { data } : { data, event })) };
  if (Object.getOwnPropertyNames(Object.prototype).length !== members.length) throw new Error('Object.prototype was changed');
  return {
    ...content,
    ...(decoder.done && { done: true }),
    ...(decoder.lastEventId !== '' && { lastEventId: decoder.lastEventId }),
    ...(decoder.warnings.length > 0 && { warnings: [...decoder.warnings] }),
    ...(end.error !== undefined && { error: { code: end.error } }),
  };
};

function parsed(events: readonly SseEvent[]): { readonly messages: readonly Json[]; readonly dropped: number } {
  const values = events.filter(({ data }) => data !== '').map(({ data }) => parseJson(data));
  const messages = values.filter((value) => value !== undefined);
  return { messages, dropped: values.length - messages.length };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
