import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '@/lib/shared/bytes';
import { codeOf } from '@/lib/shared/coded-error';
import type { Json } from '@/lib/shared/json';
import { handleRead } from '@/lib/tools/results/handle-read';
import { findByPath } from '@/lib/tools/results/handle-read/json-path';
import { spill } from '@/test/contract/store/stores-contract';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const store: Json = {
  books: [
    { title: 'A', price: 8, tags: ['x'] },
    { title: 'B', price: 12, isbn: '1' },
    { title: "C's", price: 9 },
  ],
  'odd name': { deep: { price: 1 } },
};
const at = (path: string) => findByPath(store, path).map((match) => match.path);

describe('a JSONPath', () => {
  it('names values by name, place, slice, list and wildcard', () => {
    expect(at('$')).toEqual(['$']);
    expect(at('$.books[0].title')).toEqual(['$.books[0].title']);
    expect(at("$['odd name']['deep']")).toEqual(['$["odd name"].deep']);
    expect(at('$.books[-1]')).toEqual(['$.books[2]']);
    expect(at('$.books[0:2].price')).toEqual(['$.books[0].price', '$.books[1].price']);
    expect(at('$.books[::-2]')).toEqual(['$.books[2]', '$.books[0]']);
    expect(at('$.books[2, 0]["title"]')).toEqual(['$.books[2].title', '$.books[0].title']);
    expect(at('$.*')).toEqual(['$.books', '$["odd name"]']);
    expect(at('$..price')).toEqual(['$.books[0].price', '$.books[1].price', '$.books[2].price', '$["odd name"].deep.price']);
    expect(at('$.books.length')).toEqual([]);
  });

  it('filters by conditions that are compared, never run', () => {
    expect(at('$.books[?@.price < 10]')).toEqual(['$.books[0]', '$.books[2]']);
    expect(at("$.books[?(@.title == 'C\\'s' || @.isbn)]")).toEqual(['$.books[1]', '$.books[2]']);
    expect(at('$.books[?!@.isbn && @.tags[0] == "x"].title')).toEqual(['$.books[0].title']);
    expect(at('$.books[?@.constructor]')).toEqual([]);
    expect(at('$.__proto__')).toEqual([]);
  });

  it('that cannot be read is refused with its place', () => {
    for (const path of ['', 'books', '$.', '$[', '$[abc]', '$.books[?@.a ==]', '$.books[?1]', '$[(1)]', `$${'[0]'.repeat(101)}`, `$[?${'('.repeat(60)}@`])
      expect(codeOf(thrown(() => findByPath(store, path)))).toBe('invalid-input');
    expect(String(thrown(() => findByPath(store, '$.a[x]')))).toContain('at position 5');
  });

  it('never throws anything else, and ends', () => {
    const piece = fc.constantFrom(
      '$',
      '.',
      '..',
      '[',
      ']',
      '*',
      '?',
      '@',
      '0',
      '-1',
      ':',
      ',',
      "'a'",
      '"b',
      'books',
      'price',
      '==',
      '<',
      '&&',
      '||',
      '(',
      ')',
      '!',
      ' ',
      'true',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
        const error = thrown(() => findByPath(store, `$${parts.join('')}`));
        expect(error === undefined || codeOf(error) === 'invalid-input').toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('that visits a document over and over is stopped', () => {
    let nested: Json = 1;
    for (let depth = 0; depth < 200; depth++) nested = [nested, nested];
    expect(codeOf(thrown(() => findByPath(nested, '$..*')))).toBe('invalid-input');
  });

  it('that names every entry of a long list finds them all, and is stopped when it names them over and over', () => {
    const list: Json = Array.from({ length: 150_000 }, (_, index) => index);
    expect(findByPath(list, '$..*')).toHaveLength(150_000);
    expect(findByPath(list, '$..*')[149_999]).toMatchObject({ path: '$[149999]', value: 149_999 });
    for (const often of ['*', '0:'])
      expect(codeOf(thrown(() => findByPath(list, `$[${Array.from({ length: 100 }, () => often).join()}]`)))).toBe('invalid-input');
  });
});

function thrown(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('handle_read', () => {
  const { context } = createMemoryContext({
    spills: [{ ...spill('d1', JSON.stringify(store)), holds: 'data', origin: 'a.example' }, spill('t1', 'text')],
  });
  const read = (input: Record<string, unknown>) => runTool(handleRead, { handle: 'd1', ...input }, context);

  it('reads by each of its five ways, and says where the data is from', async () => {
    expect(await read({ jsonpath: '$.books[*].title' })).toEqual({
      ok: true,
      content: '[3 values found; 158 bytes of data under d1]\n$.books[0].title = "A"\n$.books[1].title = "B"\n$.books[2].title = "C\'s"'.replace(
        '158 bytes',
        `${JSON.stringify(store).length} bytes`,
      ),
      metadata: { origin: 'a.example' },
    });
    expect((await read({ count: '$.books' })).content).toMatch(/\n1 value\n\$\.books: a list of 3 entries$/);
    expect((await read({ slice: '-1:' })).content).toMatch(/^\[1 entry of 2;.*\n"odd name": /);
    expect((await read({ range: '1-2' })).content).toMatch(/^\[Lines 1-2 of 2\d;.*\n\{\n "books": \[$/);
    expect((await read({ introspect: true })).content).toMatch(/\n\$: an object of 2 keys\n {2}\.books: a list of 3 entries\n {4}\[0\]: an object of 3 keys\n/);
  });

  it('keeps within max_bytes and says how much there is', async () => {
    expect((await read({ jsonpath: '$..*', max_bytes: 200 })).content).toMatch(/\n\[max_bytes reached: [\d,.]+ (bytes|KB) in all; /);
  });

  it('reaches every character of a long text by the calls that it names itself', async () => {
    const html = Array.from({ length: 6_000 }, (_, index) => `<é "${index}😀">`).join('\n');
    const data = createMemoryContext({
      spills: [
        { ...spill('h', JSON.stringify({ 'a page': { html } })), holds: 'data' },
        { ...spill('s', JSON.stringify(html)), holds: 'data' },
      ],
    });
    const follow = async (handle: string, first: Record<string, unknown>, value: RegExp) => {
      let whole = '';
      let next: Record<string, unknown> | undefined = first;
      while (next !== undefined) {
        const { content } = await runTool(handleRead, { handle, max_bytes: 30_000, ...next }, data.context);
        expect(utf8Length(content)).toBeLessThan(30_300);
        whole += JSON.parse(value.exec(content)?.[1] ?? 'null') as string;
        const path = /… \[text cut: [\d,]+ characters; goes on with jsonpath=(.*)\]\n\[max_bytes reached: /.exec(content)?.[1];
        next = path === undefined ? undefined : { jsonpath: path };
      }
      return whole;
    };
    expect(await follow('h', { jsonpath: '$["a page"].html' }, /\n\$\["a page"\]\.html(?:\[\d+:\d+\])? = ("(?:[^"\\]|\\.)*")/)).toBe(html);
    expect(await follow('h', { jsonpath: '$["a page"].html[10:60000]' }, /\n\$\["a page"\]\.html\[\d+:\d+\] = ("(?:[^"\\]|\\.)*")/)).toBe(
      html.slice(10, 60_000),
    );
    expect(await follow('s', { slice: '0:' }, /\n(?:\$\[\d+:\d+\] = )?("(?:[^"\\]|\\.)*")/)).toBe(html);
    const line = (await runTool(handleRead, { handle: 'h', range: '3' }, data.context)).content;
    const at = /… \[line cut: [\d.]+ KB; goes on with range="3\+(\d+)"\]$/.exec(line)?.[1];
    expect((await runTool(handleRead, { handle: 'h', range: `3+${at}` }, data.context)).content).toMatch(new RegExp(`^\\[Line 3 from byte ${at} of 5;`));
  });

  it('names the call that goes on behind the entries and lines it has shown', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ n, words: 'w'.repeat(30) }));
    const data = createMemoryContext({ spills: [{ ...spill('rows', JSON.stringify(rows)), holds: 'data' }] });
    const readRows = async (input: Record<string, unknown>) => (await runTool(handleRead, { handle: 'rows', max_bytes: 200, ...input }, data.context)).content;
    expect(await readRows({ slice: '10:90' })).toMatch(
      /^\[80 entries of 100; [^\n]*\n10: \{.*\n\[max_bytes reached: [\d.]+ KB in all; slice="13:90" goes on\]$/s,
    );
    expect(await readRows({ range: '1-50' })).toMatch(/\n\[max_bytes reached: range="\d+-50" goes on\]$/);
    expect(await readRows({ jsonpath: '$' })).toMatch(/\n\$ = \[\{"n":0,.*… \[cut: 4\.9 KB; its parts come one by one with jsonpath=\$\[0:20\]\]\n\[max_bytes/);
  });

  it('takes no parts of texts behind two dots, and keeps a sign of two units whole', () => {
    expect(findByPath({ a: ['x', 'yz'], b: 'text' }, '$..[0:1]').map(({ path }) => path)).toEqual(['$.a[0]']);
    expect(findByPath('a😀b', '$[2:]')[0]).toMatchObject({ path: '$[1:4]', value: '😀b' });
    expect(findByPath('text', '$[-2:]')[0]?.value).toBe('xt');
  });

  it('writes out of values that lie in one another only what says how much there is', async () => {
    let nested: Json = 1;
    for (let depth = 0; depth < 3_000; depth++) nested = { a: nested };
    const deep = createMemoryContext({ spills: [{ ...spill('deep', JSON.stringify(nested)), holds: 'data' }] });
    const { content } = await runTool(handleRead, { handle: 'deep', jsonpath: '$..a', max_bytes: 300 }, deep.context);
    expect(content).toMatch(/^\[3,000 values found; .*\]\n\$\.a = \{"a":/);
    expect(content).toMatch(/\n\[max_bytes reached: more than 9\d\d\.\d KB in all; take less with a closer jsonpath, a slice or a range\]$/);
  });

  it('teaches what to send instead', async () => {
    await expect(read({ handle: 'nope', introspect: true })).rejects.toThrow('No data is kept under "nope"');
    await expect(read({ handle: 't1', introspect: true })).rejects.toThrow('Call retrieve_tool_result ref=t1');
    await expect(read({ slice: 'x' })).rejects.toThrow('Send a beginning and an end');
    expect(handleRead.validateInput?.({ handle: 'd1', max_bytes: 200 })).toMatchObject({ kind: 'missing-field' });
    expect(handleRead.validateInput?.({ handle: 'd1', slice: '0:1', range: '1', max_bytes: 200 })).toMatchObject({ kind: 'invalid-input' });
  });
});
