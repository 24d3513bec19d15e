import { openIndexedStores } from '@/lib/storage/indexed-stores';
import { storesContract } from '@/test/contract/store/stores-contract';
import { runFacts } from './contract-runner';

let opened = 0;

/** The contract of the stores over the browser's own IndexedDB, each fact on a database of its own. */
export function runStoresContract(): ReturnType<typeof runFacts> {
  storesContract('IndexedDB of a browser', () => openIndexedStores({ name: `contract-${++opened}` }));
  return runFacts();
}
