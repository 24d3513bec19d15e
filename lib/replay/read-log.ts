import { isEngineEvent } from '@/lib/contracts/event-shapes';
import type { EngineEvent } from '@/lib/contracts/events';
import { messageOf } from '@/lib/shared/coded-error';
import { isJsonObject } from '@/lib/shared/json';

/** A log in order, by session. */
export type ReadLog = ReadonlyMap<string, readonly EngineEvent[]>;

/**
 * Reads a log from a file.
 *
 * In     JSON: a list of events or an object whose `events` is one (an exported session); or one event a line, as `turn --json` prints.
 * Fails  an Error that names the line or the place of what is not an event, since a log with a hole proves nothing.
 */
export function readLog(text: string): ReadLog {
  const sessions = new Map<string, EngineEvent[]>();
  for (const { value, place } of entriesOf(text)) {
    if (!isEngineEvent(value)) throw new Error(`${place} is no event of this version.`);
    const events = sessions.get(value.sessionId) ?? [];
    if (value.seq !== events.length) throw new Error(`${place} is numbered ${value.seq}, and ${events.length} is due: the log has a hole.`);
    events.push(value);
    sessions.set(value.sessionId, events);
  }
  if (sessions.size === 0) throw new Error('The file holds no event.');
  return sessions;
}

function entriesOf(text: string): readonly { readonly value: unknown; readonly place: string }[] {
  const whole = parsed(text);
  const list = whole === undefined ? undefined : Array.isArray(whole.value) ? whole.value : isJsonObject(whole.value) ? whole.value.events : undefined;
  if (Array.isArray(list)) return list.map((value: unknown, index) => ({ value, place: `Entry ${index}` }));
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [{ value: JSON.parse(line) as unknown, place: `Line ${index + 1}` }];
    } catch (error) {
      throw new Error(`Line ${index + 1} is not JSON (${messageOf(error)}).`);
    }
  });
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
