// Written by `npm run sync`; do not edit.
import type { Provider } from '@/lib/contracts/provider';
import { anthropic } from './anthropic';
import { openaiChat } from './openai-chat';

/** Every plug of lib/providers, by path. */
export const providers: readonly Provider[] = [
  anthropic,
  openaiChat,
];
