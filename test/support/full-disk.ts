import { IDBObjectStore, type IDBTransaction } from 'fake-indexeddb';

interface Abortable {
  _abort(name: string): void;
}

/**
 * Lets texts of the store `spill-texts` take `roomBytes` together and then fails as a browser does: the put itself is
 * accepted and the transaction aborts with a QuotaExceededError. Returns the undo.
 */
export function limitSpillTexts(roomBytes: number): () => void {
  const prototype = IDBObjectStore.prototype as unknown as Record<'put', (this: IDBObjectStore, value: unknown, key?: unknown) => unknown>;
  const original = prototype.put;
  prototype.put = function (this: IDBObjectStore, value: unknown, key?: unknown) {
    const request = original.call(this, value, key);
    if (this.name === 'spill-texts') {
      const all = (this as unknown as globalThis.IDBObjectStore).getAll();
      all.onsuccess = () => {
        const bytes = (all.result as string[]).reduce((sum, text) => sum + text.length, 0);
        if (bytes > roomBytes) (this.transaction as unknown as Abortable)._abort('QuotaExceededError');
      };
    }
    return request;
  };
  return () => {
    prototype.put = original;
  };
}

/** Aborts every transaction that writes to `spill-texts`, half-way: as a tab that is killed. Returns the undo. */
export function killSpillWrites(): () => void {
  const prototype = IDBObjectStore.prototype as unknown as Record<'put', (this: IDBObjectStore, value: unknown, key?: unknown) => unknown>;
  const original = prototype.put;
  prototype.put = function (this: IDBObjectStore, value: unknown, key?: unknown) {
    const request = original.call(this, value, key);
    if (this.name === 'spill-texts') (this.transaction as unknown as InstanceType<typeof IDBTransaction>).abort();
    return request;
  };
  return () => {
    prototype.put = original;
  };
}
