import { describe, expect, it } from 'vitest';
import type { ModelRequest, ModelStreamItem } from '@/lib/contracts/model';
import { createModelSummary } from '@/lib/engine/summarise-with-model';
import { createVirtualClock } from '@/test/support/virtual-clock';

describe('a summary by a model', () => {
  const clock = createVirtualClock();
  const answering = (items: readonly ModelStreamItem[]) => {
    const requests: ModelRequest[] = [];
    const open = () => ({
      name: 'cheap',
      async *stream(request: ModelRequest): AsyncIterable<ModelStreamItem> {
        requests.push(request);
        yield* items;
      },
    });
    return { requests, port: createModelSummary(open, clock) };
  };

  it('gets the text as material, no tools, and a limit', async () => {
    const { requests, port } = answering([
      { type: 'text-delta', text: 'In ' },
      { type: 'text-delta', text: 'short.' },
    ]);
    expect(await port.model?.('a long page', 'a.example')).toBe('In short.');
    expect(requests).toMatchObject([{ model: 'cheap', tools: [], messages: [{ role: 'user', text: 'From a.example:\n\na long page' }], maxOutputTokens: 800 }]);
  });

  it('is none where there is no model, and fails with it', async () => {
    expect(await createModelSummary(() => undefined, clock).model?.('x', 'y')).toBe('');
    await expect(answering([{ type: 'error', error: { code: 'overloaded', message: 'It is too busy.' } as never }]).port.model?.('x', 'y')).rejects.toThrow(
      'It is too busy.',
    );
  });

  it('is given up after thirty seconds', async () => {
    const open = () => ({
      name: 'slow',
      async *stream(_: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamItem> {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield { type: 'text-delta', text: 'late' };
      },
    });
    const summary = createModelSummary(open, clock).model?.('x', 'y');
    const settled = expect(summary).rejects.toThrow('took too long');
    await clock.settle();
    await clock.advance(30_000);
    await settled;
  });
});
