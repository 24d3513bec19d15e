/** A safe subset of markdown as plain data: there is no way to write markup, only these shapes. */
export type MarkdownBlock =
  | { readonly kind: 'paragraph'; readonly inline: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly (readonly MarkdownBlock[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly MarkdownBlock[] }
  | { readonly kind: 'table'; readonly header: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'rule' };

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly inline: readonly Inline[] }
  /** `href` is http or https; every other address stays text. */
  | { readonly kind: 'link'; readonly href: string; readonly inline: readonly Inline[] };

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const bullet = /^( {0,3})([-*+])\s+(.*)$/;
const numbered = /^( {0,3})(\d{1,9})[.)]\s+(.*)$/;
const quote = /^ {0,3}> ?(.*)$/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/;
const maxDepth = 6;

/**
 * Reads the markdown subset.
 *
 * In     any text, also half of one while it streams.
 * Out    blocks; raw HTML, images and unknown shapes stay the text they are. An open fence runs to the end.
 */
export function parseMarkdown(text: string, depth = 0): readonly MarkdownBlock[] {
  const lines = text.split('\n');
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  const paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', inline: parseInline(paragraph.join('\n').trim()) });
    paragraph.length = 0;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const opened = fence.exec(line);
    if (opened) {
      flush();
      const closer = opened[1] ?? '```';
      const body: string[] = [];
      for (at++; at < lines.length && !isFenceEnd(lines[at] ?? '', closer); at++) body.push(lines[at] ?? '');
      at++;
      blocks.push({ kind: 'code', language: (opened[2] ?? '').trim().split(/\s/)[0] ?? '', text: body.join('\n') });
      continue;
    }
    const head = heading.exec(line);
    if (line.trim() === '') flush();
    else if (head) {
      flush();
      blocks.push({ kind: 'heading', level: head[1]?.length ?? 1, inline: parseInline(head[2] ?? '') });
    } else if (rule.test(line)) {
      flush();
      blocks.push({ kind: 'rule' });
    } else if (depth < maxDepth && quote.test(line)) {
      flush();
      const inner: string[] = [];
      for (; at < lines.length && quote.test(lines[at] ?? ''); at++) inner.push(quote.exec(lines[at] ?? '')?.[1] ?? '');
      blocks.push({ kind: 'quote', blocks: parseMarkdown(inner.join('\n'), depth + 1) });
      continue;
    } else if (depth < maxDepth && isListStart(line, paragraph.length > 0)) {
      flush();
      const list = readList(lines, at, depth);
      blocks.push(list.block);
      at = list.next;
      continue;
    } else if (line.includes('|') && tableRule.test(lines[at + 1] ?? '')) {
      flush();
      const header = readCells(line);
      const rows: (readonly (readonly Inline[])[])[] = [];
      for (at += 2; at < lines.length && (lines[at] ?? '').includes('|'); at++) rows.push(readCells(lines[at] ?? ''));
      blocks.push({ kind: 'table', header, rows });
      continue;
    } else paragraph.push(line);
    at++;
  }
  flush();
  return blocks;
}

function isFenceEnd(line: string, closer: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= closer.length && trimmed === (closer[0] ?? '`').repeat(trimmed.length);
}

// A number in the middle of a paragraph ("… in\n2026. Then") is no list; only 1 may interrupt one.
function isListStart(line: string, inParagraph: boolean): boolean {
  if (bullet.test(line)) return true;
  const found = numbered.exec(line);
  return found !== null && (!inParagraph || found[2] === '1');
}

function readList(lines: readonly string[], from: number, depth: number): { readonly block: MarkdownBlock; readonly next: number } {
  const first = lines[from] ?? '';
  const ordered = !bullet.test(first);
  const marker = ordered ? numbered : bullet;
  const items: (readonly MarkdownBlock[])[] = [];
  let item: string[] = [];
  const flush = () => {
    if (item.length > 0) items.push(parseMarkdown(item.join('\n').trimEnd(), depth + 1));
  };
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const found = marker.exec(line);
    if (found) {
      flush();
      item = [found[3] ?? ''];
    } else if (/^(\t| {2,})/.test(line)) item.push(line.replace(/^(\t| {2,4})/, ''));
    else if (line.trim() === '' && /^(\t| {2,})|^ {0,3}([-*+]|\d+[.)])\s/.test(lines[at + 1] ?? '')) item.push('');
    else break;
  }
  flush();
  return { block: { kind: 'list', ordered, start: ordered ? Number(numbered.exec(first)?.[2] ?? 1) : 1, items }, next: at };
}

function readCells(line: string): readonly (readonly Inline[])[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => parseInline(cell.trim()));
}

// The first alternative that matches wins: code before emphasis, so that stars inside code stay.
const inlineShape =
  /(`+)(?!`)([\s\S]*?[^`])\1(?!`)|\*\*(?=\S)((?:[^*]|\*(?!\*))+?)\*\*|(?<![\w*])\*(?=\S)([^*\n]+?)\*(?![\w*])|(?<!\w)_(?=\S)([^_\n]+?)_(?!\w)|\[([^\]\n]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>()"'`]*[^\s<>()"'`.,;:!?])/;

function parseInline(text: string, depth = 0): readonly Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  while (rest.length > 0) {
    const found = depth < maxDepth ? inlineShape.exec(rest) : null;
    if (!found) break;
    if (found.index > 0) parts.push({ kind: 'text', text: rest.slice(0, found.index) });
    parts.push(readInline(found, depth));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest.length > 0) parts.push({ kind: 'text', text: rest });
  return parts;
}

function readInline(found: RegExpExecArray, depth: number): Inline {
  const [whole, , code, strong, star, underscore, label, target, bare] = found;
  if (code !== undefined) return { kind: 'code', text: code.replace(/^ (.*[^ ].*) $/, '$1') };
  if (strong !== undefined) return { kind: 'strong', inline: parseInline(strong, depth + 1) };
  const emphasis = star ?? underscore;
  if (emphasis !== undefined) return { kind: 'emphasis', inline: parseInline(emphasis, depth + 1) };
  if (bare !== undefined) return { kind: 'link', href: bare, inline: [{ kind: 'text', text: bare }] };
  if (label !== undefined && target !== undefined && /^https?:\/\//i.test(target)) return { kind: 'link', href: target, inline: parseInline(label, depth + 1) };
  return { kind: 'text', text: whole };
}
