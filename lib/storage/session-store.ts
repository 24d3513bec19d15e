import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionId } from '@/lib/contracts/ids';
import type { SessionStore } from '@/lib/contracts/store';
import { CodedError } from '@/lib/shared/coded-error';
import type { Connection, Database } from './database';
import { inOneTransaction } from './one-transaction';
import { isStoredEvent, isStoredSession } from './stored-shapes';

const SAFE = 'What was stored before is unchanged.';

/** Sessions and their events in IndexedDB; events are keyed by session and `seq`. */
export function createSessionStore(database: Database): SessionStore {
  return {
    put(record) {
      return database.run('save the session', SAFE, async (connection) => {
        await connection.put('sessions', record, record.sessionId);
      });
    },
    get(sessionId) {
      return database.run('read the session', SAFE, async (connection) => {
        const record = await connection.get('sessions', sessionId);
        return isStoredSession(record) ? record : undefined;
      });
    },
    list() {
      return database.run('list the sessions', SAFE, async (connection) => newestFirst((await connection.getAll('sessions')).filter(isStoredSession)));
    },
    remove(sessionId) {
      return database.run('remove the session', SAFE, async (connection) => {
        const transaction = connection.transaction(['sessions', 'events'], 'readwrite');
        await inOneTransaction(transaction, [
          () => transaction.objectStore('sessions').delete(sessionId),
          () => transaction.objectStore('events').delete(eventsOf(sessionId)),
        ]);
      });
    },
    append(sessionId, events) {
      if (events.length === 0) return Promise.resolve();
      return database.run('save what happened', SAFE, async (connection) => {
        const transaction = connection.transaction('events', 'readwrite', { durability: 'strict' });
        try {
          await inOneTransaction(
            transaction,
            events.map((event) => () => transaction.store.add(event, [sessionId, event.seq])),
          );
        } catch (error) {
          if (!isConstraintError(error)) throw error;
          throw new CodedError(
            'already-exists',
            `An event between ${events[0]?.seq} and ${events[events.length - 1]?.seq} of this session is stored already, probably by another tab. Nothing was replaced.`,
            { cause: error },
          );
        }
      });
    },
    events(sessionId) {
      return database.run('read what happened', SAFE, async (connection) => {
        const { keys, values } = await readEvents(connection, sessionId);
        const events: EngineEvent[] = [];
        for (const [index, value] of values.entries()) {
          const seq = keys[index]?.[1];
          if (seq !== undefined && isStoredEvent(value, sessionId, seq)) events.push(value);
        }
        return { events, damaged: values.length - events.length };
      });
    },
  };
}

/** Newest change first; equal times in the order of their ids. */
export function newestFirst<Entry extends { readonly updatedAt: number; readonly sessionId: SessionId }>(records: readonly Entry[]): readonly Entry[] {
  return [...records].sort((a, b) => b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1));
}

async function readEvents(
  connection: Connection,
  sessionId: SessionId,
): Promise<{ readonly keys: readonly [string, number][]; readonly values: readonly unknown[] }> {
  const range = eventsOf(sessionId);
  const transaction = connection.transaction('events', 'readonly');
  try {
    const [keys, values] = await Promise.all([transaction.store.getAllKeys(range), transaction.store.getAll(range), transaction.done]);
    return { keys, values };
  } catch {
    // One value that the browser cannot read any more fails them all: read one by one, so that it costs only itself.
    const keys = await connection.getAllKeys('events', range);
    return { keys, values: await Promise.all(keys.map((key) => connection.get('events', key).catch(() => undefined))) };
  }
}

/** Arrays sort after every number, so this ends after the session's last event. */
function eventsOf(sessionId: SessionId): IDBKeyRange {
  return IDBKeyRange.bound([sessionId], [sessionId, []]);
}

function isConstraintError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'ConstraintError';
}
