import { describe, expect, it } from 'vitest';
import { deferTools } from '@/lib/catalog/defer-tools';
import { defineTool } from '@/lib/contracts/tool-spec';
import { z } from '@/lib/contracts/zod';
import type { JsonObject } from '@/lib/shared/json';
import { createEngineWorld, said, testTool } from '@/test/support/engine-world';

const edit = (capability: 'read-only' | 'writes-files') =>
  defineTool({
    name: 'edit_file',
    description: 'Edits.',
    input: z.object({ path: z.string(), search: z.string(), replace: z.string(), expected_count: z.number().int().optional() }),
    capabilities: [capability],
    deferLoading: true,
    execute: async () => said('edited'),
  });

/** Calls the deferred tool in one step after the other; answers what came back and what was sent. */
async function play(capability: 'read-only' | 'writes-files', ...inputs: readonly JsonObject[]) {
  const world = await createEngineWorld({
    tools: [
      edit(capability),
      testTool('a_later', ['read-only'], async () => said('x'), { deferLoading: true }),
      testTool('z_resident', ['read-only'], async () => said('x')),
    ],
    wrap: deferTools,
    mode: 'auto-edit',
    model: (_, step) => {
      const input = inputs[step];
      return input === undefined ? { text: 'Done.' } : { calls: [{ name: 'edit_file', input }] };
    },
  });
  await world.send('go');
  return {
    outcomes: world.of('call-settled').map(({ outcome }) => outcome),
    sent: world.requests.map((request) => request.tools.map(({ name }) => name)),
    failures: world.of('result-push').map(({ content }) => content),
  };
}

describe('a deferred tool that is called by name', () => {
  it('cl-01 is activated, not executed, and the result teaches', async () => {
    const { outcomes, sent } = await play('writes-files', { path: 'a', old_string: 'x', new_string: 'y' }, { path: 'a', search: 'x', replace: 'y' });
    expect(outcomes.map(({ status, started }) => [status, started])).toEqual([
      ['refused', false],
      ['ok', true],
    ]);
    expect(outcomes[0]?.metadata).toEqual({
      retry_required: true,
      activated: 'edit_file',
      expected: { path: 'string, required', search: 'string, required', replace: 'string, required', expected_count: 'integer' },
      received: ['path', 'old_string', 'new_string'],
      missing: ['search', 'replace'],
      unexpected: ['old_string', 'new_string'],
      corrections: { old_string: 'search', new_string: 'replace' },
    });
    expect(outcomes[0]?.content.split('\n')).toEqual([
      'edit_file was not executed: it had not been loaded, so its fields were not known. It is loaded now.',
      'expected: path (string, required), search (string, required), replace (string, required), expected_count (integer)',
      'received: path, old_string, new_string',
      'missing: search, replace',
      'unexpected: old_string, new_string',
      'likely corrections: old_string → search, new_string → replace',
      'retry_required: true',
      'Send the call again with these fields.',
    ]);
    expect(sent).toEqual([['z_resident'], ['z_resident', 'edit_file'], ['z_resident', 'edit_file']]);
  });

  it('cl-01 is not executed either when its arguments are right and it can change something', async () => {
    const { outcomes } = await play('writes-files', { path: 'a', search: 'x', replace: 'y' });
    expect(outcomes.map(({ status, metadata }) => [status, metadata?.['missing']])).toEqual([['refused', []]]);
  });

  it('cl-01 just runs when its arguments validate and it only reads', async () => {
    const { outcomes, sent } = await play('read-only', { path: 'a', search: 'x', replace: 'y' });
    expect(outcomes.map(({ content }) => content)).toEqual(['edited']);
    expect(sent).toEqual([['z_resident'], ['z_resident', 'edit_file']]);
  });

  it('being taught is no failure of the tool', async () => {
    const { failures } = await play('writes-files', {}, { path: 'a' }, { path: 'b' }, { path: 'c' });
    expect(failures.map((content) => content.includes('times in a row'))).toEqual([false, false, false, true]);
  });
});
