import type { Stores } from '@/lib/contracts/store';
import { codeOf, messageOf } from '@/lib/shared/coded-error';
import type { DatabaseOptions } from './database';
import { openIndexedStores } from './indexed-stores';
import { createMemoryStores } from './memory-stores';

export interface OpenedStores {
  readonly stores: Stores;
  /** Set when nothing of this visit is kept: for a person, what happened, what is safe, what to do. */
  readonly forgetful?: string;
}

/**
 * The stores of this origin, or stores in memory where the browser gives none.
 *
 * Fails  CodedError `storage-held` when another tab keeps the storage in another version: to work on beside what is stored
 *        would look like a loss.
 */
export async function openStores(options: DatabaseOptions = {}): Promise<OpenedStores> {
  try {
    return { stores: await openIndexedStores(options) };
  } catch (error) {
    if (codeOf(error) === 'storage-held') throw error;
    return {
      stores: createMemoryStores(),
      forgetful: `${messageOf(error)} You can work here, but a reload forgets it: allow this site to store data, or repair the browser's profile, and reload.`,
    };
  }
}
