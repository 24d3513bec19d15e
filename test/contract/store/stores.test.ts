import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openIndexedStores } from '@/lib/storage/indexed-stores';
import { createMemoryStores } from '@/lib/storage/memory-stores';
import { storesContract } from './stores-contract';

storesContract('memory', async () => createMemoryStores());
storesContract('IndexedDB', async () => openIndexedStores({ factory: new IDBFactory() }));
