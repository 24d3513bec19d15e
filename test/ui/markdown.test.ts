import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Inline, type MarkdownBlock, parseMarkdown } from '@/lib/client/markdown';

const paragraph = (...inline: Inline[]): MarkdownBlock => ({ kind: 'paragraph', inline });
const text = (words: string): Inline => ({ kind: 'text', text: words });

describe('the markdown subset', () => {
  it('reads headings, paragraphs, lists, quotes, rules and code', () => {
    expect(parseMarkdown('# Plan\n\nDo **this** and `that`.\n\n1. one\n2. two\n   - inner\n\n> said\n\n---\n```ts\nlet a = 1;\n```')).toEqual([
      { kind: 'heading', level: 1, inline: [text('Plan')] },
      paragraph(text('Do '), { kind: 'strong', inline: [text('this')] }, text(' and '), { kind: 'code', text: 'that' }, text('.')),
      {
        kind: 'list',
        ordered: true,
        start: 1,
        items: [[paragraph(text('one'))], [paragraph(text('two')), { kind: 'list', ordered: false, start: 1, items: [[paragraph(text('inner'))]] }]],
      },
      { kind: 'quote', blocks: [paragraph(text('said'))] },
      { kind: 'rule' },
      { kind: 'code', language: 'ts', text: 'let a = 1;' },
    ]);
  });

  it('leaves raw HTML, images and addresses that are not http as the text they are', () => {
    const hostile = '<img src=x onerror=alert(1)> ![a](https://evil.example/p.png) [b](javascript:alert(1))';
    expect(parseMarkdown(hostile)).toEqual([
      paragraph(
        text('<img src=x onerror=alert(1)> !'),
        { kind: 'link', href: 'https://evil.example/p.png', inline: [text('a')] },
        text(' '),
        text('[b](javascript:alert(1)'),
        text(')'),
      ),
    ]);
  });

  it('lets an open fence run to the end while it streams', () => {
    expect(parseMarkdown('```js\nlet a')).toEqual([{ kind: 'code', language: 'js', text: 'let a' }]);
  });

  it('keeps stars in code and underscores in names', () => {
    expect(parseMarkdown('`**a**` snake_case_name 2 * 3 * 4')).toEqual([paragraph({ kind: 'code', text: '**a**' }, text(' snake_case_name 2 * 3 * 4'))]);
  });

  it('reads a table', () => {
    expect(parseMarkdown('| a | b |\n|---|---|\n| 1 | 2 |')).toEqual([
      { kind: 'table', header: [[text('a')], [text('b')]], rows: [[[text('1')], [text('2')]]] },
    ]);
  });

  it('never throws and never makes a link that is not http', () => {
    const marks = fc.constantFrom('*', '_', '`', '#', '>', '-', '1. ', '[', '](', ')', 'javascript:', 'https://a.b', '\n', ' ', 'x', '|', '~~~', '```');
    const links = (value: unknown): readonly string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const own = 'href' in value && typeof value.href === 'string' ? [value.href] : [];
      return [...own, ...Object.values(value).flatMap(links)];
    };
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        expect(links(parseMarkdown(parts.join(''))).filter((href) => !/^https?:\/\//i.test(href))).toEqual([]);
      }),
    );
  });
});
