import type { ProviderId } from '@/lib/contracts/provider';

export interface ModelPreset {
  readonly provider: ProviderId;
  readonly label: string;
  readonly baseUrl: string;
  /** Shown in the empty field. */
  readonly modelExample: string;
  /** What a person has to know to fill in the form. */
  readonly hint: string;
}

export const modelPresets: readonly ModelPreset[] = [
  {
    provider: 'anthropic',
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    modelExample: 'claude-sonnet-4-5',
    hint: 'Asked directly from this page, with your own key.',
  },
  {
    provider: 'openai-chat',
    label: 'OpenAI-compatible',
    baseUrl: 'https://api.openai.com/v1',
    modelExample: 'gpt-5-mini',
    hint: 'Chat Completions: OpenAI, OpenRouter, DeepSeek, or a local server. Ollama: http://localhost:11434/v1 with OLLAMA_ORIGINS set; LM Studio: http://localhost:1234/v1 with --cors.',
  },
  {
    provider: 'openai-responses',
    label: 'OpenAI Responses',
    baseUrl: 'https://api.openai.com/v1',
    modelExample: 'gpt-5-mini',
    hint: 'The newer API of OpenAI, also spoken by LM Studio (http://localhost:1234/v1 with --cors). Nothing is kept at the provider between steps.',
  },
  {
    provider: 'gemini',
    label: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    modelExample: 'gemini-2.5-flash',
    hint: 'Asked directly from this page, with your own key from Google AI Studio.',
  },
];

/** What is wrong with an address, in words; undefined = nothing. */
export function addressProblem(address: string): string | undefined {
  if (!URL.canParse(address)) return 'This is not an address. It begins with https:// or http://.';
  const { protocol, username, password } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return 'The address must begin with https:// or http://.';
  if (username !== '' || password !== '') return 'Put the key into the key field, not into the address.';
  return undefined;
}
