import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@/lib/contracts/json-schema';
import type { ToolContext } from '@/lib/contracts/tool-context';
import type { ToolSpec } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import { createToolDispatcher } from '@/lib/registry/tool-dispatcher';

const noHost = { files: {}, signal: { aborted: false } } as unknown as ToolContext;
const tool = (name: string, inputSchema: unknown = { type: 'object' }): ToolSpec => ({
  name,
  description: name,
  input: z.looseObject({}),
  inputSchema: inputSchema as JsonSchema,
  capabilities: ['read-only'],
  execute: async () => ({ ok: true, content: `${name} ran` }),
});
const contentOf = async (specs: readonly ToolSpec[], name: string): Promise<string> => (await createToolDispatcher(specs).execute(name, {}, noHost)).content;

describe('the one entrance', () => {
  it('gives a good tool its name although a stand-in would have taken it first', async () => {
    const specs = [tool('read file'), tool('read_file')];
    const dispatcher = createToolDispatcher(specs);
    expect(dispatcher.names()).toEqual(['read_file', 'read_file_2']);
    expect(await contentOf(specs, 'read_file')).toBe('read_file ran');
    expect(await contentOf(specs, 'read_file_2')).toBe(
      'read_file_2 is not available: its name "read file" is not made of 1 to 64 letters, digits, _ and -. Nothing was executed. Use another tool.',
    );
  });

  it('says in the description of a stand-in that it is closed, and why', () => {
    const [sent] = createToolDispatcher([tool('bad', [])]).apiTools();
    expect(sent).toEqual({
      name: 'bad',
      description: 'Unavailable: this tool failed to initialise and is fail-closed. Do not call it. Reason: its input schema is not a JSON object.',
      inputSchema: { type: 'object', properties: {} },
    });
  });

  it('keeps the first of two tools of one name', async () => {
    const second: ToolSpec = { ...tool('same'), execute: async () => ({ ok: true, content: 'the second ran' }) };
    expect([await contentOf([tool('same'), second], 'same'), createToolDispatcher([tool('same'), second]).names()]).toEqual(['same ran', ['same', 'same_2']]);
  });

  it('takes no schema that is too deep to be written as text', () => {
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 50_000; level++) deep = { items: deep };
    const [sent] = createToolDispatcher([tool('deep', { type: 'object', properties: { deep } })]).apiTools();
    expect(sent?.description).toMatch(/Reason: its input schema is nested deeper than 500 levels\.$/);
  });

  it('sends a foreign schema made neutral, and leaves the given one as it was', () => {
    const given = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, required: ['a', 'ghost'] };
    const before = structuredClone(given);
    const [sent] = createToolDispatcher([tool('t', given)]).apiTools();
    expect(sent?.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string', nullable: true } }, required: ['a'] });
    expect(given).toEqual(before);
  });
});
