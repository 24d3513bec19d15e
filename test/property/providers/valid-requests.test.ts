import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallId } from '@/lib/contracts/ids';
import type { Message } from '@/lib/contracts/message';
import type { Connection, ProviderId } from '@/lib/contracts/provider';
import { providers } from '@/lib/providers/registry.gen';

type Item = Readonly<Record<string, unknown>>;

const ids = fc.constantFrom('a', 'b', 'c.d', 'c:d', '', 'x'.repeat(70));
const signature = fc.constantFrom(
  'anthropic:signature:S',
  'openai-responses:{"id":"r","encrypted_content":"E"}',
  'gemini:call:C',
  'gemini:text:T',
  'openai-chat:reasoning',
);
const block = fc.oneof(
  fc.record({ kind: fc.constant('call' as const), callId: ids, wireId: ids, name: fc.constantFrom('grep', 'read file', ''), input: fc.constant({ a: 1 }) }),
  fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom('', 'words') }),
  fc.record({ kind: fc.constant('reasoning' as const), text: fc.constantFrom('', 'hm'), signature }, { requiredKeys: ['kind', 'text'] }),
);
const result = fc.record({ callId: ids, wireId: ids, name: fc.constant('grep'), content: fc.constantFrom('', 'out'), isError: fc.boolean() });
const history = fc.array(
  fc.oneof(
    fc.record({ role: fc.constant('user' as const), text: fc.constantFrom('', 'go') }),
    fc.record({ role: fc.constant('assistant' as const), blocks: fc.array(block, { maxLength: 5 }) }),
    fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 3 }) }),
  ),
  { maxLength: 8 },
) as unknown as fc.Arbitrary<readonly (Message & { readonly callId?: CallId })[]>;

const list = (value: unknown): readonly Item[] => (Array.isArray(value) ? value : []);
const ofType = (content: unknown, type: string): readonly Item[] => list(content).filter((each) => each.type === type);

/** A request of each wire as one list of steps: a result `-id`, the role of a message, a call `+id`. */
const trails: Readonly<Record<ProviderId, (body: Item) => readonly string[]>> = {
  anthropic: (body) =>
    list(body.messages).flatMap(({ role, content }) => {
      const results = ofType(content, 'tool_result').map((each) => `-${each.tool_use_id}`);
      return [...results, ...(list(content).length > 0 ? [String(role)] : ['empty']), ...ofType(content, 'tool_use').map((each) => `+${each.id}`)];
    }),
  'openai-chat': (body) =>
    list(body.messages).flatMap((each) =>
      each.role === 'tool' ? [`-${each.tool_call_id}`] : [String(each.role), ...list(each.tool_calls).map(({ id }) => `+${id}`)],
    ),
  // The items of one response go back as they came: its text may stand between a call and the result.
  'openai-responses': (body) =>
    list(body.input).flatMap((each) => {
      if (each.type === 'function_call') return [`+${each.call_id}`];
      return each.type === 'function_call_output' ? [`-${each.call_id}`] : each.role === 'user' ? ['user'] : [];
    }),
  gemini: (body) =>
    list(body.contents).flatMap(({ role, parts }) => {
      const stepsOf = (key: string, sign: string) => list(parts).flatMap((part) => (part[key] === undefined ? [] : [`${sign}${(part[key] as Item).id}`]));
      return [...stepsOf('functionResponse', '-'), list(parts).length > 0 ? String(role) : 'empty', ...stepsOf('functionCall', '+')];
    }),
};

it.each(providers)('any history becomes a request of $id in which every call has its one result, in order, under legal ids', (provider) => {
  const connection: Connection = { provider: provider.id, baseUrl: provider.defaultBaseUrl, apiKey: '', model: 'm' };
  fc.assert(
    fc.property(history, (messages) => {
      const body = JSON.parse(provider.encode(connection, { model: 'm', system: '', messages, tools: [], maxOutputTokens: 1 }).body) as Item;
      const trail = trails[provider.id](body);
      const calls = trail.filter((step) => step.startsWith('+')).map((step) => step.slice(1));
      expect(trail.filter((step) => step.startsWith('-')).map((step) => step.slice(1))).toEqual(calls);
      expect(new Set(calls).size).toBe(calls.length);
      expect(calls.filter((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id))).toEqual([]);
      expect(trail).not.toContain('empty');
      let waiting = 0;
      for (const step of trail) {
        if (step.startsWith('+')) waiting++;
        else if (step.startsWith('-')) expect(--waiting).toBeGreaterThanOrEqual(0);
        else expect(waiting).toBe(0);
      }
      expect(waiting).toBe(0);
    }),
    { numRuns: 1000 },
  );
});
