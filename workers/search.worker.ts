import { answerSearches } from '@/lib/runtime/search-matches';

const scope = globalThis as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
};
answerSearches({ post: (message) => scope.postMessage(message), onMessage: (listener) => scope.addEventListener('message', (event) => listener(event.data)) });
