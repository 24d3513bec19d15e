import { parentPort } from 'node:worker_threads';
import { answerLanguage } from '@/lib/language/answer-language';

answerLanguage({ post: (message) => parentPort?.postMessage(message), onMessage: (listener) => parentPort?.on('message', listener) }, TYPE_LIBRARIES);
