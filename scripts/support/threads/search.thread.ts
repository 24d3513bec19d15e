import { parentPort } from 'node:worker_threads';
import { answerSearches } from '@/lib/runtime/search-matches';

answerSearches({ post: (message) => parentPort?.postMessage(message), onMessage: (listener) => parentPort?.on('message', listener) });
