// Written by `npm run sync`; do not edit.
import type { Provider } from '@/lib/contracts/provider';
import { anthropic } from './anthropic';
import { gemini } from './gemini';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';

/** Every plug of lib/providers, by path. */
export const providers: readonly Provider[] = [
  anthropic,
  gemini,
  openaiChat,
  openaiResponses,
];
