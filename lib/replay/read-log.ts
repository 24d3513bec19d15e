import { isEngineEvent } from '@/lib/contracts/event-shapes';
import type { EngineEvent } from '@/lib/contracts/events';
import { messageOf } from '@/lib/shared/coded-error';
import { isJsonObject } from '@/lib/shared/json';

/** A log in order, by session. */
export interface ReadLog {
  readonly sessions: ReadonlyMap<string, readonly EngineEvent[]>;
  /** The line at which the file breaks off, in the middle of an event, as a dying tab or a full disk leaves it; it is left out. */
  readonly tornAt?: number;
}

/**
 * Reads a log from a file.
 *
 * In     JSON: a list of events or an object whose `events` is one (an exported session); or one event a line, as `turn --json` prints.
 * Fails  an Error that names the line or the place of what is not an event, since a log with a hole proves nothing.
 */
export function readLog(text: string): ReadLog {
  const sessions = new Map<string, EngineEvent[]>();
  const { entries, tornAt } = entriesOf(text);
  for (const { value, place } of entries) {
    if (!isEngineEvent(value)) throw new Error(`${place} is no event of this version.`);
    const events = sessions.get(value.sessionId) ?? [];
    if (value.seq !== events.length) throw new Error(`${place} is numbered ${value.seq}, and ${events.length} is due: the log has a hole.`);
    events.push(value);
    sessions.set(value.sessionId, events);
  }
  if (sessions.size === 0) throw new Error('The file holds no event.');
  return tornAt === undefined ? { sessions } : { sessions, tornAt };
}

interface Entries {
  readonly entries: readonly { readonly value: unknown; readonly place: string }[];
  readonly tornAt?: number;
}

function entriesOf(text: string): Entries {
  const whole = parsed(text);
  const list = whole === undefined ? undefined : Array.isArray(whole.value) ? whole.value : isJsonObject(whole.value) ? whole.value.events : undefined;
  if (Array.isArray(list)) return { entries: list.map((value: unknown, index) => ({ value, place: `Entry ${index}` })) };
  const entries: { readonly value: unknown; readonly place: string }[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      entries.push({ value: JSON.parse(line) as unknown, place: `Line ${index + 1}` });
    } catch (error) {
      // Only what ends without a line end can have been cut; the first line alone may as well be no log at all.
      if (index === lines.length - 1 && entries.length > 0) return { entries, tornAt: index + 1 };
      throw new Error(`Line ${index + 1} is not JSON (${messageOf(error)}).`);
    }
  }
  return { entries };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
