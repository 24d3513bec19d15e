import { loadPeer } from './peers';

interface AiSdk {
  streamText(options: object): { consumeStream(): Promise<void> };
  tool(options: object): unknown;
  stepCountIs(count: number): unknown;
}
interface AnthropicSdk {
  createAnthropic(options: { readonly apiKey: string; readonly fetch: () => Promise<Response> }): (model: string) => unknown;
}
interface Zod {
  readonly z: typeof import('zod');
}

/** The same turn in the AI SDK; undefined where it is not installed. */
export async function aiSdkTurn(answer: () => Promise<Response>): Promise<(() => Promise<void>) | undefined> {
  const ai = await loadPeer<AiSdk>('ai');
  const anthropic = await loadPeer<AnthropicSdk>('@ai-sdk/anthropic');
  const zod = await loadPeer<Zod>('zod');
  if (ai === undefined || anthropic === undefined || zod === undefined) return undefined;
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { z } = zod;
  const model = anthropic.createAnthropic({ apiKey: 'none', fetch: answer })('m');
  const inputSchema = z.object({ path: z.string(), start_line: z.number().int().optional() });
  return async () => {
    const instant = ai.tool({ description: 'Answers at once.', inputSchema, execute: async () => 'ok' });
    await ai.streamText({ model, prompt: 'go', tools: { instant }, stopWhen: ai.stepCountIs(2) }).consumeStream();
  };
}
