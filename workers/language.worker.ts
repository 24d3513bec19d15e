import { answerLanguage } from '@/lib/language/answer-language';
import type { LanguageRequest } from '@/lib/language/protocol';

const scope = globalThis as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<LanguageRequest>) => void): void;
};
answerLanguage(
  { post: (message) => scope.postMessage(message), onMessage: (listener) => scope.addEventListener('message', (event) => listener(event.data)) },
  TYPE_LIBRARIES,
);
