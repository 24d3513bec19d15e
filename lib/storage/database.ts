import { type DBSchema, type IDBPDatabase, wrap } from 'idb';
import type { EngineEvent } from '@/lib/contracts/events';
import type { SessionRecord, WorkspaceRecord } from '@/lib/contracts/store';
import { CodedError, codeOf, messageOf } from '@/lib/shared/coded-error';
import type { StoredSnapshot } from './snapshot-store';
import type { SpillEntry } from './spill-store';

/** What is stored of one path of a workspace. */
export type StoredFile = { readonly bytes: Uint8Array } | { readonly directory: true };

export interface Schema extends DBSchema {
  'spill-entries': { key: string; value: SpillEntry };
  /** Apart from the entries, so that a list of spills loads no text. */
  'spill-texts': { key: string; value: string };
  sessions: { key: string; value: SessionRecord };
  events: { key: [string, number]; value: EngineEvent };
  workspaces: { key: string; value: WorkspaceRecord };
  files: { key: [string, string]; value: StoredFile };
  snapshots: { key: [string, string]; value: StoredSnapshot };
  /** Contents that snapshots name, each once a workspace. */
  'snapshot-contents': { key: [string, string]; value: Uint8Array };
}

export type Connection = IDBPDatabase<Schema>;

/** Entry n brings a database of version n to n + 1. Entries are never changed, only added. */
const MIGRATIONS: readonly ((connection: Connection) => void)[] = [
  (connection) => {
    connection.createObjectStore('spill-entries');
    connection.createObjectStore('spill-texts');
    connection.createObjectStore('sessions');
    connection.createObjectStore('events');
    connection.createObjectStore('workspaces');
    connection.createObjectStore('files');
  },
  (connection) => {
    connection.createObjectStore('snapshots');
    connection.createObjectStore('snapshot-contents');
  },
];

/** One database of this origin; opens when first used and again when the browser took the connection away. */
export interface Database {
  /**
   * Runs `work` on an open connection.
   *
   * In     `purpose` completes the sentence "Gatehouse could not …"; `safe` says what a failure leaves unharmed.
   * Fails  CodedError `storage-failed` with the browser's error as its cause, or `storage-held` when another tab keeps the
   *        storage in another version; CodedErrors of `work` pass unchanged.
   */
  run<Value>(purpose: string, safe: string, work: (connection: Connection) => Promise<Value>): Promise<Value>;
  close(): void;
}

export interface DatabaseOptions {
  /** Default `gatehouse`. */
  readonly name?: string;
  /** Default the browser's own. */
  readonly factory?: IDBFactory;
}

/** A database that is opened lazily; see `Database`. */
export function createDatabase(options: DatabaseOptions = {}): Database {
  const name = options.name ?? 'gatehouse';
  let opening: Promise<Connection> | undefined;
  let closed = false;

  const connect = (): Promise<Connection> => {
    if (closed) return Promise.reject(new CodedError('storage-failed', 'The storage was closed; reload the page to open it again.'));
    if (opening !== undefined) return opening;
    const attempt = openConnection(name, options.factory, () => {
      if (opening === attempt) opening = undefined;
    });
    opening = attempt;
    attempt.catch(() => {
      if (opening === attempt) opening = undefined;
    });
    return attempt;
  };

  return {
    async run(purpose, safe, work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work(await connect());
        } catch (error) {
          // The connection went away between two uses: nothing of this work was begun, so it may simply begin again.
          if (attempt === 1 && isNamed(error, 'InvalidStateError')) {
            opening = undefined;
            continue;
          }
          if (codeOf(error) !== undefined && error instanceof CodedError) throw error;
          const code = isNamed(error, 'VersionError') ? 'storage-held' : 'storage-failed';
          throw new CodedError(code, `Gatehouse could not ${purpose}: ${reasonOf(error)} ${safe}`, { cause: error });
        }
      }
    },
    close() {
      closed = true;
      opening?.then((connection) => connection.close()).catch(() => undefined);
      opening = undefined;
    },
  };
}

function openConnection(name: string, given: IDBFactory | undefined, onLost: () => void): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const factory = given ?? (globalThis as { indexedDB?: IDBFactory }).indexedDB;
    if (factory === undefined) {
      reject(new CodedError('storage-failed', 'This browser gives the page no storage (IndexedDB is off, as in some private windows).'));
      return;
    }
    const request = factory.open(name, MIGRATIONS.length);
    let refused = false;
    request.onupgradeneeded = (event) => {
      const connection = wrap(request.result) as unknown as Connection;
      for (const migrate of MIGRATIONS.slice(event.oldVersion)) migrate(connection);
    };
    request.onblocked = () => {
      // Waiting would leave the page without a word for as long as the other tab stays open.
      refused = true;
      reject(
        new CodedError(
          'storage-held',
          'Another tab holds an older version of the stored data open. Close the other Gatehouse tabs and reload; what is stored is untouched.',
        ),
      );
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const raw = request.result;
      if (refused) {
        raw.close();
        return;
      }
      // A newer version in another tab must be able to upgrade; our next use says that this page is too old.
      raw.onversionchange = () => {
        raw.close();
        onLost();
      };
      raw.onclose = onLost;
      resolve(wrap(raw) as unknown as Connection);
    };
  });
}

function isNamed(error: unknown, name: string): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}

function reasonOf(error: unknown): string {
  if (isNamed(error, 'QuotaExceededError')) return "the browser's storage for this page is full. Remove old sessions or free disk space.";
  if (isNamed(error, 'VersionError')) return 'a newer version of Gatehouse has opened the stored data in another tab. Reload this page.';
  const message = messageOf(error).trim();
  return message === '' ? 'the browser gave no reason.' : /[.!?]$/.test(message) ? message : `${message}.`;
}
