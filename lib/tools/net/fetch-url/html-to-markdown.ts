import { type HtmlToken, readHtml } from './html-tokens';

/** What a reader of the text has no use for. */
const SKIPPED: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'head',
  'select',
  'button',
  'canvas',
  'dialog',
]);
const VOID: ReadonlySet<string> = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '_', i: '_', del: '~~', s: '~~' };

/**
 * Writes the text of an HTML page as markdown: headings, lists, links, code, quotes and tables; no scripts, no styles.
 *
 * In     `base`: where the page came from, for its links; `plain`: text alone, without marks and link addresses.
 * Out    the title as first heading when the page has none of its own; linear in the page.
 */
export function htmlToMarkdown(html: string, base: string, plain = false): string {
  const writer = createWriter(plain);
  const skipping: string[] = [];
  let title = '';
  let inTitle = false;
  let hasHeading = false;
  const links: (string | undefined)[] = [];
  const lists: { readonly ordered: boolean; n: number }[] = [];
  let cells = 0;
  let rows = 0;

  const open = ({ name, attributes }: Extract<HtmlToken, { kind: 'open' }>) => {
    if (BLOCKS.has(name) && name !== 'td' && name !== 'th') writer.block(name === 'li' || name === 'tr' || name === 'dt' || name === 'dd' ? 1 : 2);
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) {
      hasHeading = true;
      writer.mark(`${'#'.repeat(Number(heading))} `);
    } else if (name === 'br') writer.newline();
    else if (name === 'hr') {
      writer.block(2);
      writer.mark('---');
      writer.block(2);
    } else if (name === 'pre') writer.startPre();
    else if (name === 'code' || name === 'kbd' || name === 'samp') writer.mark('`', true);
    else if (name === 'a') {
      const href = plain ? undefined : absolute(attributes.get('href'), base);
      links.push(href);
      if (href !== undefined) writer.mark('[', true);
    } else if (name === 'img') {
      const alt = attributes.get('alt')?.trim() ?? '';
      if (alt !== '') writer.text(plain ? alt : `![${alt}]`);
    } else if (name === 'ul' || name === 'ol') lists.push({ ordered: name === 'ol', n: 0 });
    else if (name === 'li') {
      const list = lists.at(-1);
      if (list !== undefined) list.n++;
      writer.mark(`${'  '.repeat(Math.min(Math.max(lists.length - 1, 0), 12))}${list?.ordered ? `${list.n}.` : '-'} `);
    } else if (name === 'blockquote') writer.quote(1);
    else if (name === 'table') rows = 0;
    else if (name === 'tr') cells = 0;
    else if (name === 'td' || name === 'th') {
      writer.mark(cells === 0 ? '| ' : ' | ', true);
      cells++;
    } else if (MARKS[name] !== undefined) writer.mark(MARKS[name], true);
  };
  const close = (name: string) => {
    if (name === 'pre') writer.endPre();
    else if (name === 'code' || name === 'kbd' || name === 'samp') writer.mark('`', true);
    else if (name === 'a') {
      const href = links.pop();
      if (href !== undefined) writer.mark(`](${href})`, true);
    } else if (name === 'ul' || name === 'ol') lists.pop();
    else if (name === 'blockquote') writer.quote(-1);
    else if (name === 'tr' && cells > 0) {
      writer.mark(' |', true);
      if (rows === 0 && !plain) {
        writer.block(1);
        writer.mark(`|${' --- |'.repeat(Math.min(cells, 50))}`);
      }
      rows++;
    } else if (MARKS[name] !== undefined) writer.mark(MARKS[name], true);
    if (BLOCKS.has(name) && name !== 'td' && name !== 'th') writer.block(name === 'li' || name === 'tr' || name === 'dt' || name === 'dd' ? 1 : 2);
  };

  for (const token of readHtml(html)) {
    if (token.kind !== 'text' && token.name === 'title') inTitle = token.kind === 'open' && title === '';
    else if (token.kind === 'text' && inTitle) title = token.text.replace(/\s+/g, ' ').trim();
    else if (skipping.length > 0) {
      if (token.kind === 'open' && token.name === skipping.at(-1)) skipping.push(token.name);
      else if (token.kind === 'close' && token.name === skipping.at(-1)) skipping.pop();
      // A page without a closing head still has a body.
      else if (token.kind === 'open' && token.name === 'body' && skipping[0] === 'head') skipping.length = 0;
    } else if (token.kind === 'text') writer.text(token.text);
    else if (token.kind === 'close') close(token.name);
    else if (SKIPPED.has(token.name) && !VOID.has(token.name)) skipping.push(token.name);
    else open(token);
  }
  const body = writer.end();
  return title === '' || hasHeading ? body : `${plain ? '' : '# '}${title}\n\n${body}`;
}

function absolute(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href === '' || href.startsWith('#')) return undefined;
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:' ? url.href.replace(/[()\s]/g, encodeURIComponent) : undefined;
}

/** Collects text with its white space folded, as a page shows it, and with empty lines between blocks. */
function createWriter(plain: boolean) {
  const parts: string[] = [];
  let newlines = 2;
  let blank = false;
  let pre = 0;
  let quotes = 0;
  const put = (text: string) => {
    if (blank && newlines === 0) parts.push(' ');
    if (newlines > 0 && quotes > 0 && !plain) parts.push('> '.repeat(Math.min(quotes, 8)));
    blank = false;
    newlines = 0;
    parts.push(text);
  };
  const breakLines = (count: number) => {
    blank = false;
    while (newlines < count) {
      parts.push('\n');
      newlines++;
    }
  };
  return {
    text(text: string) {
      if (pre > 0) {
        if (text !== '') put(text);
        if (text.endsWith('\n')) newlines = 1;
        return;
      }
      for (const word of text.split(/([ \t\r\n\f]+)/)) {
        if (word === '') continue;
        if (/^[ \t\r\n\f]/.test(word)) blank = true;
        else put(word);
      }
    },
    /** A sign of markdown; `within` = inside a line, so the blank before it stays. */
    mark(sign: string, within = false) {
      if (plain && (within ? !sign.includes('|') : sign.startsWith('#') || sign === '---')) return;
      if (pre > 0 && sign === '`') return;
      put(sign);
    },
    block: (count: number) => breakLines(count),
    newline() {
      parts.push('\n');
      newlines = Math.max(newlines, 1);
      blank = false;
    },
    startPre() {
      breakLines(2);
      if (!plain && pre === 0) parts.push('```\n');
      newlines = 1;
      pre++;
    },
    endPre() {
      if (pre === 0) return;
      pre--;
      breakLines(1);
      if (!plain && pre === 0) parts.push('```\n');
      newlines = 1;
    },
    quote(by: 1 | -1) {
      quotes = Math.max(0, quotes + by);
    },
    end: () =>
      parts
        .join('')
        .replace(/[ \t]+\n/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
  };
}
