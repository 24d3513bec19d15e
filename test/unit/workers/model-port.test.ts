import { expect, test } from 'vitest';
import { systemClock } from '@/lib/shared/system-clock';
import { createModelPort } from '@/workers/model-port';

/** What the person is told of a model whose answer has these deltas. */
async function testOf(...deltas: readonly Record<string, string>[]): Promise<string> {
  const fetch = async (): Promise<Response> => {
    const events = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ];
    const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const port = createModelPort({ fetch, practice: fetch, practiceWire: 'anthropic', clock: systemClock, random: () => 0.5 });
  return port.test({ provider: 'openai-chat', baseUrl: 'http://localhost:11434/v1', model: 'small', apiKey: '' });
}

test('the test of a model tells its word, and that it was only thinking', async () => {
  expect(await testOf({ content: ' Ready' }, { content: '.\n' })).toBe('Ready.');
  expect(await testOf({ reasoning_content: 'They want me to' })).toBe('It thinks, and ran out of room for a word in this short test.');
});

test('a model that says nothing has not passed its test', async () => {
  await expect(testOf()).rejects.toMatchObject({ code: 'empty-answer', message: expect.stringContaining('small said nothing') });
  await expect(testOf({ content: '\n' })).rejects.toMatchObject({ code: 'empty-answer' });
});
