import { describe, expect, it } from 'vitest';
import type { WorkerPort } from '@/lib/contracts/runtime';
import type { SearchRequest } from '@/lib/contracts/tool-context';
import { createSearch } from '@/lib/runtime/search';
import { findMatches } from '@/lib/runtime/search-matches';
import { createThreadSpawner } from '@/scripts/support/spawn-thread-worker';

const request = (pattern: string, texts: Readonly<Record<string, string>>, given: Partial<SearchRequest> = {}): SearchRequest => ({
  pattern,
  flags: 'g',
  maxMatches: 100,
  texts: Object.entries(texts).map(([path, text]) => ({ path, text })),
  ...given,
});

describe('findMatches', () => {
  it('names each matching line once, by path and number', () => {
    expect(findMatches(request('a', { x: 'a a\nb\nba\n', y: 'A', z: 'a' }))).toEqual([
      { path: 'x', line: 1 },
      { path: 'x', line: 3 },
      { path: 'z', line: 1 },
    ]);
    expect(findMatches(request('a', { x: 'b\r\na\r\n', y: 'A' }, { flags: 'gi' }))).toEqual([
      { path: 'x', line: 2 },
      { path: 'y', line: 1 },
    ]);
  });

  it('^ and $ are the ends of lines, whatever the line ends with', () => {
    expect(findMatches(request('^b$', { x: 'ab\r\nb\r\nbc\nb' })).map(({ line }) => line)).toEqual([2, 4]);
  });

  it('a pattern that names a newline is matched across lines', () => {
    expect(findMatches(request('b\\nc', { x: 'a\nb\nc\nb\nc' })).map(({ line }) => line)).toEqual([2, 4]);
  });

  it('no line is found after the last newline, and no more than were asked for', () => {
    expect(findMatches(request('^', { x: 'a\nb\n' })).map(({ line }) => line)).toEqual([1, 2]);
    expect(findMatches(request('a', { x: 'a\na\na' }, { maxMatches: 2 }))).toHaveLength(2);
  });
});

describe('createSearch', () => {
  it('searches in a worker; a pattern that is none says so', async () => {
    const search = createSearch(await createThreadSpawner());
    const { signal } = new AbortController();
    expect(await search(request('b.r', { x: 'foo\nbar' }), signal)).toEqual([{ path: 'x', line: 2 }]);
    await expect(search(request('(', { x: '' }), signal)).rejects.toMatchObject({ code: 'invalid-pattern' });
    expect(await search(request('o{2}', { x: 'foo\nbar' }), signal)).toEqual([{ path: 'x', line: 1 }]);
  });

  it('ends the worker of a search that is cancelled or takes too long, and says how to simplify the pattern', async () => {
    const ended: string[] = [];
    const spawner = await createThreadSpawner();
    const search = createSearch((kind): WorkerPort => {
      const port = spawner(kind);
      return {
        ...port,
        terminate() {
          ended.push(kind);
          port.terminate();
        },
      };
    });
    const endless = request('(a+)+$', { x: `${'a'.repeat(60)}b` });
    const abort = new AbortController();
    const cancelled = search(endless, abort.signal);
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect(search(endless, new AbortController().signal)).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('Simplify') });
    expect(ended).toEqual(['search', 'search']);
  });
});
