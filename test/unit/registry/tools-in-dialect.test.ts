import { describe, expect, it } from 'vitest';
import type { ApiTool } from '@/lib/contracts/dispatcher';
import { providers } from '@/lib/providers/registry.gen';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';
import { toolsInDialect } from '@/lib/registry/tools-in-dialect';
import { systemClock } from '@/lib/shared/system-clock';
import { builtInTools as builtIns } from '@/lib/tools/registry.gen';
import { createModelPort } from '@/workers/model-port';

const tool: ApiTool = {
  name: 't',
  description: 'd',
  inputSchema: { properties: { q: { type: 'string', nullable: true, minLength: 2 } }, nullable: true },
};

/** The tools in the body of a request that a model of this wire and address gets. */
async function sentTo(provider: string, baseUrl: string): Promise<unknown> {
  let body = '';
  const fetch = async (_: string, init: { readonly body: string }): Promise<Response> => {
    body = init.body;
    return new Response('', { status: 400 });
  };
  const port = createModelPort({ fetch, practice: fetch, practiceWire: 'anthropic', clock: systemClock, random: () => 0.5 });
  port.connect({ provider: provider as never, baseUrl, model: 'm', apiKey: '' });
  const request = { model: 'm', system: '', messages: [], tools: [tool], maxOutputTokens: 1 };
  for await (const _ of port.open(undefined).stream(request, new AbortController().signal));
  return JSON.parse(body).tools;
}

describe('the tools of a request', () => {
  it('reach each provider in its own dialect, the root always an object', async () => {
    const inOpenAi = { type: 'object', properties: { q: { type: ['string', 'null'], minLength: 2 } } };
    const inDeepSeek = { type: 'object', properties: { q: { anyOf: [{ type: 'string' }, { type: 'null' }], description: '(minLength 2)' } } };
    const plain = { type: 'object', properties: { q: { type: 'string', nullable: true, minLength: 2 } } };
    expect([
      await sentTo('anthropic', 'https://api.anthropic.com'),
      await sentTo('openai-chat', 'http://localhost:11434/v1'),
      await sentTo('openai-chat', 'https://api.deepseek.com'),
      await sentTo('openai-responses', 'https://api.openai.com/v1'),
      await sentTo('gemini', 'https://generativelanguage.googleapis.com'),
    ]).toEqual([
      [{ name: 't', description: 'd', input_schema: plain }],
      [{ type: 'function', function: { name: 't', description: 'd', parameters: inOpenAi } }],
      [{ type: 'function', function: { name: 't', description: 'd', parameters: inDeepSeek } }],
      [{ type: 'function', name: 't', description: 'd', parameters: inOpenAi, strict: false }],
      [{ functionDeclarations: [{ name: 't', description: 'd', parameters: plain }] }],
    ]);
  });

  it('are made once for one list of a dispatcher', () => {
    const sent = createToolDispatcher(builtIns).apiTools();
    expect(toolsInDialect(sent, 'gemini')).toBe(toolsInDialect(sent, 'gemini'));
    expect(toolsInDialect(sent, 'gemini')).not.toBe(toolsInDialect(sent, 'deepseek'));
  });

  it('name the same fields in every dialect', () => {
    const sent = createToolDispatcher(builtIns).apiTools();
    const fieldsOf = (tools: readonly ApiTool[]) =>
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}), inputSchema.required ?? []]);
    for (const provider of providers) expect(fieldsOf(toolsInDialect(sent, provider.schemaDialect(provider.defaultBaseUrl)))).toEqual(fieldsOf(sent));
  });
});
