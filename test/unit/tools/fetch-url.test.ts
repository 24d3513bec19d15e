import { describe, expect, it } from 'vitest';
import { fetchUrl } from '@/lib/tools/net/fetch-url';
import { htmlToMarkdown } from '@/lib/tools/net/fetch-url/html-to-markdown';
import { createMemoryContext, runTool } from '@/test/support/memory-context';

const base = 'https://a.example/docs/page';

describe('a page as markdown', () => {
  it('keeps headings, links, lists, code, quotes and tables, and leaves scripts out', () => {
    const html = `<!doctype html><html><head><title>T &amp; U</title><style>p{}</style></head><body><script>alert("<p>")</script>
      <h1>Head</h1><p>One   <b>bold</b> and <i>thin</i>,<br>two &lt;tags&gt; &#8212; &hellip; <a href="../x y">link</a> <a href="javascript:alert(1)">not</a></p>
      <ul><li>a<li>b<ul><li>c</ul></ul><ol><li>x</li><li>y</li></ol>
      <pre><code>let a = 1;\n  b();</code></pre><blockquote><p>said</p></blockquote>
      <table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table><!-- no --><img src=x alt="A picture"></body></html>`;
    expect(htmlToMarkdown(html, base)).toBe(
      [
        '# Head',
        'One **bold** and _thin_,\\ntwo <tags> — … [link](https://a.example/x%20y) not'.replace('\\n', '\n'),
        '- a\n- b\n\n  - c',
        '1. x\n2. y',
        '```\nlet a = 1;\n  b();\n```',
        '> said',
        '| k | v |\n| --- | --- |\n| 1 | 2 |',
        '![A picture]',
      ].join('\n\n'),
    );
  });

  it('begins with the title where the page has no heading, and can be words alone', () => {
    expect(htmlToMarkdown('<title> A  title </title><p>x <a href="/y">y</a> <b>z</b>', base)).toBe('# A title\n\nx [y](https://a.example/y) **z**');
    expect(htmlToMarkdown('<title>A title</title><p>x <a href="/y">y</a> <b>z</b>', base, true)).toBe('A title\n\nx y z');
  });

  it('reads broken markup without losing text', () => {
    expect(htmlToMarkdown('a < b and 1<2 <p>c</p </div> d &unknown; &#x110000; <p class="x>e', base)).toBe('a < b and 1<2\n\nc\n\nd &unknown; �\n\ne');
    expect(htmlToMarkdown('<head><meta charset=x><body><p>kept', base)).toBe('kept');
    expect(htmlToMarkdown('<script>never ends', base)).toBe('');
  });

  it('takes hostile pages in one pass', () => {
    for (const piece of ['<', '<a ', '<a b="', '<!--', '</', '<p', '<div>', '&', '<pre>', '<blockquote>', '<ul><li>', '<script>', "<a b='", '<td>'])
      expect(typeof htmlToMarkdown(piece.repeat(200_000 / piece.length), base)).toBe('string');
  });
});

describe('fetch_url', () => {
  const answering = (contentType: string, content: string | Uint8Array, more = {}) =>
    createMemoryContext({
      fetchWeb: async ({ url }) => ({
        url,
        host: 'a.example',
        status: 200,
        contentType,
        bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
        truncated: false,
        redirects: 0,
        ...more,
      }),
    }).context;

  it('gives a page as markdown, as words, or as it came, and says where it is from', async () => {
    const page = '<h2>Hi</h2><p>there';
    expect(await runTool(fetchUrl, { url: base }, answering('text/html; charset=utf-8', page))).toEqual({
      ok: true,
      content: '[status 200, text/html; charset=utf-8, 19 bytes]\n## Hi\n\nthere',
      metadata: { origin: 'a.example', status: 200, url: base, redirects: 0 },
    });
    expect((await runTool(fetchUrl, { url: base, format: 'text' }, answering('text/html', page))).content).toBe(
      '[status 200, text/html, 19 bytes]\nHi\n\nthere',
    );
    expect((await runTool(fetchUrl, { url: base, format: 'raw' }, answering('text/html', page))).content).toBe(`[status 200, text/html, 19 bytes]\n${page}`);
  });

  it('reads other charsets, describes what is no text, and names what was left unread', async () => {
    expect((await runTool(fetchUrl, { url: base }, answering('text/plain; charset=iso-8859-1', new Uint8Array([0xe4])))).content).toMatch(/\nä$/);
    expect((await runTool(fetchUrl, { url: base }, answering('text/html', new TextEncoder().encode('<meta charset="nonsense"><p>x')))).content).toMatch(/\nx$/);
    expect((await runTool(fetchUrl, { url: base }, answering('image/png', new Uint8Array([1])))).content).toMatch(
      /\n\(binary data of type image\/png; not shown\)$/,
    );
    expect((await runTool(fetchUrl, { url: base }, answering('text/plain', 'x', { truncated: true, redirects: 2 }))).content).toBe(
      `[${base} after 2 redirects, status 200, text/plain, 1 byte]\nx\n[Only the first 1 byte were read; raise max_bytes for more.]`,
    );
  });

  it('fails with what the server said', async () => {
    expect(await runTool(fetchUrl, { url: base }, answering('text/plain', 'gone', { status: 404 }))).toMatchObject({
      ok: false,
      error: 'execution-failed',
      content: '[status 404, text/plain, 4 bytes]\ngone',
    });
  });
});
