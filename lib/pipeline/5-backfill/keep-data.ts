import { utf8Length } from '@/lib/shared/bytes';
import type { Json } from '@/lib/shared/json';
import { type LongResult, type SpillPorts, storeWhole } from './spill';

/** UTF-8 bytes of JSON over which structured data is kept aside. Source governance 11. */
export const DATA_LIMIT_BYTES = 32_768;

/**
 * Keeps the structured data of a result aside when it is large, under a handle that the text names.
 *
 * Out    the line for the text; undefined when the data is small enough to be left alone.
 * Fails  never: what could not be kept is said in the line, and told to the person.
 */
export async function keepData(
  result: LongResult,
  data: Json | undefined,
  ports: SpillPorts & { readonly canReadHandles: boolean },
): Promise<string | undefined> {
  if (data === undefined || !isLargeJson(data, DATA_LIMIT_BYTES)) return undefined;
  const text = JSON.stringify(data);
  const bytes = utf8Length(text);
  if (bytes <= DATA_LIMIT_BYTES) return undefined;
  const { callId, tool, origin } = result;
  const { fate } = await storeWhole({ callId, tool, ...(origin === undefined ? {} : { origin }) }, text, bytes, ports, 'data');
  ports.emit({ type: 'data-kept', callId, bytes, ...fate });
  if ('problem' in fate) return `[The result has ${bytes} bytes of structured data, which could not be kept: ${fate.problem}]`;
  if (!ports.canReadHandles)
    return `[The result has ${bytes} bytes of structured data, kept for the person; the tool that reads it, handle_read, is switched off.]`;
  return `[${bytes} bytes of structured data kept; call handle_read handle=${fate.ref} to read parts of it (var_handle).]`;
}

/** Whether the JSON of a value may take more than `limitBytes`; stops looking as soon as it knows. */
export function isLargeJson(value: Json, limitBytes: number): boolean {
  let room = limitBytes;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // Six bytes is what one UTF-16 unit takes at most, escaped.
    if (typeof next === 'string') room -= next.length * 6 + 2;
    else if (typeof next !== 'object' || next === null) room -= 25;
    else {
      room -= 2;
      for (const [key, inner] of Object.entries(next)) {
        room -= Array.isArray(next) ? 1 : key.length * 6 + 4;
        if (inner !== undefined) waiting.push(inner as Json);
        if (room < 0) return true;
      }
    }
    if (room < 0) return true;
  }
  return false;
}
