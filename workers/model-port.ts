import type { Clock } from '@/lib/contracts/clock';
import type { ModelChoice } from '@/lib/contracts/commands';
import type { ModelRequest, StreamModel } from '@/lib/contracts/model';
import type { Connection, ModelFetch, ProviderId } from '@/lib/contracts/provider';
import type { ConnectionInput, ModelPort } from '@/lib/engine/ports';
import { createModelClient } from '@/lib/model/model-client';
import { providers } from '@/lib/providers/registry.gen';
import { toolsInDialect } from '@/lib/registry/tools-in-dialect';
import { CodedError } from '@/lib/shared/coded-error';
import { singly } from '@/lib/shared/singly';

export interface ModelPortOptions {
  readonly fetch: ModelFetch;
  /** Answers in real provider bytes without a network. */
  readonly practice: ModelFetch;
  /** The wire that practice speaks. */
  readonly practiceWire: ProviderId;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Chooses between the practice model and a connected one. The key lives in this closure alone. */
export function createModelPort(options: ModelPortOptions): ModelPort & {
  /** Another model of the connected provider; undefined while practice answers. */
  openNamed(model: string): { readonly name: string; readonly stream: StreamModel } | undefined;
} {
  let connected: Connection | undefined;
  let choice: 'practice' | 'connected' = 'practice';
  const streamOf = (connection: Connection, fetch: ModelFetch): StreamModel => {
    const provider = providers.find((known) => known.id === connection.provider);
    if (provider === undefined) throw new CodedError('bad-connection', `There is no wire named ${connection.provider}.`);
    const client = createModelClient({ provider, connection, fetch, after: options.clock.after, random: options.random });
    const dialect = provider.schemaDialect(connection.baseUrl);
    return (request, signal) => client({ ...request, tools: toolsInDialect(request.tools, dialect) }, signal);
  };
  const current = (): ModelChoice =>
    choice === 'connected' && connected !== undefined
      ? { kind: 'connected', provider: connected.provider, baseUrl: connected.baseUrl, model: connected.model }
      : { kind: 'practice' };
  return {
    current,
    connect(input) {
      connected = checked(input);
      choice = 'connected';
      return current();
    },
    choose(wanted) {
      if (wanted === 'connected' && connected === undefined)
        throw new CodedError('not-connected', 'No model is connected yet. Choose "Connect a model" and give its address and name.');
      choice = wanted;
      return current();
    },
    async test(input) {
      const connection = checked(input);
      const request: ModelRequest = {
        model: connection.model,
        system: 'Answer with one short word.',
        messages: [{ role: 'user', text: 'Say ready.' }],
        tools: [],
        maxOutputTokens: 64,
      };
      let reply = '';
      let thought = false;
      for await (const item of singly(streamOf(connection, options.fetch)(request, new AbortController().signal))) {
        if (item.type === 'error') throw new CodedError(item.error.code, item.error.message);
        if (item.type === 'text-delta') reply += item.text;
        if (item.type === 'reasoning-delta') thought = true;
      }
      if (reply.trim() !== '') return reply.trim();
      // A short answer of a model that thinks first may end before its first word.
      if (thought) return 'It thinks, and ran out of room for a word in this short test.';
      throw new CodedError(
        'empty-answer',
        `The endpoint answered, but ${connection.model} said nothing. Check the model’s name and the address, then test again.`,
      );
    },
    openNamed(model) {
      if (choice !== 'connected' || connected === undefined) return undefined;
      return { name: model, stream: streamOf({ ...connected, model }, options.fetch) };
    },
    open() {
      if (choice === 'connected' && connected !== undefined) return { name: connected.model, stream: streamOf(connected, options.fetch) };
      const connection: Connection = { provider: options.practiceWire, baseUrl: 'https://practice.invalid', apiKey: 'practice', model: 'practice' };
      return { name: 'practice', stream: streamOf(connection, options.practice) };
    },
  };
}

function checked(input: ConnectionInput): Connection {
  const baseUrl = input.baseUrl.trim().replace(/\/+$/, '');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new CodedError(
      'bad-connection',
      `The address ${JSON.stringify(input.baseUrl)} is not a URL. It looks like https://api.example.com/v1 or http://localhost:11434/v1.`,
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new CodedError('bad-connection', 'The address has to begin with https:// or http://.');
  if (input.model.trim() === '') throw new CodedError('bad-connection', 'The model needs a name, as the provider spells it.');
  return { provider: input.provider, baseUrl, apiKey: input.apiKey.trim(), model: input.model.trim() };
}
